import type { Pause, Reply, ServiceRequest, Time } from './http';
import type { Lane, Pace } from './pace';
import { isRefused } from './retry';

/** How soon a stop is noticed. One timer per wait is cheap: 1,000 waits take 9 ms of CPU a second. */
export const MAX_SLEEP_MILLISECONDS = 500;

/** Builds a pause from short sleeps. `continueOrThrow` is called before and after each of them, and may throw to end the pause. */
export function pauseWith({ now, sleep }: Time, continueOrThrow: () => void): Pause {
	return async (milliseconds) => {
		let left = milliseconds;
		let last = now();
		for (;;) {
			continueOrThrow();
			if (left <= 0) return;
			const slept = Math.min(left, MAX_SLEEP_MILLISECONDS);
			await sleep(slept);
			const passed = now() - last;
			last += passed;
			// A clock that was set back does not say how much time has passed.
			left -= passed < 0 ? slept : passed;
		}
	};
}

/** How the requests of a run, or of a webhook call, are sent. */
export interface Channel {
	pace: Pace;
	/** Separate limits for creates (POST) and checks (GET). */
	lanes: Record<ServiceRequest['method'], Lane>;
	/** Throws when the run is over or was stopped. */
	continueOrThrow: () => void;
	/** Sends one request, and sends it again with a new token after a 401. */
	transmit: (request: ServiceRequest) => Promise<Reply>;
	/** Resolves when the caller has processed a reply. */
	afterReply: () => Promise<void>;
}

/** Where a create is recorded, so that a later try does not send it again. */
export interface Page {
	sent: () => void;
	refused: () => void;
}

/** Sends a request in its turn. Every request to the service goes through here. */
export async function sendThrough(
	channel: Channel,
	request: ServiceRequest,
	page?: Page,
): Promise<Reply> {
	const lane = channel.lanes[request.method];
	await lane.enter();
	let reply: Reply | undefined;
	try {
		const turn = await channel.pace.turn(request);
		if ('instead' in turn) return turn.instead;
		channel.continueOrThrow();
		page?.sent();
		reply = await channel.transmit(turn.request);
		if (isRefused(reply)) page?.refused();
		channel.pace.learn(reply, lane, turn.cuts);
		return reply;
	} finally {
		// The caller may cancel the next request after a refusal, so it has to see the reply first.
		if (reply === undefined) lane.leave();
		else void channel.afterReply().then(() => lane.leave());
	}
}
