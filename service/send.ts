import type { Pause, Reply, RequestKind, ServiceRequest, Time } from './http';
import type { Outage } from './outage';
import type { Queue, RateLimit } from './rateLimit';
import { effectOf } from './retry';

/** How long a service may take that is asked whether it answers. */
const QUESTION_MILLISECONDS = 10_000;

/** An execution that does not exist. Asking about it changes nothing. */
const NO_EXECUTION = '00000000-0000-0000-0000-000000000000';

interface SendParts {
	rateLimit: RateLimit;
	queues: Record<RequestKind, Queue>;
	outage: Outage;
	pause: Pause;
	/** Called when creates begin to wait until the service answers. */
	onOutage: () => void;
	/** Throws when the run is over or was stopped. */
	continueOrThrow: () => void;
	/** Sends one request, and sends it again with a new token after a 401. */
	transmit: (request: ServiceRequest) => Promise<Reply>;
	sleep: Time['sleep'];
}

/** Sends each request in its queue, as the rate limit allows. Every request to the service goes through here. */
export function sendWith(sending: SendParts) {
	const { rateLimit, queues, outage, pause, continueOrThrow, transmit } = sending;
	return async (request: ServiceRequest): Promise<Reply> => {
		const queue = queues[request.kind];
		await queue.enter();
		let reply: Reply | undefined;
		try {
			const isCreate = request.kind === 'create';
			const path = `${request.path}/${NO_EXECUTION}`;
			const question = { kind: 'check', path, timeoutMilliseconds: QUESTION_MILLISECONDS } as const;
			if (isCreate) await outage.over(async () => transmit(question), pause);
			const slot = await rateLimit.slot(request);
			if ('instead' in slot) return slot.instead;
			continueOrThrow();
			request.record?.sent();
			reply = await transmit(slot.request);
			const effect = effectOf(reply);
			if (!effect.mayHaveActed) request.record?.refused();
			if (isCreate && outage.learn(reply, effect)) sending.onOutage();
			rateLimit.learn(reply, queue);
			return reply;
		} finally {
			// After a refusal the caller may cancel the other requests, so the next one waits until it has the reply.
			if (reply === undefined) queue.leave();
			else void sending.sleep(0).then(() => queue.leave());
		}
	};
}
