import type { Execution, JsonRecord } from './contract';
import { FIELDS, isRecord, SPELLINGS } from './contract';
import { parseJson } from './json';
import { isTooDeep, MAX_DEPTH, readExecution, readNotified } from './reading';
import { phaseOf } from './status';

/** What a notification says about one execution. Only the IDs are reliable: the rest may be truncated, or forged. */
export interface ServiceEvent {
	workflowId: string;
	executionId: string;
	/** Undefined where the notification gives no status. */
	phase: Execution['phase'] | undefined;
	body: JsonRecord;
	/** The call has more text than the service sends, so its data is not read. */
	isTooLarge: boolean;
}

export type ReadEvents = { ok: true; events: ServiceEvent[] } | { ok: false; reason: string };

/** Events in one call. */
export const MAX_EVENTS = 1_000;

/** Characters of a call of which the data is read. The service sends at most 1 MB inline (published). */
export const MAX_CHARACTERS = 2_000_000;

/** Reads a notification: one event (published) or a list of events. Repeated events are dropped. */
export function readEvents(text: string, maxEvents = MAX_EVENTS): ReadEvents {
	const refuse = (reason: string): ReadEvents => ({ ok: false, reason });
	if (text.trim() === '') return refuse('The body is empty');
	const body = parseJson(text);
	if (body === undefined) return refuse('The body is not JSON');
	if (isTooDeep(body)) return refuse(`The body is nested more than ${MAX_DEPTH} levels deep`);
	const list = Array.isArray(body) ? body : [body];
	if (list.length > maxEvents) return refuse(`The call has more than ${maxEvents} events`);
	const isTooLarge = text.length > MAX_CHARACTERS;
	const events = new Map<string, ServiceEvent>();
	for (const each of list) {
		const read = isRecord(each) ? readNotified(each) : undefined;
		if (!isRecord(each) || read === undefined)
			return refuse(
				`An event must name ${FIELDS.execution.workflowId} and ${SPELLINGS.executionId[0]}`,
			);
		const { workflowId, executionId, status } = read;
		const phase = status === undefined ? undefined : phaseOf(status);
		const event = { workflowId, executionId, phase, body: each, isTooLarge };
		events.set(JSON.stringify([workflowId, executionId, phase]), event);
	}
	return { ok: true, events: [...events.values()] };
}

/** The execution as an event describes it, without data where that is too large; undefined without a status. */
export function executionIn(event: ServiceEvent): Execution | undefined {
	const execution = readExecution(event.body, event);
	if (execution === undefined || !event.isTooLarge) return execution;
	const { steps } = FIELDS.execution;
	return { ...execution, steps: [], stepsField: steps, raw: { ...execution.raw, [steps]: [] } };
}
