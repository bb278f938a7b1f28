import type { Execution, JsonRecord } from './contract';
import { EXECUTION_ID_NAMES, FIELDS, isRecord, phaseOf } from './contract';
import { firstText, readExecution } from './reading';

/** What a notification says of one execution. Only the identifiers are beyond doubt: the rest may be cut for size, or forged. */
export interface ServiceEvent {
	workflowId: string;
	executionId: string;
	/** As it tells; undefined where it gives no status. */
	phase: Execution['phase'] | undefined;
	body: JsonRecord;
}

export type ReadEvents = { ok: true; events: ServiceEvent[] } | { ok: false; reason: string };

/** More events than this are not taken in one call (assumed). */
const MOST_EVENTS = 1_000;

const LONGEST_ID = 500;

/** Nesting of extracted data is shallow; far deeper JSON is meant to do harm (assumed). */
const DEEPEST = 100;

/** What no identifier has: control characters, which would stand in the log, and half characters, which no address can hold. */
const NO_ID = /[\p{Cc}\p{Cs}]/u;

/** Reads a notification: one event (published), or a list of events (assumed), each once. */
export function readEvents(text: string): ReadEvents {
	if (text.trim() === '') return { ok: false, reason: 'The body is empty' };
	const reason = whyNotToParse(text);
	if (reason !== undefined) return { ok: false, reason };
	const body = parse(text);
	if (body === undefined) return { ok: false, reason: 'The body is not JSON' };
	const list = Array.isArray(body) ? body : [body];
	const events = list.map(readEvent).filter((event) => event !== undefined);
	if (events.length < list.length)
		return {
			ok: false,
			reason: `An event must name ${FIELDS.execution.workflowId} and ${EXECUTION_ID_NAMES[0]}`,
		};
	const byKey = new Map(
		events.map((event) => [
			JSON.stringify([event.workflowId, event.executionId, event.phase]),
			event,
		]),
	);
	return { ok: true, events: [...byKey.values()] };
}

/** What an event tells of its execution (published: when it has completed or failed); undefined where it gives no status. */
export function executionIn({
	workflowId,
	executionId,
	body,
}: ServiceEvent): Execution | undefined {
	return readExecution(body, { workflowId, executionId });
}

function readEvent(body: unknown): ServiceEvent | undefined {
	if (!isRecord(body)) return undefined;
	const workflowId = idIn(body, [FIELDS.execution.workflowId]);
	const executionId = idIn(body, EXECUTION_ID_NAMES);
	if (workflowId === undefined || executionId === undefined) return undefined;
	const status = firstText(body, [FIELDS.execution.status]);
	return {
		workflowId,
		executionId,
		phase: status === undefined ? undefined : phaseOf(status),
		body,
	};
}

function idIn(body: JsonRecord, names: readonly string[]): string | undefined {
	const id = firstText(body, names);
	return id === undefined || id.length > LONGEST_ID || id === '.' || id === '..' || NO_ID.test(id)
		? undefined
		: id;
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text.replace(/^\uFEFF/, ''));
	} catch {
		return undefined;
	}
}

/** Counts brackets outside of texts, and the entries of a list, before anything is parsed: that takes many times the memory of the text. */
function whyNotToParse(text: string): string | undefined {
	const isList = /^\s*\[/.test(text);
	let depth = 0;
	let events = 1;
	let isText = false;
	for (let index = 0; index < text.length; index++) {
		const character = text[index];
		if (isText) {
			if (character === '\\') index++;
			else if (character === '"') isText = false;
		} else if (character === '"') isText = true;
		else if (character === '[' || character === '{') {
			if (++depth > DEEPEST) return `The body is nested more than ${DEEPEST} levels deep`;
		} else if (character === ']' || character === '}') depth--;
		else if (character === ',' && depth === 1 && isList && ++events > MOST_EVENTS)
			return `More than ${MOST_EVENTS} events in one call`;
	}
	return undefined;
}
