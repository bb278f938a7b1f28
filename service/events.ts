import { FIELDS, SPELLINGS } from './contract';
import { parseJson } from './json';
import { isTooDeep, MAX_DEPTH, readNotified } from './reading';

/** What is read of a notification about an execution. Its data is not: it may be truncated, or forged. */
export type ServiceEvent = NonNullable<ReturnType<typeof readNotified>>;

type ReadEvent = { ok: true; event: ServiceEvent } | { ok: false; reason: string };

/** Reads a notification, which reports one event (published). */
export function readEvent(text: string): ReadEvent {
	const refuse = (reason: string): ReadEvent => ({ ok: false, reason });
	if (text.trim() === '') return refuse('The body is empty');
	const body = parseJson(text);
	if (body === undefined) return refuse('The body is not JSON');
	if (isTooDeep(body)) return refuse(`The body is nested more than ${MAX_DEPTH} levels deep`);
	const event = readNotified(body);
	if (event === undefined)
		return refuse(
			`An event must name ${FIELDS.execution.workflowId} and ${SPELLINGS.executionId[0]}`,
		);
	return { ok: true, event };
}
