import type { Answer, Pause, Reply, ServiceRequest } from './http';
import { isSuccess } from './http';
import { pauseAskedFor, retryAfterOf } from './retry';

/** How long a batch holds back after a refusal that does not say how long, or names a time that has come already, in milliseconds (assumed). */
const HOLD_BACK_MILLISECONDS = 1_000;

/** The longest time that a batch holds back; a service that asks for more is not asked at all until then. */
const LONGEST_HOLD_BACK_MILLISECONDS = 5 * 60_000;

/** That a request may leave, with its time limit; or what its caller gets without asking the service. */
type Turn = { request: ServiceRequest; cuts: number } | { instead: Reply };

/**
 * What the requests of a batch share: how many may be under way, and how long all of them hold back when the service is too busy.
 * After a 429, or a 503 with Retry-After, nothing of the batch leaves until then, and half as many are sent at once; each success
 * makes that number grow again.
 */
export class Pace {
	private openAt = 0;

	/** The service wants nothing, for so long that nothing waits for it: until then its answer is given again without asking. */
	private closed: { until: number; refusal: Answer } | undefined;

	/** How often the lanes were halved. */
	private cuts = 0;

	private readonly lanes: Lane[] = [];

	constructor(
		private readonly pause: Pause,
		private readonly now: () => number,
	) {}

	/** A lane with a limit of its own; all lanes slow down together. */
	lane(most: number): Lane {
		const lane = new Lane(most);
		this.lanes.push(lane);
		return lane;
	}

	/** Waits until the request may leave. Rejects where `pause` does. */
	async turn(request: ServiceRequest): Promise<Turn> {
		const { notAfter = Infinity, timeoutMilliseconds } = request;
		for (let wait = this.waitFor(notAfter); wait > 0; wait = this.waitFor(notAfter))
			await this.pause(wait);
		const now = this.now();
		if (now > notAfter) return { instead: NOT_SENT_IN_TIME };
		if (this.closed !== undefined && now < this.closed.until)
			return { instead: withTimeLeft(this.closed.refusal, this.closed.until - now) };
		const left = Math.min(timeoutMilliseconds, notAfter + 1 - now);
		return { request: { ...request, timeoutMilliseconds: left }, cuts: this.cuts };
	}

	/** Milliseconds until the next request may leave, or until it need not leave any more. */
	private waitFor(notAfter: number): number {
		return Math.min(this.openAt, notAfter + 1) - this.now();
	}

	/** `cuts`: as in the turn of the request. What left before the last cut says nothing new about the number that may be under way. */
	learn(reply: Reply, lane: Lane, cuts: number): void {
		const holdBack = holdBackAfter(reply, this.now());
		if (holdBack !== undefined) {
			const { refusal, milliseconds } = holdBack;
			const until = this.now() + milliseconds;
			if (milliseconds > LONGEST_HOLD_BACK_MILLISECONDS)
				this.closed = { refusal, until: Math.max(this.closed?.until ?? 0, until) };
			else this.openAt = Math.max(this.openAt, until);
		}
		if (cuts < this.cuts) return;
		if (holdBack !== undefined) {
			this.cuts++;
			for (const each of this.lanes) each.halve();
		} else if (isSuccess(reply)) {
			lane.widen();
		}
	}
}

/** For how long all requests are to hold back; undefined when the service is not too busy. */
export function holdBackAfter(
	reply: Reply,
	now: number,
): { refusal: Answer; milliseconds: number } | undefined {
	if (reply.kind !== 'answer') return undefined;
	if (reply.status !== 429 && !(reply.status === 503 && retryAfterOf(reply, now) !== undefined))
		return undefined;
	return { refusal: reply, milliseconds: pauseAskedFor(reply, now) ?? HOLD_BACK_MILLISECONDS };
}

/** A refusal with the Retry-After that the service would give now. */
function withTimeLeft(refusal: Answer, millisecondsLeft: number): Answer {
	return {
		...refusal,
		headers: { ...refusal.headers, 'retry-after': String(Math.ceil(millisecondsLeft / 1000)) },
	};
}

/** For a request that was to leave by a certain time and could not. */
export const NOT_SENT_IN_TIME: Reply = { kind: 'noAnswer', code: 'NOT_SENT_IN_TIME' };

/** Lets a number of requests be under way at a time, the others in the order in which they came. */
export class Lane {
	private width: number;

	private underWay = 0;

	private readonly waiting: Array<() => void> = [];

	constructor(private readonly most: number) {
		this.width = most;
	}

	/** Does something when there is room for it. */
	async run<T>(work: () => Promise<T>): Promise<T> {
		await this.enter();
		try {
			return await work();
		} finally {
			this.leave();
		}
	}

	async enter(): Promise<void> {
		const admitted = new Promise<void>((resolve) => this.waiting.push(resolve));
		this.admit();
		return admitted;
	}

	leave(): void {
		this.underWay--;
		this.admit();
	}

	widen(): void {
		this.width = Math.min(this.most, this.width + 1 / this.width);
		this.admit();
	}

	halve(): void {
		this.width = Math.max(1, this.width / 2);
	}

	private admit(): void {
		while (this.underWay < Math.floor(this.width)) {
			const enter = this.waiting.shift();
			if (enter === undefined) return;
			this.underWay++;
			enter();
		}
	}
}
