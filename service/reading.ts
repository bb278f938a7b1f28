import type { Execution, Json, JsonRecord, StartedExecution, Step } from './contract';
import {
	EXECUTION_ID_NAMES,
	FAILURE_NAMES,
	FIELDS,
	isRecord,
	phaseOf,
	REFERENCE,
	STARTED_ID_NAMES,
	STEP_NAMES,
} from './contract';
import { readStepData } from './steps';

/** Reads the answer to a create; undefined without an identifier. */
export function readStarted(body: unknown, workflowId: string): StartedExecution | undefined {
	if (!isRecord(body)) return undefined;
	const executionId = firstText(body, STARTED_ID_NAMES);
	if (executionId === undefined) return undefined;
	return {
		workflowId,
		executionId,
		status: firstText(body, [FIELDS.execution.status]) ?? 'running',
	};
}

/** Reads the answer to a get; undefined when it is no object or has no status. */
export function readExecution(
	body: unknown,
	asked: { workflowId: string; executionId: string },
): Execution | undefined {
	if (!isRecord(body)) return undefined;
	const status = firstText(body, [FIELDS.execution.status]);
	if (status === undefined) return undefined;
	const phase = phaseOf(status);
	const given = body[FIELDS.execution.metadata];
	const { [REFERENCE]: reference, ...metadata } = isRecord(given) ? given : {};
	const steps = body[FIELDS.execution.steps];
	return {
		workflowId: firstText(body, [FIELDS.execution.workflowId]) ?? asked.workflowId,
		executionId: firstText(body, EXECUTION_ID_NAMES) ?? asked.executionId,
		status,
		phase,
		metadata,
		reference: typeof reference === 'string' ? reference : undefined,
		steps: Array.isArray(steps) ? steps.map(readStep) : [],
		failureReason: phase === 'failed' ? withoutSecrets(readFailureReason(body)) : '',
		raw: body,
	};
}

function readStep(step: Json, index: number): Step {
	const unnamed = `step_${index + 1}`;
	if (!isRecord(step)) return readStepData(unnamed, step);
	return readStepData(firstText(step, STEP_NAMES) ?? unnamed, step[FIELDS.step.data]);
}

/** The service's message in an error answer, without secrets; empty when the body has not the published shape. */
export function readErrorBody(body: unknown): string {
	if (!isRecord(body)) return '';
	return withoutSecrets(readDetail(body.detail) || readFailureReason(body));
}

function readFailureReason(body: JsonRecord): string {
	for (const name of FAILURE_NAMES) {
		const text = readDetail(body[name]);
		if (text !== '') return text;
	}
	return '';
}

/**
 * The message in an error body, in one line: `{"detail": "text"}`, or for 422 a list of
 * `{"loc": ["body", "client_id"], "msg": "field required"}` (published). Empty when there is none.
 */
function readDetail(detail: unknown): string {
	if (typeof detail === 'string') return detail.trim();
	if (Array.isArray(detail)) return detail.map(readDetail).filter(Boolean).join('; ');
	if (!isRecord(detail)) return '';
	if (typeof detail.msg === 'string') {
		const loc = Array.isArray(detail.loc) ? detail.loc : [];
		const place = loc
			.filter(
				(part): part is string | number =>
					(typeof part === 'string' && part !== 'body') || typeof part === 'number',
			)
			.join('.');
		return place === '' ? detail.msg : `${place}: ${detail.msg}`;
	}
	const text = firstText(detail, ['message', 'detail', 'error', 'code']);
	return text ?? JSON.stringify(detail);
}

export function firstText(record: JsonRecord, names: readonly string[]): string | undefined {
	for (const name of names) {
		const value = record[name];
		if (typeof value === 'string' && value.trim() !== '') return value.trim();
		if (typeof value === 'number') return String(value);
	}
	return undefined;
}

/** A JWT that the service quotes: three parts of base64url, the first of which is encoded JSON. */
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;

/** The query of an address, which is the signature of a signed one. */
const QUERY = /(\bhttps?:\/\/[^\s"'<>?]+)\?[^\s"'<>]*/gi;

function withoutSecrets(text: string): string {
	return text.replace(TOKEN, '[token]').replace(QUERY, '$1?[query]');
}
