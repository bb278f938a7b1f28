import type { Execution, Json, JsonRecord } from './contract';
import { FIELDS, isRecord, SPELLINGS } from './contract';
import { parseJson } from './json';
import { readExecution, readNotified } from './reading';
import { phaseOf } from './status';

/** What a notification says about one execution. Only the IDs are reliable: the rest may be truncated, or forged. */
export interface ServiceEvent {
	workflowId: string;
	executionId: string;
	/** Undefined where the notification gives no status. */
	phase: Execution['phase'] | undefined;
	body: JsonRecord;
	/** Its data is not read, because the notification has too many values. */
	isTooLarge: boolean;
}

export type ReadEvents = { ok: true; events: ServiceEvent[] } | { ok: false; reason: string };

/** Events in one call. */
export const MAX_EVENTS = 1_000;

/**
 * Values in one call of which the data is read: about a second of work, during which n8n does nothing else. The service
 * sends at most 1 MB inline (published), which has 100,000 at most.
 */
export const MAX_VALUES = 120_000;

/** Levels of nesting. Extracted data has few; far more are an attack. */
const MAX_DEPTH = 100;

const NO_DATA = [FIELDS.execution.metadata, ...SPELLINGS.failure];
const WRAPPERS = new Set([...SPELLINGS.aroundExecution, ...SPELLINGS.around]);

/** Reads a notification: one event (published) or a list of events. Repeated events are dropped. */
export function readEvents(text: string, maxEvents = MAX_EVENTS): ReadEvents {
	if (text.trim() === '') return { ok: false, reason: 'The body is empty' };
	const scanned = scan(text, maxEvents);
	if (!scanned.ok) return scanned;
	const isTooLarge = scanned.values > MAX_VALUES;
	// Reading numbers exactly takes many times as long.
	const body = isTooLarge ? parse(text) : parseJson(text);
	if (body === undefined) return { ok: false, reason: 'The body is not JSON' };
	const list = Array.isArray(body) ? body : [body];
	const events = list
		.map((each) => readEvent(each, isTooLarge))
		.filter((event) => event !== undefined);
	if (events.length < list.length)
		return {
			ok: false,
			reason: `An event must name ${FIELDS.execution.workflowId} and ${SPELLINGS.executionId[0]}`,
		};
	const keyOf = (event: ServiceEvent) =>
		JSON.stringify([event.workflowId, event.executionId, event.phase]);
	return { ok: true, events: [...new Map(events.map((each) => [keyOf(each), each])).values()] };
}

/** The execution as an event describes it, without data where that is too large; undefined without a status. */
export function executionIn(event: ServiceEvent): Execution | undefined {
	if (!event.isTooLarge) return readExecution(event.body, event);
	const execution = readExecution(withoutData(event.body), event);
	const raw = { ...execution?.raw, [FIELDS.execution.steps]: [] };
	return execution && { ...execution, steps: [], stepsField: FIELDS.execution.steps, raw };
}

/** Simple fields, the metadata and the reason of a failure, also of a record that may be the execution. */
function withoutData(body: JsonRecord, isOuter = true): JsonRecord {
	const kept = Object.entries(body).flatMap(([name, value]): Array<[string, Json]> => {
		if (typeof value !== 'object' || NO_DATA.includes(name)) return [[name, value]];
		const mayBeExecution = isOuter && WRAPPERS.has(name) && isRecord(value);
		return mayBeExecution ? [[name, withoutData(value, false)]] : [];
	});
	return Object.fromEntries(kept);
}

function readEvent(body: unknown, isTooLarge: boolean): ServiceEvent | undefined {
	const read = isRecord(body) ? readNotified(body) : undefined;
	if (!isRecord(body) || read === undefined) return undefined;
	const { status, ...ids } = read;
	return { ...ids, phase: status === undefined ? undefined : phaseOf(status), body, isTooLarge };
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text.replace(/^\uFEFF/, ''));
	} catch {
		return undefined;
	}
}

type Scanned = { ok: true; values: number } | { ok: false; reason: string };

/**
 * Counts brackets, list entries and values outside strings. Runs before JSON.parse, which needs many times the
 * memory of the text.
 */
function scan(text: string, maxEvents: number): Scanned {
	const refuse = (reason: string): Scanned => ({ ok: false, reason });
	const isList = /^\s*\[/.test(text);
	let depth = 0;
	let events = 1;
	let values = 1;
	let isText = false;
	for (let index = 0; index < text.length; index++) {
		const character = text[index];
		if (isText) {
			if (character === '\\') index++;
			else if (character === '"') isText = false;
		} else if (character === '"') isText = true;
		else if (character === '[' || character === '{') {
			values++;
			if (++depth > MAX_DEPTH)
				return refuse(`The body is nested more than ${MAX_DEPTH} levels deep`);
		} else if (character === ']' || character === '}') depth--;
		else if (character === ',') {
			values++;
			if (depth === 1 && isList && ++events > maxEvents)
				return refuse(`The call has more than ${maxEvents} events`);
		}
	}
	return { ok: true, values };
}
