import type { Answer, NoAnswer, Pause, Reply, ServiceRequest } from './http';
import { isSuccess } from './http';
import { MAX_RETRY_AFTER_MILLISECONDS, pauseAskedFor, retryAfterOf } from './retry';

/** The pause after a refusal that asks for none, or for one that is over already (assumed). */
const HOLD_BACK_MILLISECONDS = 1_000;

/** A request that may be sent now, or the reply to use instead of sending it. */
type Turn = { request: ServiceRequest; cuts: number } | { instead: Reply };

/**
 * Rate limiting for all requests of a run. After a 429, or a 503 with Retry-After, nothing is sent until the requested time, and half
 * as many requests run in parallel afterwards. Each success raises that number again.
 */
export class Pace {
	private openAt = 0;

	/** The service asked for a pause that is too long to wait. Until it ends, requests get the same refusal without being sent. */
	private closed: { until: number; refusal: Answer } | undefined;

	/** How often the lanes were halved so far. */
	private cuts = 0;

	private readonly lanes: Lane[] = [];

	constructor(
		private readonly pause: Pause,
		private readonly now: () => number,
	) {}

	/** A lane with its own limit. All lanes slow down together. */
	lane(limit: number): Lane {
		const lane = new Lane(limit);
		this.lanes.push(lane);
		return lane;
	}

	/** Waits until the request may be sent. Rejects where `pause` does. */
	async turn(request: ServiceRequest): Promise<Turn> {
		const { notAfter = () => Infinity, timeoutMilliseconds } = request;
		for (let wait = this.waitFor(notAfter()); wait > 0; wait = this.waitFor(notAfter()))
			await this.pause(wait);
		const now = this.now();
		if (now > notAfter()) return { instead: NOT_SENT_IN_TIME };
		if (this.closed !== undefined && now < this.closed.until)
			return { instead: withTimeLeft(this.closed.refusal, this.closed.until - now) };
		const left = Math.min(timeoutMilliseconds, notAfter() + 1 - now);
		return { request: { ...request, timeoutMilliseconds: left }, cuts: this.cuts };
	}

	/** Milliseconds until the next request may be sent, or until it is too late to send it. */
	private waitFor(notAfter: number): number {
		const now = this.now();
		// No pause is longer. If this one seems to be, the clock was set back.
		this.openAt = Math.min(this.openAt, now + MAX_RETRY_AFTER_MILLISECONDS);
		return Math.min(this.openAt, notAfter + 1) - now;
	}

	/** `cuts`: from the turn of the request. A request sent before the last cut must not change the width again. */
	learn(reply: Reply, lane: Lane, cuts: number): void {
		const holdBack = holdBackAfter(reply, this.now());
		if (holdBack !== undefined) {
			const { refusal, milliseconds } = holdBack;
			const until = this.now() + milliseconds;
			if (milliseconds > MAX_RETRY_AFTER_MILLISECONDS)
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

/** How long all requests have to pause; undefined when the service is not too busy. */
export function holdBackAfter(
	reply: Reply,
	now: number,
): { refusal: Answer; milliseconds: number } | undefined {
	if (reply.kind !== 'answer') return undefined;
	if (reply.status !== 429 && !(reply.status === 503 && retryAfterOf(reply, now) !== undefined))
		return undefined;
	return { refusal: reply, milliseconds: pauseAskedFor(reply, now) ?? HOLD_BACK_MILLISECONDS };
}

/** The refusal with the rest of its Retry-After. */
function withTimeLeft(refusal: Answer, millisecondsLeft: number): Answer {
	return {
		...refusal,
		headers: { ...refusal.headers, 'retry-after': String(Math.ceil(millisecondsLeft / 1000)) },
	};
}

/** The reply to a request that could not be sent in time. */
export const NOT_SENT_IN_TIME: NoAnswer = { kind: 'noAnswer', code: 'NOT_SENT_IN_TIME' };

/** Runs a limited number of requests in parallel; the others wait in order. */
export class Lane {
	private width: number;

	private underWay = 0;

	private readonly waiting: Array<() => void> = [];

	constructor(private readonly limit: number) {
		this.width = limit;
	}
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
		this.width = Math.min(this.limit, this.width + 1 / this.width);
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
