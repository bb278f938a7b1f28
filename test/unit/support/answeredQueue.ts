import type { Reply, ServiceRequest } from '../../../service/http';
import { Outage } from '../../../service/outage';
import { RateLimit } from '../../../service/rateLimit';
import { sendWith } from '../../../service/send';
import { FakeClock, settled } from './fakeClock';

export const OK: Reply = { kind: 'answer', status: 200, headers: {}, body: {} };

export const answer = (status: number, headers: Record<string, string> = {}): Reply => ({
	...OK,
	status,
	headers,
});

/** A 429 with an optional Retry-After. */
export const busy = (seconds?: number | string): Reply =>
	answer(429, seconds === undefined ? {} : { 'retry-after': String(seconds) });

/** Names of requests. */
export const numbers = (count: number, from = 1): string[] =>
	Array.from({ length: count }, (_, index) => String(from + index));

/** Sends like the node, with one queue for all requests, through `transmit`. */
export function sender(
	rateLimit: RateLimit,
	most: number,
	transmit: (request: ServiceRequest) => Promise<Reply>,
	afterReply: () => Promise<void> = async () => Promise.resolve(),
): (request: ServiceRequest) => Promise<Reply> {
	const queue = rateLimit.queue(most);
	const queues = { create: queue, check: queue, other: queue };
	return sendWith({
		...{
			rateLimit,
			queues,
			transmit,
			sleep: afterReply,
			outage: new Outage(() => 0),
			onOutage: () => undefined,
		},
		...{ pause: async () => Promise.resolve(), continueOrThrow: () => undefined },
	});
}

/** A rate limit with one queue. */
export function opened(most = 4) {
	const clock = new FakeClock();
	const rateLimit = new RateLimit(clock.pause, clock.now);
	return { clock, rateLimit, queue: new AnsweredQueue(clock, rateLimit, most) };
}

/** A queue of requests that the test answers. */
export class AnsweredQueue {
	/** The sent requests in order, with their times. */
	readonly left: Array<[string, number]> = [];

	readonly failed: unknown[] = [];

	/** The replies by name. */
	readonly replies = new Map<string, Reply>();

	private readonly underWay = new Map<string, (reply: Reply | Error) => void>();

	private readonly send: (request: ServiceRequest) => Promise<Reply>;

	constructor(
		private readonly clock: FakeClock,
		rateLimit: RateLimit,
		most: number,
		afterReply?: () => Promise<void>,
	) {
		this.send = sender(
			rateLimit,
			most,
			async ({ path }) => {
				this.left.push([path, clock.now()]);
				return new Promise((resolve, reject) =>
					this.underWay.set(path, (reply) =>
						reply instanceof Error ? reject(reply) : resolve(reply),
					),
				);
			},
			afterReply,
		);
	}

	/** Starts requests with these names. */
	async ask(...names: string[]): Promise<void> {
		return this.askNotAfter(undefined, ...names);
	}

	/** The same for requests that must not be sent after a time. */
	async askNotAfter(notAfter: number | undefined, ...names: string[]): Promise<void> {
		for (const path of names) {
			this.send({
				kind: 'check',
				path,
				timeoutMilliseconds: 1,
				...(notAfter === undefined ? {} : { notAfter }),
			})
				.then((reply) => this.replies.set(path, reply))
				.catch((error: unknown) => this.failed.push(error));
		}
		await this.clock.pass(0);
	}

	/** Answers open requests. */
	async answer(reply: Reply | Error, ...names: string[]): Promise<void> {
		for (const name of names) {
			this.underWay.get(name)?.(reply);
			this.underWay.delete(name);
			await settled();
		}
	}

	/** The names of the open requests. */
	get names(): string[] {
		return [...this.underWay.keys()];
	}
}
