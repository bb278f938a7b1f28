/**
 * The wire contract: every path, field name and status word of the service. No other file spells them.
 * Sources: "specification" is the service's specification, "published" its public developer documentation,
 * "assumed" our own default where neither states one.
 */

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonRecord;
export interface JsonRecord {
	[name: string]: Json;
}

/** All paths start with this (specification). */
export const API_PREFIX = '/api/v1';

/** Token endpoint (specification). */
export const TOKEN_PATH = `${API_PREFIX}/oauth2/access_token`;

/** Token lifetime when the answer states none, in seconds (specification: 3600). */
export const DEFAULT_TOKEN_LIFETIME_SECONDS = 3600;

/** How long before its expiry a token is renewed, in seconds (specification: 5 minutes). */
export const RENEWAL_MARGIN_SECONDS = 300;

/** Field names of requests and answers. */
export const FIELDS = {
	/** Token endpoint (specification). */
	token: {
		clientId: 'client_id',
		clientSecret: 'client_secret',
		accessToken: 'access_token',
		expiresIn: 'expires_in',
	},
	/** Get execution (published). */
	execution: { workflowId: 'workflow_id', status: 'status', metadata: 'metadata', steps: 'steps' },
	/** A step's data is a record: `data` is the list of rows, with two other fields beside it. In the URL mode of webhooks it has an address instead (published). */
	step: { data: 'data', rows: 'data', beside: ['schema', 'metadata'], address: 'url' },
	/** One extracted value (published). */
	cell: { value: 'value', confidenceScore: 'confidence_score' },
	/** One entry of the list in a 422 (published). */
	fault: { place: 'loc' },
} as const;

/** Field names of a create request. A deployment may use other names for those in `NAME_FIELDS` (credentials/createSettings.ts). */
export interface CreateFieldNames {
	files: string;
	textInputs: string;
	metadata: string;
	fileUrls: string;
}

/** Create execution (published; `metadata` is assumed). */
export const CREATE_FIELDS: CreateFieldNames = {
	files: 'files',
	textInputs: 'user_inputs',
	metadata: 'metadata',
	fileUrls: 'file_urls',
};

/** Metadata key of the caller's own identifier (published example). */
export const EXTERNAL_ID = 'external_id';

/** Metadata key of the sealed reference by which a notification resumes the caller (assumed). */
export const REFERENCE = 'n8n_reference';

/** Possible names of the execution's identifier: the published one first, the others assumed. */
export const EXECUTION_ID_NAMES = ['workflow_execution_id', 'execution_id'] as const;

/** The answer to a create may also call it `id` (assumed). Elsewhere `id` could belong to something else. */
export const STARTED_ID_NAMES = [...EXECUTION_ID_NAMES, 'id'] as const;

/** Possible names of a step's name: the published one first, the other assumed. */
export const STEP_NAMES = ['step_name', 'name'] as const;

/** Possible names of the reason of a failed execution (published: in the body; the field is not known). */
export const FAILURE_NAMES = [
	'error',
	'error_message',
	'failure_reason',
	'message',
	'detail',
	'reason',
	'errors',
] as const;

/** Possible names of the reason in an error answer: the published ones first, the others assumed. */
export const REASON_NAMES = [
	'detail',
	'msg',
	'message',
	'error_message',
	'error_description',
	'error',
	'reason',
	'errors',
	'title',
	'code',
] as const;

/** Status words that end an execution (published: completed, failed; the others assumed). */
const COMPLETED_WORDS = new Set([
	'completed',
	'complete',
	'succeeded',
	'success',
	'done',
	'finished',
]);
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

/** The phase that a status word means. An unknown word means that the execution is still running (assumed). */
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

/** The answer to a create (published). */
export interface StartedExecution {
	workflowId: string;
	executionId: string;
	status: string;
}

/** One extracted value with the service's confidence in it. */
export interface Cell {
	/** The plain value. Cells within it are replaced by their values. */
	value: Json;
	/** From 0 to 1 (published), but not clamped to that range. Undefined where the service gave no number. */
	confidenceScore: number | undefined;
	/** The cells within the value: a row, or a list such as the rows of a nested table (assumed). */
	inner: Row | Cell[] | undefined;
}

export type Row = Map<string, Cell>;

/** One processing stage with its extracted rows (published). */
export interface Step {
	stepName: string;
	rows: Row[];
	/** The unchanged `data` of a step without rows; an address in it loses its query. */
	other: Json | undefined;
	/** Where to download the data when the step does not contain it. The address is signed, and so a secret. */
	address: string | undefined;
}

export interface Execution {
	workflowId: string;
	executionId: string;
	/** As the service spells it. */
	status: string;
	phase: Phase;
	/** Without the reference. */
	metadata: JsonRecord;
	/** The sealed reference by which a notification resumes the caller. */
	reference: string | undefined;
	steps: Step[];
	/** Why the execution failed, in the service's words; empty when it gives no reason. */
	failureReason: string;
	/** The unchanged answer. */
	raw: JsonRecord;
}

export function isRecord(value: unknown): value is JsonRecord {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
