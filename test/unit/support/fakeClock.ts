/** A clock that moves only when a test moves it. */
export class FakeClock {
	private time = 0;

	private timers: Array<{ at: number; ring: () => void }> = [];

	readonly now = (): number => this.time;

	readonly pause = async (milliseconds: number): Promise<void> =>
		new Promise((resolve) => this.timers.push({ at: this.time + milliseconds, ring: resolve }));

	/** How many pauses have not ended. */
	get waiting(): number {
		return this.timers.length;
	}

	/** Moves the clock, and runs everything that is due meanwhile. */
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

	/** Lets time pass, from one pause to the next, until something has come to its end. */
	async passUntil<T>(work: Promise<T>): Promise<T> {
		let isOver = false;
		const over = () => void (isOver = true);
		work.then(over, over);
		for (await settled(); !isOver; await settled()) await this.passNext();
		return work;
	}

	/** Lets time pass to the end of the next pause, if there is one. */
	async passNext(): Promise<void> {
		const next = this.next(Infinity);
		if (next !== undefined) await this.pass(next.at - this.time);
	}

	private next(end: number): { at: number; ring: () => void } | undefined {
		const due = this.timers.filter(({ at }) => at <= end);
		return due.reduce<(typeof due)[number] | undefined>(
			(first, timer) => (first === undefined || timer.at < first.at ? timer : first),
			undefined,
		);
	}
}

/** Resolves when all pending promises have settled. */
export async function settled(): Promise<void> {
	await new Promise(setImmediate);
}
