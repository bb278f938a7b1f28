/**
 * The wire contract: every path, field name and status word of the service, and nothing else spells them.
 * Sources: "specification" is the service's specification, "published" its public developer documentation,
 * "assumed" a default that nobody states and that a deployment may override.
 */

/** JSON as it travels. */
export type Json = string | number | boolean | null | Json[] | JsonRecord;
export interface JsonRecord {
	[name: string]: Json;
}

/** Path that every endpoint begins with (specification). */
export const API_PREFIX = '/api/v1';

/** Token endpoint (specification). */
export const TOKEN_PATH = `${API_PREFIX}/oauth2/access_token`;

/** Token lifetime where an answer states none, in seconds (specification: 3600). */
export const DEFAULT_TOKEN_LIFETIME_SECONDS = 3600;

/** How long before its end a token is renewed, in seconds (specification: 5 minutes). */
export const RENEWAL_MARGIN_SECONDS = 300;

/** Field names of requests and answers. */
export const FIELDS = {
	/** Token endpoint (specification). */
	token: { clientId: 'client_id', clientSecret: 'client_secret', accessToken: 'access_token', expiresIn: 'expires_in' },
	/** Create execution (published). */
	create: { files: 'files', textInputs: 'user_inputs' },
} as const;

/** Names under which an answer may give the execution's identifier, the published one first, the others assumed. */
const EXECUTION_ID_NAMES = ['workflow_execution_id', 'execution_id'] as const;

/** In the answer to a create, where there is nothing to compare it with, `id` is taken as well (assumed). */
const STARTED_ID_NAMES = [...EXECUTION_ID_NAMES, 'id'] as const;

/** Names under which a failed execution may explain itself (published: in the body, field not known). */
const FAILURE_NAMES = ['error', 'error_message', 'message', 'detail'] as const;

/** Status words that end an execution (published: completed, failed; the others assumed). */
const COMPLETED_WORDS = new Set(['completed', 'complete', 'succeeded', 'success', 'done', 'finished']);
const FAILED_WORDS = new Set([
	'failed',
	'failure',
	'error',
	'errored',
	'cancelled',
	'canceled',
	'rejected',
	'timed_out',
	'expired',
]);

type Phase = 'running' | 'completed' | 'failed';

/** Which phase a status word stands for; a word that is not known means the execution is still in progress (assumed). */
export function phaseOf(status: string): Phase {
	const word = status.trim().toLowerCase();
	if (COMPLETED_WORDS.has(word)) return 'completed';
	if (FAILED_WORDS.has(word)) return 'failed';
	return 'running';
}

/** Path of the executions of a workflow (specification). */
export function executionsPath(workflowId: string): string {
	return `${API_PREFIX}/workflow-builder/workflows/${encodeURIComponent(workflowId)}/executions`;
}

/** Path of one execution (specification). */
export function executionPath(workflowId: string, executionId: string): string {
	return `${executionsPath(workflowId)}/${encodeURIComponent(executionId)}`;
}

/** What a create answers (published). */
export interface StartedExecution {
	workflowId: string;
	executionId: string;
	status: string;
}

/** One extracted value with the service's confidence in it, 0 to 1 (published); undefined where none came. */
export interface Cell {
	value: Json;
	confidenceScore: number | undefined;
}

export type Row = Map<string, Cell>;

/** One processing stage with the rows that it extracted (published). */
export interface Step {
	stepName: string;
	rows: Row[];
	/** `data` of the step where it does not hold rows, as it came (for example a URL). */
	other: Json | undefined;
}

export interface Execution {
	workflowId: string;
	executionId: string;
	/** The service's own word. */
	status: string;
	phase: Phase;
	metadata: JsonRecord;
	steps: Step[];
	/** What the service says about a failed execution; empty when it says nothing. */
	failureReason: string;
	/** The answer as it came. */
	raw: JsonRecord;
}

