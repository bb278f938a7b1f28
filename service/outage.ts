import type { Pause, Reply, ServiceRequest, Time } from './http';
import { causeOf, isPassing, isRefused, retry } from './retry';

/** Creates wait no longer than this. Then they are sent in any case. */
const LONGEST_OUTAGE_MILLISECONDS = 2 * 60_000;

/** Between two questions, and how long one may take. */
const LONGEST_DELAY_MILLISECONDS = 10_000;

/** So soon a stop ends the wait for a question of another run. */
const STOP_MILLISECONDS = 500;

/** A question that changes nothing, about an execution that does not exist. `path`: of the create. */
export function questionAt(path: string): ServiceRequest {
	return {
		kind: 'check',
		method: 'GET',
		path: `${path}/00000000-0000-0000-0000-000000000000`,
		timeoutMilliseconds: LONGEST_DELAY_MILLISECONDS,
	};
}

/**
 * Whether a service answers at the moment. After a server error nobody knows whether a create has started an execution,
 * and the next creates would end in the same way. So they wait until the service answers a question that changes nothing.
 */
export class Outage {
	/** Undefined while the service answers. */
	private since: number | undefined;

	/** When the service is asked next. All who wait share the questions. */
	private askAt = 0;

	private question: Promise<void> | undefined;

	private asked = 0;

	constructor(private readonly now: Time['now']) {}

	/** Takes note of the reply to a create. Returns whether creates wait from now on. */
	learn(reply: Reply): boolean {
		if (isAnswered(reply)) this.since = undefined;
		const isNews = this.isNews(reply);
		if (isNews) [this.since, this.askAt, this.asked] = [this.now(), this.now(), 0];
		return isNews;
	}

	/** Resolves when a create may be sent. `ask` sends a question that changes nothing. */
	async over(ask: () => Promise<Reply>, pause: Pause): Promise<void> {
		const askOrWait = async () => {
			if (this.question !== undefined)
				await Promise.race([this.question, pause(STOP_MILLISECONDS)]);
			else if (this.isNoted() && this.askAt <= this.now()) await this.put(ask());
		};
		const untilNext = () => (this.question === undefined ? this.askAt - this.now() : 0);
		await retry(askOrWait, () => (this.isNoted() ? untilNext() : undefined), pause);
	}

	private async put(reply: Promise<Reply>): Promise<void> {
		this.askAt = this.now() + Math.min(1_000 * 2 ** this.asked++, LONGEST_DELAY_MILLISECONDS);
		const over = () => void (this.question = undefined);
		this.question = reply.then(over, over);
		if (isAnswered(await reply)) this.since = undefined;
	}

	/** A request without a token is sent again by itself, so it waits once. A stop says nothing about the service. */
	private isNews(reply: Reply): boolean {
		if (reply.kind === 'noToken') return reply.endpoint === 'failed' && this.since === undefined;
		const isStopped = reply.kind === 'noAnswer' && causeOf(reply) === 'stopped';
		return isPassing(reply) && !isRefused(reply) && !isStopped && !this.isNoted();
	}

	/** Not if the clock was set back. */
	private isNoted(): boolean {
		const age = this.now() - (this.since ?? Infinity);
		return age >= 0 && age < LONGEST_OUTAGE_MILLISECONDS;
	}
}

function isAnswered(reply: Reply): boolean {
	return reply.kind === 'answer' && !isPassing(reply);
}
