/**
 * The wire contract: every path and field name of the service; the status words are in status.ts. No other file spells them.
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
	/**
	 * A step's data is a record: `data` is the list of rows, with two other fields beside it. In the URL mode of webhooks it has an
	 * address instead (published).
	 */
	step: { data: 'data', rows: 'data', beside: ['schema', 'metadata'], address: 'url' },
	/** One extracted value (published). */
	cell: { value: 'value', confidenceScore: 'confidence_score' },
	/** One entry of the list in a 422 (published). */
	fault: { place: 'loc' },
} as const;

/** Names of a score besides the published one (assumed). They count only where they hold a number. */
export const OTHER_SCORE_NAMES = ['confidenceScore', 'confidence'] as const;

/** Names of the rows of a step besides the published one, and of the data of a step (assumed). */
export const OTHER_ROWS_NAMES = ['rows', 'result', 'results', 'output'] as const;

/** Where the data of an execution may be when it has no steps (assumed). */
export const OTHER_STEPS_NAMES = [
	'data',
	'results',
	'result',
	'outputs',
	'output',
	'extracted_data',
	'extractedData',
	'extraction',
] as const;

/** A record around an answer that may hold the execution: its `id` is that of the execution (assumed). */
export const EXECUTION_WRAPPERS = ['execution', 'workflow_execution', 'workflowExecution'] as const;

/** Other records that may be around an answer (assumed). */
export const OTHER_WRAPPERS = ['data', 'result'] as const;

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

/** Possible names of the execution's identifier: the published one first, the others assumed. */
export const EXECUTION_ID_NAMES = [
	'workflow_execution_id',
	'execution_id',
	'workflowExecutionId',
	'executionId',
] as const;

/** Its names in the answer to a create (assumed). Elsewhere they could belong to something else. */
export const STARTED_ID_NAMES = ['run_id', 'runId', 'id'] as const;

/** Possible names of the workflow's identifier: the published one first, the other assumed. */
export const WORKFLOW_ID_NAMES = ['workflow_id', 'workflowId'] as const;

/** Possible names of the status: the published one first, the others assumed. */
export const STATUS_NAMES = ['status', 'execution_status', 'executionStatus', 'state'] as const;

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

export type Phase = 'running' | 'completed' | 'failed';

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
	/** From 0 to 1 (published), but not clamped to that range. Undefined where the service gave none. */
	confidenceScore: number | 'unreadable' | undefined;
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
	metadata: JsonRecord;
	steps: Step[];
	/** The field of the answer from which the steps were read. */
	stepsField: string;
	/** Why the execution failed, in the service's words; empty when it gives no reason. */
	failureReason: string;
	/** The unchanged answer. */
	raw: JsonRecord;
}

export function isRecord(value: unknown): value is JsonRecord {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
