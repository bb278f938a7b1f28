import type { Execution } from './contract';
import { FIELDS, SPELLINGS } from './contract';
import { parseJson } from './json';
import { isTooDeep, MAX_DEPTH, readNotified } from './reading';
import { phaseOf } from './status';

/** What is read of a notification about an execution. Its data is not: it may be truncated, or forged. */
export interface ServiceEvent {
	workflowId: string;
	executionId: string;
	/** Undefined where the notification gives no status. */
	phase: Execution['phase'] | undefined;
}

export type ReadEvent = { ok: true; event: ServiceEvent } | { ok: false; reason: string };

/** Reads a notification, which reports one event (published). */
export function readEvent(text: string): ReadEvent {
	const refuse = (reason: string): ReadEvent => ({ ok: false, reason });
	if (text.trim() === '') return refuse('The body is empty');
	const body = parseJson(text);
	if (body === undefined) return refuse('The body is not JSON');
	if (isTooDeep(body)) return refuse(`The body is nested more than ${MAX_DEPTH} levels deep`);
	const read = readNotified(body);
	if (read === undefined)
		return refuse(
			`An event must name ${FIELDS.execution.workflowId} and ${SPELLINGS.executionId[0]}`,
		);
	const { workflowId, executionId, status } = read;
	const phase = status === undefined ? undefined : phaseOf(status);
	return { ok: true, event: { workflowId, executionId, phase } };
}
