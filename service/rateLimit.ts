import type { Answer, Pause, Reply, ServiceRequest } from './http';
import { isSuccess, MAX_RETRY_AFTER_MILLISECONDS, NOT_SENT_IN_TIME } from './http';
import { pauseForAll } from './retry';

/**
 * After a 429, or a 503 with Retry-After, nothing is sent until the requested time, and half as many requests run in
 * parallel afterwards: else most of a batch of 60 fails where the service allows two long ones. Each success raises that
 * number again: else an outage of a minute makes a batch of 400 five times as long.
 */
export class RateLimit {
	/** Nothing is sent before. */
	private openAt = -Infinity;

	/** The service asked for a pause that is too long to wait. Until it ends, requests get the same refusal unsent. */
	private closed: { until: number; refusal: Answer } | undefined;

	private readonly queues: Queue[] = [];

	constructor(
		private readonly pause: Pause,
		private readonly now: () => number,
	) {}

	/** A queue with its own limit. All queues slow down together. */
	queue(limit: number): Queue {
		const queue = new Queue(limit);
		this.queues.push(queue);
		return queue;
	}

	/** Waits until the request may be sent. Returns it with the time that is left, or the reply to use unsent. */
	async slot(request: ServiceRequest): Promise<{ request: ServiceRequest } | { instead: Reply }> {
		const { notAfter = Infinity, timeoutMilliseconds } = request;
		for (let wait = this.waitFor(notAfter); wait > 0; wait = this.waitFor(notAfter))
			await this.pause(wait);
		const now = this.now();
		if (now > notAfter) return { instead: NOT_SENT_IN_TIME };
		if (this.closed !== undefined && now < this.closed.until) {
			const { refusal, until } = this.closed;
			const left = String(Math.ceil((until - now) / 1000));
			return { instead: { ...refusal, headers: { ...refusal.headers, 'retry-after': left } } };
		}
		const left = Math.min(timeoutMilliseconds, notAfter + 1 - now);
		return { request: { ...request, timeoutMilliseconds: left } };
	}

	/** Milliseconds until the next request may be sent, or until it is too late to send it. */
	private waitFor(notAfter: number): number {
		const now = this.now();
		// No pause is longer. If this one seems to be, the clock was set back.
		this.openAt = Math.min(this.openAt, now + MAX_RETRY_AFTER_MILLISECONDS);
		return Math.min(this.openAt, notAfter + 1) - now;
	}

	/** Slows all queues down after a refusal; raises the limit of the request's queue after a success. */
	learn(reply: Reply, queue: Queue): void {
		const now = this.now();
		// Requests that were sent before a pause must not change the limits again.
		const isPausing = now < this.openAt;
		if (isSuccess(reply) && !isPausing) queue.raise();
		const milliseconds = pauseForAll(reply, now);
		if (milliseconds === undefined) return;
		const until = now + milliseconds;
		if (milliseconds > MAX_RETRY_AFTER_MILLISECONDS && reply.kind === 'answer')
			this.closed = { refusal: reply, until: Math.max(this.closed?.until ?? 0, until) };
		else this.openAt = Math.max(this.openAt, until);
		if (!isPausing) for (const each of this.queues) each.halve();
	}
}

/** Runs a limited number of requests in parallel; the others wait in order. */
export class Queue {
	private width: number;

	private running = 0;

	private readonly waiting: Array<() => void> = [];

	constructor(private readonly limit: number) {
		this.width = limit;
	}

	async enter(): Promise<void> {
		return new Promise((resolve) => {
			this.waiting.push(resolve);
			this.admit();
		});
	}

	leave(): void {
		this.running--;
		this.admit();
	}

	/** By about one for each round of successes. */
	raise(): void {
		this.width = Math.min(this.limit, this.width + 1 / this.width);
		this.admit();
	}

	halve(): void {
		this.width = Math.max(1, this.width / 2);
	}

	private admit(): void {
		while (this.running < Math.floor(this.width)) {
			const enter = this.waiting.shift();
			if (enter === undefined) return;
			this.running++;
			enter();
		}
	}
}
