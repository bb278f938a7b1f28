import { isSuccess, type Pause, type Reply, type Time } from './http';
import { effectOf, retry } from './retry';

/** Creates wait no longer than this. Then they are sent in any case. */
const LONGEST_OUTAGE_MILLISECONDS = 2 * 60_000;

/** Between two questions. */
const LONGEST_DELAY_MILLISECONDS = 10_000;

/** How often a waiting create checks whether the outage is over. */
const OTHERS_MILLISECONDS = 500;

/**
 * Whether a service answers at the moment. After a server error nobody knows whether a create has started an execution,
 * and the next creates would end in the same way. So they wait until the service answers a question that changes nothing.
 */
export class Outage {
	/** When it began; -Infinity when there is none. */
	private since = -Infinity;

	/** When the service is asked next. All who wait share the questions. */
	private askAt = 0;

	private asked = 0;

	constructor(private readonly now: Time['now']) {}

	/** Takes note of the reply to a create. Returns whether creates wait from now on. */
	learn(reply: Reply, { cause, mayHaveActed, mayPass } = effectOf(reply)): boolean {
		if (isSignOfLife(reply)) this.since = -Infinity;
		// A stop says nothing about the service.
		const isDown = (mayPass || isPage(reply)) && mayHaveActed && cause !== 'stopped';
		const mayBeDown = isDown && !this.isNoted();
		// A request without a token is sent again by itself, so it waits once.
		const hasNoToken = reply.kind === 'noToken' && reply.endpoint === 'failed';
		const isNews = mayBeDown || (hasNoToken && this.since === -Infinity);
		if (isNews) [this.since, this.askAt, this.asked] = [this.now(), this.now(), 0];
		return isNews;
	}

	/** Resolves when a create may be sent. `ask` sends a question that changes nothing. */
	async over(ask: () => Promise<Reply>, pause: Pause): Promise<void> {
		const askIfDue = async () => {
			if (!this.isNoted() || this.askAt > this.now()) return;
			this.askAt = this.now() + Math.min(1_000 * 2 ** this.asked++, LONGEST_DELAY_MILLISECONDS);
			const reply = await ask();
			if (isSignOfLife(reply)) this.since = -Infinity;
		};
		await retry(askIfDue, () => (this.isNoted() ? OTHERS_MILLISECONDS : undefined), pause);
	}

	/** Not if the clock was set back. */
	private isNoted(): boolean {
		const age = this.now() - this.since;
		return age >= 0 && age < LONGEST_OUTAGE_MILLISECONDS;
	}
}

function isSignOfLife(reply: Reply): boolean {
	return reply.kind === 'answer' && !effectOf(reply).mayPass && !isPage(reply);
}

/** A success without JSON, or with a text alone: it may be a page for maintenance. */
function isPage(reply: Reply): boolean {
	return isSuccess(reply) && typeof reply.body === 'string';
}
