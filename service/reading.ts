import type { Execution, Json, JsonRecord, StartedExecution, Step } from './contract';
import {
	EXECUTION_ID_NAMES,
	FIELDS,
	isRecord,
	phaseOf,
	REFERENCE,
	STARTED_ID_NAMES,
	STEP_NAMES,
} from './contract';
import { readIdentifier } from './identifier';
import { readFailureReason } from './reason';
import { readStepData } from './steps';
import { plainText } from './text';

/** In characters (assumed). */
const MAX_STATUS_LENGTH = 100;

/** Reads the answer to a create; undefined without an identifier. */
export function readStarted(body: unknown, workflowId: string): StartedExecution | undefined {
	if (!isRecord(body)) return undefined;
	const executionId = firstIdentifier(body, STARTED_ID_NAMES);
	if (executionId === undefined) return undefined;
	return {
		workflowId,
		executionId,
		status: readStatus(body) ?? 'running',
	};
}

/** Reads the answer to a get; undefined when it is no object or has no status. */
export function readExecution(
	body: unknown,
	asked: { workflowId: string; executionId: string },
	secrets: readonly string[] = [],
): Execution | undefined {
	if (!isRecord(body)) return undefined;
	const status = readStatus(body);
	if (status === undefined) return undefined;
	const phase = phaseOf(status);
	const given = body[FIELDS.execution.metadata];
	const { [REFERENCE]: reference, ...metadata } = isRecord(given) ? given : {};
	const steps = body[FIELDS.execution.steps];
	return {
		workflowId: firstIdentifier(body, [FIELDS.execution.workflowId]) ?? asked.workflowId,
		executionId: firstIdentifier(body, EXECUTION_ID_NAMES) ?? asked.executionId,
		status,
		phase,
		metadata,
		reference: typeof reference === 'string' ? reference : undefined,
		steps: Array.isArray(steps) ? steps.map(readStep) : [],
		failureReason: phase === 'failed' ? readFailureReason(body, secrets) : '',
		raw: body,
	};
}

/** As the service spells it, as far as it is one short line: it is shown and logged. */
function readStatus(body: JsonRecord): string | undefined {
	const status = firstText(body, [FIELDS.execution.status]);
	return status === undefined ? undefined : plainText(status, [], MAX_STATUS_LENGTH);
}

function readStep(step: Json, index: number): Step {
	const unnamed = `step_${index + 1}`;
	if (!isRecord(step)) return readStepData(unnamed, step);
	return readStepData(firstText(step, STEP_NAMES) ?? unnamed, step[FIELDS.step.data]);
}

/** The first field that holds an identifier. */
export function firstIdentifier(record: JsonRecord, names: readonly string[]): string | undefined {
	for (const name of names) {
		const id = readIdentifier(record[name]);
		if (id !== undefined) return id;
	}
	return undefined;
}

export function firstText(record: JsonRecord, names: readonly string[]): string | undefined {
	for (const name of names) {
		const value = record[name];
		if (typeof value === 'string' && value.trim() !== '') return value.trim();
		if (typeof value === 'number') return String(value);
	}
	return undefined;
}
