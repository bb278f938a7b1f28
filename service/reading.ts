import type { Execution, JsonRecord, Phase, StartedExecution } from './contract';
import {
	EXTERNAL_ID,
	FIELDS,
	firstText,
	isRecord,
	recordsUnder,
	SPELLINGS,
	valuesUnder,
} from './contract';
import { readIdentifier } from './identifier';
import { parseJson } from './json';
import { readFailureReason, readFaults } from './reason';
import { PHASES, readMeaning } from './status';
import { isEmpty, stepsIn } from './steps';
import { plainText } from './text';

/** Extracted data has few levels of nesting. n8n cannot store far more. */
const MAX_DEPTH = 100;

const METADATA = [FIELDS.execution.metadata];
const STEPS = [FIELDS.execution.steps];

/** In characters. Every output item repeats it. */
const MAX_STATUS_LENGTH = 100;

/** Reads the answer to a create; undefined without an identifier. */
export function readStarted(body: unknown, workflowId: string): StartedExecution | undefined {
	const { executions, all } = placesIn(body);
	const found =
		idIn(all, SPELLINGS.executionId) ?? idIn([...executions, ...all], SPELLINGS.startedId);
	if (found === undefined) return undefined;
	return { workflowId, executionId: found.id, status: statusOf(found.place) ?? 'running' };
}

/** Reads the answer to a get; undefined when it is no object, has no status, or is nested too deep. */
export function readExecution(
	body: unknown,
	asked: { workflowId: string; executionId: string },
	secrets: readonly string[] = [],
): Execution | undefined {
	const { outer, executions, all } = placesIn(body);
	const execution = executionAmong(all);
	if (execution === undefined || isTooDeep(body)) return undefined;
	const status = statusOf(execution) ?? '';
	// Other records around data may have fields of these names that belong to the data.
	const places = [...new Set([execution, outer, ...executions])];
	const [metadata = {}] = places.flatMap((place) => recordsUnder(place, METADATA));
	const allSteps = [...new Set([execution, ...all])].map((place) => valuesUnder(place, STEPS)[0]);
	const steps = stepsIn(
		allSteps.find((each) => !isEmpty(each)),
		secrets,
	);
	const holdsData = steps.some(({ rows, isAtUrl }) => rows.length > 0 || isAtUrl);
	const meaning = readMeaning(status, holdsData);
	const phase = PHASES[meaning];
	const faulty = phase === 'completed' ? places : [];
	return {
		workflowId: idIn(places, SPELLINGS.workflowId)?.id ?? asked.workflowId,
		executionId: idIn(places, SPELLINGS.executionId)?.id ?? asked.executionId,
		status,
		phase,
		meaning,
		metadata,
		externalId: externalIdIn(metadata),
		steps,
		failureReason: phase === 'failed' ? readFailureReason(execution, secrets) : undefined,
		faults: [...new Set(faulty.flatMap((place) => readFaults(place, secrets)))],
		raw: outer,
	};
}

const MAX_EXTERNAL_ID_LENGTH = 500;

function externalIdIn(metadata: JsonRecord): Execution['externalId'] {
	const [id] = valuesUnder(metadata, [EXTERNAL_ID]);
	if (typeof id === 'number') return id;
	const isText = typeof id === 'string' && id !== '' && id.length <= MAX_EXTERNAL_ID_LENGTH;
	return isText ? id : undefined;
}

/** What is read of a notification about an execution. Its data is not: it may be truncated, or forged. */
export interface ServiceEvent {
	workflowId: string;
	executionId: string;
	/** Undefined where it gives no status. */
	phase: Phase | undefined;
}

type ReadEvent = { ok: true; event: ServiceEvent } | { ok: false; reason: string };

/** Reads a notification, which reports one event (published), from the same places as an answer. */
export function readEvent(text: string): ReadEvent {
	const refuse = (reason: string): ReadEvent => ({ ok: false, reason });
	if (text.trim() === '') return refuse('The body is empty');
	const body = parseJson(text);
	if (body === undefined) return refuse('The body is not JSON');
	if (isTooDeep(body)) return refuse(`The body is nested more than ${MAX_DEPTH} levels deep`);
	const { all } = placesIn(body);
	const workflowId = idIn(all, SPELLINGS.workflowId)?.id;
	const executionId = idIn(all, SPELLINGS.executionId)?.id;
	if (workflowId === undefined || executionId === undefined)
		return refuse(
			`An event must name ${FIELDS.execution.workflowId} and ${SPELLINGS.executionId[0]}`,
		);
	const execution = executionAmong(all);
	const status = execution && statusOf(execution);
	const phase = status === undefined ? undefined : PHASES[readMeaning(status, false)];
	return { ok: true, event: { workflowId, executionId, phase } };
}

/** Whether a value is nested deeper than an answer may be. */
export function isTooDeep(value: unknown, levels = MAX_DEPTH): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (levels === 0) return true;
	return Object.values(value).some((each) => isTooDeep(each, levels - 1));
}

/** The records of an answer that may be the execution: the body, also as the only entry of a list, and those in it. */
function placesIn(body: unknown) {
	const given: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
	const outer: JsonRecord = isRecord(given) ? given : {};
	// These can be nothing but the execution.
	const executions = recordsUnder(outer, SPELLINGS.aroundExecution);
	return {
		outer,
		executions,
		all: [outer, ...executions, ...recordsUnder(outer, SPELLINGS.around)],
	};
}

/** A record around it may have a status of its own, such as `success`, so an ID or steps beside the status count more. */
function executionAmong(places: JsonRecord[]): JsonRecord | undefined {
	const withStatus = places.filter((place) => firstText(place, SPELLINGS.status) !== undefined);
	const isExecution = (place: JsonRecord) =>
		idIn([place], SPELLINGS.executionId) !== undefined || valuesUnder(place, STEPS).length > 0;
	return withStatus.find(isExecution) ?? withStatus[0];
}

function statusOf(place: JsonRecord): string | undefined {
	const status = firstText(place, SPELLINGS.status);
	return status === undefined ? undefined : plainText(status, [], MAX_STATUS_LENGTH);
}

/** The first identifier under one of some names, and the record that has it. */
function idIn(places: JsonRecord[], names: readonly string[]) {
	for (const place of places) {
		const ids = valuesUnder(place, names).map(readIdentifier);
		const id = ids.find((each) => each !== undefined);
		if (id !== undefined) return { id, place };
	}
	return undefined;
}
