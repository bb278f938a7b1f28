/** Limits of one client: requests in any span of one second, and parallel requests. Both are off by default. */
import type { Settings } from '../configuration';

export type Entrance =
	{ admitted: true; leave(): void } | { admitted: false; retryAfterSeconds: number };

const SPAN_MILLISECONDS = 1000;

export class Limits {
	private readonly recent = new Map<string, number[]>();
	private readonly underWay = new Map<string, number>();

	constructor(
		private readonly settings: () => Settings,
		private readonly now: () => number,
	) {}

	/** Admits a request of a client, or returns after how many seconds to retry. */
	enter(client: string): Entrance {
		const { requestsPerSecond, parallelRequests } = this.settings();
		const now = this.now();
		const running = this.underWay.get(client) ?? 0;
		const recent = (this.recent.get(client) ?? []).filter((time) => time > now - SPAN_MILLISECONDS);
		const refused =
			running >= (parallelRequests ?? Infinity) || recent.length >= (requestsPerSecond ?? Infinity);
		if (refused) return { admitted: false, retryAfterSeconds: 1 };
		if (requestsPerSecond !== null) this.recent.set(client, [...recent, now]);
		this.underWay.set(client, running + 1);
		return {
			admitted: true,
			leave: () => this.underWay.set(client, Math.max(0, (this.underWay.get(client) ?? 0) - 1)),
		};
	}

	reset(): void {
		this.recent.clear();
	}
}
