import type { Execution, JsonRecord, StartedExecution } from './contract';
import { FIELDS, firstText, isRecord, own, SPELLINGS } from './contract';
import { readIdentifier } from './identifier';
import { readFailureReason, readFaults } from './reason';
import { phaseOf } from './status';
import { isEmpty, stepsIn } from './steps';
import { plainText } from './text';

/** Extracted data has few levels of nesting. n8n cannot store far more. */
export const MAX_DEPTH = 100;

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
	const places = [execution, outer, ...executions];
	const metadata = places.map((place) => own(place, FIELDS.execution.metadata)).find(isRecord);
	const allSteps = [execution, ...all].map((place) => own(place, FIELDS.execution.steps));
	const steps = stepsIn(
		allSteps.find((each) => !isEmpty(each)),
		secrets,
	);
	const holdsData = steps.some(({ rows, isAtUrl }) => rows.length > 0 || isAtUrl);
	const phase = phaseOf(status, holdsData);
	return {
		workflowId: idIn(places, SPELLINGS.workflowId)?.id ?? asked.workflowId,
		executionId: idIn(places, SPELLINGS.executionId)?.id ?? asked.executionId,
		status,
		phase,
		metadata: metadata ?? {},
		steps,
		failureReason: phase === 'failed' ? readFailureReason(execution, secrets) : '',
		faults: phase === 'completed' ? faultsIn([execution, outer, ...executions], secrets) : [],
		raw: outer,
	};
}

function faultsIn(places: JsonRecord[], secrets: readonly string[]): string[] {
	return [...new Set(places.flatMap((place) => readFaults(place, secrets)))];
}

/** What a notification is about, from the same places as in an answer; undefined without both IDs. */
export function readNotified(body: unknown) {
	const { all } = placesIn(body);
	const workflowId = idIn(all, SPELLINGS.workflowId)?.id;
	const executionId = idIn(all, SPELLINGS.executionId)?.id;
	if (workflowId === undefined || executionId === undefined) return undefined;
	const execution = executionAmong(all);
	const status = execution && statusOf(execution);
	/** Undefined where it gives no status. */
	const phase = status === undefined ? undefined : phaseOf(status);
	return { workflowId, executionId, phase };
}

/** Whether a value is nested deeper than an answer may be. */
export function isTooDeep(value: unknown, levels = MAX_DEPTH): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (levels === 0) return true;
	if (Array.isArray(value)) return value.some((each) => isTooDeep(each, levels - 1));
	for (const name in value) {
		const each = (value as Record<string, unknown>)[name];
		if (typeof each === 'object' && isTooDeep(each, levels - 1)) return true;
	}
	return false;
}

interface Places {
	/** Empty when the answer is no record. */
	outer: JsonRecord;
	/** Those that can be nothing but the execution. */
	executions: JsonRecord[];
	all: JsonRecord[];
}

/** The records of an answer that may be the execution: the body, also as the only entry of a list, and those in it. */
function placesIn(body: unknown): Places {
	const given: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
	const outer = isRecord(given) ? given : {};
	const within = (names: readonly string[]) =>
		names.map((name) => own(outer, name)).filter(isRecord);
	const executions = within(SPELLINGS.aroundExecution);
	return { outer, executions, all: [outer, ...executions, ...within(SPELLINGS.around)] };
}

/**
 * A record around it may have a status of its own, such as `success`. So an ID or steps beside the status count more.
 */
function executionAmong(places: JsonRecord[]): JsonRecord | undefined {
	const withStatus = places.filter((place) => statusOf(place) !== undefined);
	const isExecution = (place: JsonRecord) =>
		idIn([place], SPELLINGS.executionId) !== undefined ||
		own(place, FIELDS.execution.steps) !== undefined;
	return withStatus.find(isExecution) ?? withStatus[0];
}

function statusOf(place: JsonRecord): string | undefined {
	const status = firstText(place, SPELLINGS.status);
	return status === undefined ? undefined : plainText(status, [], MAX_STATUS_LENGTH);
}

/** The first identifier under one of some names, and the record that has it. */
function idIn(
	places: JsonRecord[],
	names: readonly string[],
): { id: string; place: JsonRecord } | undefined {
	for (const place of places)
		for (const name of names) {
			const id = readIdentifier(own(place, name));
			if (id !== undefined) return { id, place };
		}
	return undefined;
}
