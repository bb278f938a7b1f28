import type { Reply, ServiceRequest } from './http';
import type { Lane, Pace } from './pace';
import { isRefused } from './retry';

/** What every request of a run, or of a call of a webhook, passes on its way. */
export interface Way {
	pace: Pace;
	/** How many creates (POST) and how many checks (GET) may be under way. */
	lanes: Record<ServiceRequest['method'], Lane>;
	/** Throws when nothing more is to be sent: n8n was stopped, or the run is over. */
	goOnOrThrow: () => void;
	/** One request over n8n's HTTP layer, sent again with a new token where the service rejects the old one. */
	transmit: (request: ServiceRequest) => Promise<Reply>;
	/** Resolves when the caller has dealt with a reply. */
	afterReply: () => Promise<void>;
}

/** Where a create is recorded, so that no later try sends it again by mistake. */
export interface Page {
	left: () => void;
	refused: () => void;
}

/** The one function through which every request to the service leaves. */
export async function sendOn(way: Way, request: ServiceRequest, page?: Page): Promise<Reply> {
	const lane = way.lanes[request.method];
	await lane.enter();
	let reply: Reply | undefined;
	try {
		const turn = await way.pace.turn(request);
		if ('instead' in turn) return turn.instead;
		way.goOnOrThrow();
		page?.left();
		reply = await way.transmit(turn.request);
		if (isRefused(reply)) page?.refused();
		way.pace.learn(reply, lane, turn.cuts);
		return reply;
	} finally {
		// After a refusal the next request may no longer be wanted: the caller comes first.
		if (reply === undefined) lane.leave();
		else void way.afterReply().then(() => lane.leave());
	}
}
