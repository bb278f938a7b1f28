import { NodeOperationError } from 'n8n-workflow';

import type { CreateSettings } from '../../credentials/createSettings';
import { readCreateSettings } from '../../credentials/createSettings';
import { readSettings } from '../../credentials/settings';
import type { NoToken, Pause, Reply, ServiceRequest } from '../../service/http';
import { Lane, Pace } from '../../service/pace';
import { pauseWith } from '../../service/pause';
import type { Page, Way } from '../../service/send';
import { sendOn } from '../../service/send';
import type { Sealer } from './pausing/reference';
import { CREDENTIAL_NAME, sendWithRenewal } from './request';
import type { ServiceContext } from './stop';
import { time } from './time';

/** How many checks of executions are under way at the same time. */
const MOST_CHECKS = 8;

/** The service as this n8n execution, or this call of a webhook, reaches it. */
export interface Connection {
	createSettings: CreateSettings;
	/** Seals the references by which a paused n8n execution is found. */
	sealer: Sealer;
	/** Sends a request; a create is recorded on its page. */
	send: (request: ServiceRequest, page?: Page) => Promise<Reply>;
	pause: Pause;
	/** For data that the service keeps at addresses. */
	fetching: Lane;
}

/**
 * `whyNotToGoOn` gives a reason when nothing more is to be sent or waited for; then sending and pausing reject with it.
 * @throws NodeOperationError when the credential cannot be used as it is
 */
export async function connect(
	context: ServiceContext,
	mostCreates: number,
	whyNotToGoOn: () => string | undefined,
): Promise<Connection> {
	const credentials = await context.getCredentials(CREDENTIAL_NAME);
	const { baseUrl, clientId, clientSecret } = usable(context, readSettings(credentials));
	const createSettings = usable(context, readCreateSettings(credentials));
	const goOnOrThrow = () => {
		const reason = whyNotToGoOn();
		if (reason !== undefined) throw new NodeOperationError(context.getNode(), reason);
	};
	const pause = pauseWith(time, goOnOrThrow);
	const pace = new Pace(pause, time.now);
	const way: Way = {
		pace,
		lanes: { POST: pace.lane(mostCreates), GET: pace.lane(MOST_CHECKS) },
		goOnOrThrow,
		transmit: async (request) => sendWithRenewal(context, baseUrl, request),
		afterReply: async () => time.sleep(0),
	};
	return {
		createSettings,
		sealer: { clientId, clientSecret },
		send: async (request, page) => sendOn(way, request, page),
		pause,
		fetching: new Lane(MOST_CHECKS),
	};
}

function usable<T>(
	context: ServiceContext,
	read: { ok: true; settings: T } | { ok: false; refusal: NoToken },
): T {
	if (read.ok) return read.settings;
	throw new NodeOperationError(context.getNode(), read.refusal.message, {
		description: read.refusal.advice,
	});
}
