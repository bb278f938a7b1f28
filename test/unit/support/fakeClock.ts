/** Time that passes only when a test says so. */
export class FakeClock {
	private time = 0;

	private timers: Array<{ at: number; ring: () => void }> = [];

	readonly now = (): number => this.time;

	readonly pause = async (milliseconds: number): Promise<void> =>
		new Promise((resolve) => this.timers.push({ at: this.time + milliseconds, ring: resolve }));

	/** Lets this much time pass, and all happen that happens meanwhile. */
	async pass(milliseconds: number): Promise<void> {
		const end = this.time + milliseconds;
		await settled();
		for (let next = this.next(end); next !== undefined; next = this.next(end)) {
			this.timers.splice(this.timers.indexOf(next), 1);
			this.time = next.at;
			next.ring();
			await settled();
		}
		this.time = end;
	}

	private next(end: number): { at: number; ring: () => void } | undefined {
		const due = this.timers.filter(({ at }) => at <= end);
		return due.reduce<(typeof due)[number] | undefined>(
			(first, timer) => (first === undefined || timer.at < first.at ? timer : first),
			undefined,
		);
	}
}

/** Lets everything happen that needs no time. */
export async function settled(): Promise<void> {
	await new Promise(setImmediate);
}
