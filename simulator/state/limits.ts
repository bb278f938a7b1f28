/** The limit of parallel requests of one client. Off by default. */
export class Limits {
	private readonly underWay = new Map<string, number>();

	constructor(private readonly most: () => number | null) {}

	/** Admits a request of a client and returns what ends it; undefined where the client has too many. */
	enter(client: string): (() => void) | undefined {
		const running = this.underWay.get(client) ?? 0;
		if (running >= (this.most() ?? Infinity)) return undefined;
		this.underWay.set(client, running + 1);
		return () => void this.underWay.set(client, (this.underWay.get(client) ?? 1) - 1);
	}
}
