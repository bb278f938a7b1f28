import type { Pause, Reply, ServiceRequest, Time } from './http';
import { type Effect, effectOf, isPassing, retry } from './retry';

/** Creates wait no longer than this. Then they are sent in any case. */
const LONGEST_OUTAGE_MILLISECONDS = 2 * 60_000;

/** Between two questions, and how long one may take. */
const LONGEST_DELAY_MILLISECONDS = 10_000;

/** So often those who wait for the question of another run see whether it is answered. */
const OTHERS_MILLISECONDS = 500;

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

	private isAsking = false;

	private asked = 0;

	constructor(private readonly now: Time['now']) {}

	/** Takes note of the reply to a create. Returns whether creates wait from now on. */
	learn(reply: Reply, effect = effectOf(reply)): boolean {
		if (reply.kind === 'answer' && !effect.mayPass) this.since = undefined;
		const isNews = this.isNews(reply, effect);
		if (isNews) [this.since, this.askAt, this.asked] = [this.now(), this.now(), 0];
		return isNews;
	}

	/** A request without a token is sent again by itself, so it waits once. A stop says nothing about the service. */
	private isNews(reply: Reply, { cause, mayHaveActed, mayPass }: Effect): boolean {
		if (reply.kind === 'noToken') return reply.endpoint === 'failed' && this.since === undefined;
		return mayPass && mayHaveActed && cause !== 'stopped' && !this.isNoted();
	}

	/** Resolves when a create may be sent. `ask` sends a question that changes nothing. */
	async over(ask: () => Promise<Reply>, pause: Pause): Promise<void> {
		if (this.since === undefined) return;
		const askIfDue = async () => {
			if (!this.isNoted() || this.isAsking || this.askAt > this.now()) return;
			this.askAt = this.now() + Math.min(1_000 * 2 ** this.asked++, LONGEST_DELAY_MILLISECONDS);
			this.isAsking = true;
			const reply = await ask().finally(() => (this.isAsking = false));
			if (reply.kind === 'answer' && !isPassing(reply)) this.since = undefined;
		};
		const untilNext = () => (this.isAsking ? OTHERS_MILLISECONDS : this.askAt - this.now());
		await retry(askIfDue, () => (this.isNoted() ? untilNext() : undefined), pause);
	}

	/** Not if the clock was set back. */
	private isNoted(): boolean {
		const age = this.now() - (this.since ?? Infinity);
		return age >= 0 && age < LONGEST_OUTAGE_MILLISECONDS;
	}
}
