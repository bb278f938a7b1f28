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
	token: {
		clientId: 'client_id',
		clientSecret: 'client_secret',
		accessToken: 'access_token',
		expiresIn: 'expires_in',
	},
	/** Get execution (published). */
	execution: { workflowId: 'workflow_id', status: 'status', metadata: 'metadata', steps: 'steps' },
	/** A step's data is a record whose own `data` is the list of rows, with two others beside; in the URL mode of webhooks it holds an address (published). */
	step: { data: 'data', rows: 'data', beside: ['schema', 'metadata'], address: 'url' },
	/** One extracted value (published). */
	cell: { value: 'value', confidenceScore: 'confidence_score' },
} as const;

/** Names of the fields of a create; a deployment may have others. */
export interface CreateFieldNames {
	files: string;
	textInputs: string;
	metadata: string;
	fileUrls: string;
}

/** Create execution (published; that metadata is submitted as `metadata` is assumed). */
export const CREATE_FIELDS: CreateFieldNames = {
	files: 'files',
	textInputs: 'user_inputs',
	metadata: 'metadata',
	fileUrls: 'file_urls',
};

/** The name in an execution's metadata under which the caller's own identifier stands (published example). */
export const EXTERNAL_ID = 'external_id';

/** The name in an execution's metadata under which it leads back to an n8n execution that waits for it; what stands there is sealed (assumed). */
export const REFERENCE = 'n8n_reference';

/** Names under which an answer may give the execution's identifier, the published one first, the others assumed. */
export const EXECUTION_ID_NAMES = ['workflow_execution_id', 'execution_id'] as const;

/** In the answer to a create, where there is nothing to compare it with, `id` is taken as well (assumed). */
export const STARTED_ID_NAMES = [...EXECUTION_ID_NAMES, 'id'] as const;

/** Names under which a step may give its own name, the published one first, the other assumed. */
export const STEP_NAMES = ['step_name', 'name'] as const;

/** Names under which a failed execution may explain itself (published: in the body, field not known). */
export const FAILURE_NAMES = ['error', 'error_message', 'message', 'detail'] as const;

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

/** One extracted value with the service's confidence in it. */
export interface Cell {
	/** The plain value; cells within it stand there by their values. */
	value: Json;
	/** From 0 to 1 (published), not brought into that range; undefined where no number came. */
	confidenceScore: number | undefined;
	/** What the value consists of where it holds cells itself: a row, or a list such as the rows of a nested table (assumed). */
	inner: Row | Cell[] | undefined;
}

export type Row = Map<string, Cell>;

/** One processing stage with the rows that it extracted (published). */
export interface Step {
	stepName: string;
	rows: Row[];
	/** `data` of the step where it does not hold rows, as it came, but for the query of an address. */
	other: Json | undefined;
	/** Where the data is to be had, when it did not come with the step. It is signed, and thus a secret. */
	address: string | undefined;
}

export interface Execution {
	workflowId: string;
	executionId: string;
	/** The service's own word. */
	status: string;
	phase: Phase;
	/** The caller's own, without the reference. */
	metadata: JsonRecord;
	/** What leads back to an n8n execution that waits for this one. */
	reference: string | undefined;
	steps: Step[];
	/** What the service says about a failed execution; empty when it says nothing. */
	failureReason: string;
	/** The answer as it came. */
	raw: JsonRecord;
}

export function isRecord(value: unknown): value is JsonRecord {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
