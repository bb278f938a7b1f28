import type { Execution } from '../../../service/contract';
import { isRecord } from '../../../service/contract';
import type { ServiceEvent } from '../../../service/events';
import type { Refusal } from '../../../service/executions';
import { getExecution } from '../../../service/executions';
import type { Reply } from '../../../service/http';
import { isPassing, pauseForAll } from '../../../service/retry';
import { time } from '../connection/time';
import type { Connection } from '../connection/connect';

/** How long a check may wait in its queue. */
const MAX_QUEUED_MILLISECONDS = 60_000;

/** How long one event is retried while the service is too busy. After that the caller may give up. */
const MAX_RETRYING_MILLISECONDS = 20_000;

/** The pause before a retry when the service asks for none. */
const MIN_PAUSE_MILLISECONDS = 250;

/** How long a call retries executions that the API does not know: it may know them a moment after the notification. */
const UNKNOWN_MILLISECONDS = 8_000;
const FIRST_UNKNOWN_PAUSE_MILLISECONDS = 1_000;

/** What the checks of one call have in common. */
export interface Checks {
	/** Set when the service was too busy for longer than one call may wait. */
	isTooBusy: boolean;
	/** Until when unknown executions are retried, in milliseconds since 1970. */
	unknownUntil: number | undefined;
}

export type Checked =
	| { ok: true; execution: Execution }
	/** No refusal: the service was too busy to be asked. `lasting`: calling again does not help. */
	| { ok: false; refusal: Refusal | undefined; lasting: boolean; status: number };

/**
 * Reads the execution from the service, because only the identifiers of a notification are trusted. When the service is too busy, all
 * events of a call wait as long as it asks; if that is too long, no further event is read.
 */
export async function check(
	checks: Checks,
	{ send, pause }: Pick<Connection, 'send' | 'pause'>,
	{ workflowId, executionId }: ServiceEvent,
): Promise<Checked> {
	let askUntil: number | undefined;
	let unknownPause = FIRST_UNKNOWN_PAUSE_MILLISECONDS;
	while (!checks.isTooBusy) {
		const notAfter = askUntil ?? time.now() + MAX_QUEUED_MILLISECONDS;
		const found = await getExecution(send, workflowId, executionId, { notAfter: () => notAfter });
		if (found.ok) return found;
		const { refusal } = found;
		const busyMilliseconds = pauseForAll(refusal.reply, time.now());
		if (busyMilliseconds !== undefined) {
			askUntil ??= time.now() + MAX_RETRYING_MILLISECONDS;
			if (time.now() + busyMilliseconds < askUntil) {
				await pause(MIN_PAUSE_MILLISECONDS);
				continue;
			}
			checks.isTooBusy = true;
		}
		const status = statusOf(refusal.reply);
		if (status === 404) {
			checks.unknownUntil ??= time.now() + UNKNOWN_MILLISECONDS;
			if (time.now() + unknownPause < checks.unknownUntil) {
				await pause(unknownPause);
				unknownPause *= 2;
				continue;
			}
		}
		return { ok: false, refusal, lasting: isLasting(refusal.reply), status };
	}
	return { ok: false, refusal: undefined, lasting: false, status: 0 };
}

function statusOf(reply: Reply): number {
	return reply.kind === 'answer' ? reply.status : 0;
}

/** Whether calling again cannot help. False for what can be corrected here, such as a credential, and for the page of a gateway. */
function isLasting(reply: Reply): boolean {
	if (reply.kind !== 'answer' || !isRecord(reply.body)) return false;
	return reply.status >= 400 && ![401, 403].includes(reply.status) && !isPassing(reply);
}
