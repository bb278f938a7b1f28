import type { Execution, Json, JsonRecord } from './contract';
import { FIELDS, isRecord, SPELLINGS } from './contract';
import { parseJson } from './json';
import { readExecution, readNotified } from './reading';
import { phaseOf } from './status';

/**
 * What a notification says about one execution. Only the identifiers are reliable: the rest may be truncated for size,
 * or forged.
 */
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

const WRAPPERS = new Set<string>([...SPELLINGS.aroundExecution, ...SPELLINGS.around]);
const NAMES_OF_DATA = new Set<string>(SPELLINGS.stepsElsewhere);

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
	const byKey = new Map(
		events.map((event) => [
			JSON.stringify([event.workflowId, event.executionId, event.phase]),
			event,
		]),
	);
	return { ok: true, events: [...byKey.values()] };
}

/**
 * The execution as an event describes it (published: once it has completed or failed), without data where that is too
 * large; undefined without a status.
 */
export function executionIn({
	workflowId,
	executionId,
	body,
	isTooLarge,
}: ServiceEvent): Execution | undefined {
	const asked = { workflowId, executionId };
	if (!isTooLarge) return readExecution(body, asked);
	const execution = readExecution(withoutData(body), asked);
	const raw = { ...execution?.raw, [FIELDS.execution.steps]: [] };
	return execution && { ...execution, steps: [], stepsField: FIELDS.execution.steps, raw };
}

/** Of a record that may be around the execution, only its simple fields and the metadata are certainly no data. */
function withoutData(body: JsonRecord): JsonRecord {
	const kept = Object.entries(body).flatMap(([name, value]): Array<[string, Json]> => {
		if (name === FIELDS.execution.steps) return [[name, []]];
		if (!WRAPPERS.has(name) || !isRecord(value))
			return NAMES_OF_DATA.has(name) ? [] : [[name, value]];
		const inner = Object.entries(value).filter(
			([field, each]) => typeof each !== 'object' || field === FIELDS.execution.metadata,
		);
		return [[name, Object.fromEntries(inner)]];
	});
	return Object.fromEntries(kept);
}

function readEvent(body: unknown, isTooLarge: boolean): ServiceEvent | undefined {
	if (!isRecord(body)) return undefined;
	const read = readNotified(body);
	if (read === undefined) return undefined;
	const { workflowId, executionId, status } = read;
	return {
		workflowId,
		executionId,
		phase: status === undefined ? undefined : phaseOf(status),
		body,
		isTooLarge,
	};
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
