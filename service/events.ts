import { FIELDS, SPELLINGS } from './contract';
import { parseJson } from './json';
import { isTooDeep, MAX_DEPTH, readNotified } from './reading';

/** What is read of a notification about one execution. Its data is not: it may be truncated, or forged. */
export type ServiceEvent = NonNullable<ReturnType<typeof readNotified>>;

type ReadEvents = { ok: true; events: ServiceEvent[] } | { ok: false; reason: string };

/** Events in one call. */
export const MAX_EVENTS = 1_000;

/** Reads a notification: one event (published) or a list of events. Repeated events are dropped. */
export function readEvents(text: string, maxEvents = MAX_EVENTS): ReadEvents {
	const refuse = (reason: string): ReadEvents => ({ ok: false, reason });
	if (text.trim() === '') return refuse('The body is empty');
	const body = parseJson(text);
	if (body === undefined) return refuse('The body is not JSON');
	if (isTooDeep(body)) return refuse(`The body is nested more than ${MAX_DEPTH} levels deep`);
	const list = Array.isArray(body) ? body : [body];
	if (list.length > maxEvents) return refuse(`The call has more than ${maxEvents} events`);
	const events = new Map<string, ServiceEvent>();
	for (const each of list) {
		const event = readNotified(each);
		if (event === undefined)
			return refuse(
				`An event must name ${FIELDS.execution.workflowId} and ${SPELLINGS.executionId[0]}`,
			);
		events.set(JSON.stringify(event), event);
	}
	return { ok: true, events: [...events.values()] };
}
