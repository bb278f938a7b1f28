import { Heap } from './heap';
import type { Pause } from './http';

/** What a clock needs of its surroundings. */
interface Surroundings {
	/** A timer. */
	sleep: (milliseconds: number) => Promise<void>;
	/** Milliseconds. */
	now: () => number;
	/** A reason when there is nothing to wait for any more, for example that n8n was stopped; else undefined. */
	whyNotToGoOn: () => unknown;
	/** What the waits are rejected with, made of the reason. */
	refusal: (reason: unknown) => Error;
}

interface Waiter {
	until: number;
	wake: () => void;
	refuse: (error: Error) => void;
}

/** How long a Stop may go unnoticed. */
const LONGEST_SLEEP_MILLISECONDS = 500;

/** The timer rings at multiples of this only, so that waits that are over one shortly after the other need not wake it each. */
const GRID_MILLISECONDS = 25;

/**
 * Any number of waits on one timer. As long as anybody waits it is asked at least twice a second whether to go on; with a reason
 * against it all waits are rejected at once. While nobody waits, nothing runs.
 */
export class Clock {
	private readonly waiters = new Heap<Waiter>((a, b) => a.until < b.until);

	/** When the timer that counts rings; an earlier one that was set for later is not heeded when it rings. */
	private ringsAt = Infinity;

	constructor(private readonly surroundings: Surroundings) {}

	/**
	 * Waits so many milliseconds, and up to 25 more.
	 * @throws what `refusal` makes, when there is a reason not to go on
	 */
	readonly pause: Pause = async (milliseconds) => {
		const { now, whyNotToGoOn, refusal } = this.surroundings;
		const reason = whyNotToGoOn();
		if (reason !== undefined) throw refusal(reason);
		if (milliseconds <= 0) return;
		await new Promise<void>((wake, refuse) => {
			this.waiters.push({ until: now() + milliseconds, wake, refuse });
			this.setTimer();
		});
	};

	private setTimer(): void {
		const { now, sleep } = this.surroundings;
		const first = this.waiters.first;
		if (first === undefined) return;
		const time = now();
		const ringsAt =
			GRID_MILLISECONDS *
			Math.ceil(Math.min(first.until, time + LONGEST_SLEEP_MILLISECONDS) / GRID_MILLISECONDS);
		if (this.ringsAt <= ringsAt) return;
		this.ringsAt = ringsAt;
		void sleep(Math.max(0, ringsAt - time)).then(() => {
			if (this.ringsAt === ringsAt) this.ring();
		});
	}

	private ring(): void {
		const { now, whyNotToGoOn, refusal } = this.surroundings;
		this.ringsAt = Infinity;
		const reason = whyNotToGoOn();
		const time = reason === undefined ? now() : Infinity;
		for (
			let first = this.waiters.first;
			first !== undefined && first.until <= time;
			first = this.waiters.first
		) {
			this.waiters.pop();
			if (reason === undefined) first.wake();
			else first.refuse(refusal(reason));
		}
		this.setTimer();
	}
}
