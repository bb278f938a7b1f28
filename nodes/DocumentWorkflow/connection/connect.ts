import { NodeOperationError } from 'n8n-workflow';

import type { FileAccess } from '../../../credentials/settings';
import { readFileAccess, readLink, readSettings, secretsIn } from '../../../credentials/settings';
import type { ExecutionIds } from '../../../service/contract';
import { withLink } from '../../../service/executions';
import type { Pause, Send } from '../../../service/http';
import { Outage } from '../../../service/outage';
import { RateLimit } from '../../../service/rateLimit';
import { sendWith } from '../../../service/send';
import { fingerprintOf } from '../../../service/token';
import { MAX_SLEEP_MILLISECONDS, RunEnd, type ServiceContext, time } from './time';
import { CREDENTIAL_NAME, transmitter } from './transmit';

/** Checks of executions, or events of one call, that run in parallel. */
export const MAX_PARALLEL_CHECKS = 8;

const OUTAGE =
	'The document service does not answer correctly. Documents that were not sent yet wait until it does, for up to 2 minutes';

/** By fingerprint of the settings, for all runs of this process. */
export const outages = new Map<string, Outage>();

/** The connection of an n8n execution, or of a webhook call, to the service. */
export interface Connection {
	fileAccess: FileAccess;
	send: Send;
	pause: Pause;
	linkTo: <T extends ExecutionIds>(ids: T) => T;
}

/**
 * Sending and pausing reject once the run is over.
 * @throws NodeOperationError when the credential cannot be used as it is
 */
export async function connect(
	context: ServiceContext,
	limits: { maxInParallel: number } = { maxInParallel: 1 },
	end = new RunEnd(context),
): Promise<Connection> {
	const credentials = await context.getCredentials(CREDENTIAL_NAME);
	const read = readSettings(credentials);
	if (!read.ok)
		throw new NodeOperationError(context.getNode(), read.message, { description: read.advice });
	const { baseUrl, clientSecret } = read.settings;
	const fileAccess = readFileAccess(credentials);
	const secrets = [clientSecret, ...secretsIn(fileAccess.fields)];
	const link = readLink(credentials);
	const fingerprint = fingerprintOf(read.settings);
	const outage = outages.get(fingerprint) ?? new Outage(() => time.now());
	outages.set(fingerprint, outage);
	const pause = pauseOf(end);
	const rateLimit = new RateLimit(pause, time.now);
	const send = sendWith({
		rateLimit,
		queues: {
			create: rateLimit.queue(limits.maxInParallel),
			check: rateLimit.queue(MAX_PARALLEL_CHECKS),
		},
		outage,
		pause,
		onOutage: () => context.logger.info(OUTAGE),
		continueOrThrow: end.continueOrThrow,
		transmit: transmitter({ context, stopped: end.stopped, baseUrl, secrets }),
		sleep: time.sleep,
	});
	return { fileAccess, send, pause, linkTo: (ids) => withLink(link.ok ? link.pattern : '', ids) };
}

/** Sleeps for a short time again and again, and rejects when the run is over. */
export function pauseOf({ continueOrThrow }: RunEnd): Pause {
	return async (milliseconds) => {
		let left = milliseconds;
		let last = time.now();
		for (;;) {
			continueOrThrow();
			if (left <= 0) return;
			const slept = Math.min(left, MAX_SLEEP_MILLISECONDS);
			await time.sleep(slept);
			const passed = time.now() - last;
			last += passed;
			// A clock that was set back does not say how much time has passed.
			left -= passed < 0 ? slept : passed;
		}
	};
}