export function isRecord(value: unknown): value is JsonRecord {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function firstText(record: JsonRecord, names: readonly string[]): string | undefined {
	for (const name of names) {
		const value = record[name];
		if (typeof value === 'string' && value.trim() !== '') return value.trim();
		if (typeof value === 'number') return String(value);
	}
	return undefined;
}

/** Reads the answer to a create; undefined when it gives no identifier. */
export function readStarted(body: unknown, workflowId: string): StartedExecution | undefined {
	if (!isRecord(body)) return undefined;
	const executionId = firstText(body, STARTED_ID_NAMES);
	if (executionId === undefined) return undefined;
	return { workflowId, executionId, status: firstText(body, ['status']) ?? 'running' };
}

/** Reads the answer to a get; undefined when it is not an execution (no object, or no status). */
export function readExecution(body: unknown, asked: { workflowId: string; executionId: string }): Execution | undefined {
	if (!isRecord(body)) return undefined;
	const status = firstText(body, ['status']);
	if (status === undefined) return undefined;
	const phase = phaseOf(status);
	return {
		workflowId: firstText(body, ['workflow_id']) ?? asked.workflowId,
		executionId: firstText(body, EXECUTION_ID_NAMES) ?? asked.executionId,
		status,
		phase,
		metadata: isRecord(body.metadata) ? body.metadata : {},
		steps: Array.isArray(body.steps) ? body.steps.map(readStep) : [],
		failureReason: phase === 'failed' ? readFailureReason(body) : '',
		raw: body,
	};
}

function readStep(step: Json, index: number): Step {
	const record = isRecord(step) ? step : {};
	const stepName = firstText(record, ['step_name', 'name']) ?? `step_${index + 1}`;
	const data = record.data;
	const rows = isRecord(data) ? data.data : data;
	if (Array.isArray(rows)) return { stepName, rows: rows.map(readRow), other: undefined };
	return { stepName, rows: [], other: data };
}

function readRow(row: Json): Row {
	if (!isRecord(row)) return new Map([['value', readCell(row)]]);
	return new Map(Object.entries(row).map(([field, cell]) => [field, readCell(cell)]));
}

function readCell(cell: Json): Cell {
	if (isRecord(cell) && 'value' in cell) {
		const score = cell.confidence_score;
		return { value: cell.value ?? null, confidenceScore: typeof score === 'number' ? score : undefined };
	}
	return { value: cell, confidenceScore: undefined };
}

function readFailureReason(body: JsonRecord): string {
	for (const name of FAILURE_NAMES) {
		const text = readDetail(body[name]);
		if (text !== '') return text;
	}
	return '';
}

/**
 * What an error body says, as one line: `{"detail": "text"}`, or for 422 a list of
 * `{"loc": ["body", "client_id"], "msg": "field required"}` (published). Empty when it says nothing.
 */
function readDetail(detail: unknown): string {
	if (typeof detail === 'string') return detail.trim();
	if (Array.isArray(detail)) return detail.map(readDetail).filter(Boolean).join('; ');
	if (!isRecord(detail)) return '';
	if (typeof detail.msg === 'string') {
		const loc = Array.isArray(detail.loc) ? detail.loc : [];
		const place = loc.filter((part): part is string | number => (typeof part === 'string' && part !== 'body') || typeof part === 'number').join('.');
		return place === '' ? detail.msg : `${place}: ${detail.msg}`;
	}
	const text = firstText(detail, ['message', 'detail', 'error', 'code']);
	return text ?? JSON.stringify(detail);
}

/** A token as services quote it back: three parts of base64url, of which the first begins like JSON. */
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;

/** What an error answer says of itself, without tokens; empty when its body is not of the published shape. */
export function readErrorBody(body: unknown): string {
	if (!isRecord(body)) return '';
	return (readDetail(body.detail) || readFailureReason(body)).replace(TOKEN, '[token]');
}
