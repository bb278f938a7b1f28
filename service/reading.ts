import type { Execution, JsonRecord, StartedExecution, Step } from './contract';
import {
	EXECUTION_ID_NAMES,
	EXECUTION_WRAPPERS,
	FIELDS,
	isRecord,
	OTHER_STEPS_NAMES,
	OTHER_WRAPPERS,
	STARTED_ID_NAMES,
	STATUS_NAMES,
	WORKFLOW_ID_NAMES,
} from './contract';
import { firstIdentifier } from './identifier';
import { readFailureReason } from './reason';
import { firstText, own } from './record';
import { phaseOf } from './status';
import { isEmpty, stepsIn, stepsOfData } from './stepList';
import { plainText } from './text';

/** Extracted data has few levels of nesting. n8n cannot store far more (assumed). */
const MAX_DEPTH = 100;

/** In characters. Every output item repeats it (assumed). */
const MAX_STATUS_LENGTH = 100;

/**
 * Reads the answer to a create; undefined without an identifier. `ownName`: the user's name of the field that holds it. It is read
 * first. `isCut`: the answer broke off. What is missing may name the execution, so an `id` may belong to something else.
 */
export function readStarted(
	body: unknown,
	workflowId: string,
	ownName = '',
	isCut = false,
): StartedExecution | undefined {
	const { executions, all } = placesIn(body);
	const anyId = () => idIn(executions, STARTED_ID_NAMES) ?? idIn(all, STARTED_ID_NAMES);
	const found =
		idIn(all, [ownName]) ?? idIn(all, EXECUTION_ID_NAMES) ?? (isCut ? undefined : anyId());
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
	const found = executionAmong(all);
	if (found === undefined || isTooDeep(body)) return undefined;
	const { place: execution, status } = found;
	// Other records around data may have fields of these names that belong to the data.
	const places = [execution, outer, ...executions];
	const metadata = places.map((place) => own(place, FIELDS.execution.metadata)).find(isRecord);
	const steps = stepsAmong([execution, ...all]);
	const phase = phaseOf(
		status,
		steps.some(({ rows, address }) => rows.length > 0 || address !== undefined),
	);
	return {
		workflowId: idIn(places, WORKFLOW_ID_NAMES)?.id ?? asked.workflowId,
		executionId: idIn(places, EXECUTION_ID_NAMES)?.id ?? asked.executionId,
		status,
		phase,
		metadata: metadata ?? {},
		steps,
		stepsField: FIELDS.execution.steps,
		...(steps.length === 0 && phase !== 'running' ? stepsElsewhere(execution, outer) : {}),
		failureReason: phase === 'failed' ? readFailureReason(execution, secrets) : '',
		raw: outer,
	};
}

/** The IDs and the status in a notification, which may be in the same places as in an answer; undefined without both IDs. */
export function readNotified(
	body: unknown,
): { workflowId: string; executionId: string; status: string | undefined } | undefined {
	const { all } = placesIn(body);
	const workflowId = idIn(all, WORKFLOW_ID_NAMES)?.id;
	const executionId = idIn(all, EXECUTION_ID_NAMES)?.id;
	if (workflowId === undefined || executionId === undefined) return undefined;
	return { workflowId, executionId, status: executionAmong(all)?.status };
}

/** Whether a value is nested deeper than an answer may be. */
export function isTooDeep(value: unknown, levels = MAX_DEPTH): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (levels === 0) return true;
	const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
	for (const each of inner) if (isTooDeep(each, levels - 1)) return true;
	return false;
}

/**
 * The records of an answer that may be the execution: the body, also as the only entry of a list, and the records around which it is
 * wrapped (assumed).
 */
function placesIn(body: unknown): Places {
	const given: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
	const outer = isRecord(given) ? given : {};
	const within = (names: readonly string[]) =>
		names.map((name) => own(outer, name)).filter(isRecord);
	const executions = within(EXECUTION_WRAPPERS);
	return { outer, executions, all: [outer, ...executions, ...within(OTHER_WRAPPERS)] };
}

interface Places {
	/** Empty when the answer is no record. */
	outer: JsonRecord;
	/** Those that can be nothing but the execution. */
	executions: JsonRecord[];
	all: JsonRecord[];
}

/** A wrapper may have a status of its own, such as `success`. So an identifier or steps beside the status count more. */
function executionAmong(places: JsonRecord[]): { place: JsonRecord; status: string } | undefined {
	const withStatus = places.flatMap((place) => {
		const status = statusOf(place);
		return status === undefined ? [] : [{ place, status }];
	});
	return (
		withStatus.find(
			({ place }) =>
				idIn([place], EXECUTION_ID_NAMES) !== undefined ||
				own(place, FIELDS.execution.steps) !== undefined,
		) ?? withStatus[0]
	);
}

function stepsAmong(places: JsonRecord[]): Step[] {
	for (const place of places) {
		const steps = stepsIn(own(place, FIELDS.execution.steps));
		if (steps.length > 0) return steps;
	}
	return [];
}

/** The data of an execution without steps, if it is under one of the other names. */
function stepsElsewhere(
	execution: JsonRecord,
	outer: JsonRecord,
): Pick<Execution, 'steps' | 'stepsField'> | undefined {
	for (const place of [execution, outer]) {
		for (const name of OTHER_STEPS_NAMES) {
			const data = own(place, name);
			if (!isEmpty(data) && data !== execution)
				return { steps: stepsOfData(name, data), stepsField: name };
		}
	}
	return undefined;
}

function statusOf(place: JsonRecord): string | undefined {
	const status = firstText(place, STATUS_NAMES);
	return status === undefined ? undefined : plainText(status, [], MAX_STATUS_LENGTH);
}

/** The first identifier under one of some names, and the record that has it. */
function idIn(
	places: JsonRecord[],
	names: readonly string[],
): { id: string; place: JsonRecord } | undefined {
	for (const place of places) {
		const id = firstIdentifier(place, names);
		if (id !== undefined) return { id, place };
	}
	return undefined;
}
