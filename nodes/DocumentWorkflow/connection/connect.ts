import { NodeOperationError } from 'n8n-workflow';

import type { CreateSettings } from '../../../credentials/settings';
import { readCreateSettings, readSettings, secretsIn } from '../../../credentials/settings';
import { isLoopback } from '../../../service/baseAddress';
import type { Pause, Reply, ServiceRequest } from '../../../service/http';
import { Outage } from '../../../service/outage';
import { Queue, RateLimit } from '../../../service/rateLimit';
import type { CreateRecord } from '../../../service/send';
import { pauseWith, sendWith } from '../../../service/send';
import { fingerprintOf } from '../../../service/token';
import { CREDENTIAL_NAME, sendWithRenewal } from './request';
import type { ServiceContext } from './time';
import { time } from './time';

/** Checks of executions, downloads, or events of one call that run in parallel. */
export const MAX_PARALLEL_CHECKS = 8;

const OUTAGE =
	'The document service does not answer as it should. Documents that have not left wait until it does, for up to 2 minutes';

/** By fingerprint of the settings, for all runs of this process. */
export const outages = new Map<string, Outage>();

/** How the creates of a run are limited. */
export interface CreateLimits {
	maxInParallel: number;
}

/** The connection of an n8n execution, or of a webhook call, to the service. */
export interface Connection {
	createSettings: CreateSettings;
	/** Sends a request. `record`: where a create is recorded. */
	send: (request: ServiceRequest, record?: CreateRecord) => Promise<Reply>;
	pause: Pause;
	/** Limits parallel downloads of data that the service provides at addresses. */
	fetching: Queue;
	/** Whether the service is on this machine. */
	isLocal: boolean;
}

/**
 * `stopReason` returns why the run is over, if it is. Sending and pausing then reject with it.
 * @throws NodeOperationError when the credential cannot be used as it is
 */
export async function connect(
	context: ServiceContext,
	limits: CreateLimits,
	stopReason: () => string | undefined,
): Promise<Connection> {
	const credentials = await context.getCredentials(CREDENTIAL_NAME);
	const read = readSettings(credentials);
	if (!read.ok)
		throw new NodeOperationError(context.getNode(), read.refusal.message, {
			description: read.refusal.advice,
		});
	const { baseUrl, clientSecret } = read.settings;
	const createSettings = readCreateSettings(credentials);
	const continueOrThrow = () => {
		const reason = stopReason();
		if (reason !== undefined) throw new NodeOperationError(context.getNode(), reason);
	};
	const pause = pauseWith(time, continueOrThrow);
	const secrets = [clientSecret, ...secretsIn(createSettings.fileAccess)];
	const fingerprint = fingerprintOf(read.settings);
	const outage = outages.get(fingerprint) ?? new Outage(() => time.now());
	outages.set(fingerprint, outage);
	const rateLimit = new RateLimit(pause, time.now);
	const send = sendWith({
		rateLimit,
		queues: {
			create: rateLimit.queue(limits.maxInParallel),
			check: rateLimit.queue(MAX_PARALLEL_CHECKS),
			other: rateLimit.queue(MAX_PARALLEL_CHECKS),
		},
		outage,
		pause,
		onOutage: () => context.logger.info(OUTAGE),
		continueOrThrow,
		transmit: async (request) => {
			const reply = await sendWithRenewal(context, baseUrl, request);
			return reply.kind === 'answer'
				? { ...reply, secrets: [...(reply.secrets ?? []), ...secrets] }
				: reply;
		},
		afterReply: async () => time.sleep(0),
	});
	return {
		createSettings,
		send,
		pause,
		fetching: new Queue(MAX_PARALLEL_CHECKS),
		isLocal: isLoopback(new URL(baseUrl).hostname),
	};
}
