/**
 * The wire contract: every path and field name of the service; the status words are in status.ts. No other file spells
 * them. Sources: "specification" is the service's specification, "published" its public developer documentation. What
 * names no source is assumed: neither states it.
 */

export type Json = string | number | boolean | null | Json[] | JsonRecord;
export interface JsonRecord {
	[name: string]: Json;
}

/** All paths start with this (specification). */
export const API_PREFIX = '/api/v1';

/** Token endpoint (specification). */
export const TOKEN_PATH = `${API_PREFIX}/oauth2/access_token`;

/** The executions of a workflow (specification). */
export const EXECUTIONS_PATH = `${API_PREFIX}/workflow-builder/workflows/{workflowId}/executions`;

/** Token lifetime when the answer states none, in seconds (specification: 3600). */
export const DEFAULT_TOKEN_LIFETIME_SECONDS = 3600;

/** How long before its expiry a token is renewed, in seconds (specification: 5 minutes). */
export const RENEWAL_MARGIN_SECONDS = 300;

export const FIELDS = {
	/** Token endpoint (specification). */
	token: {
		clientId: 'client_id',
		clientSecret: 'client_secret',
		accessToken: 'access_token',
		expiresIn: 'expires_in',
	},
	/** Create execution (published, but for `metadata`). */
	create: {
		files: 'files',
		fileUrls: 'file_urls',
		textInputs: 'user_inputs',
		metadata: 'metadata',
	},
	/** Get execution (published). */
	execution: { workflowId: 'workflow_id', status: 'status', metadata: 'metadata', steps: 'steps' },
	/** A step's data is a record: `data` is the list of rows, with two other fields beside it (published). */
	step: { rows: 'data', beside: names('schema metadata') },
	/** One extracted value (published). */
	cell: { value: 'value', confidenceScore: 'confidence_score' },
	/** One entry of the list in a 422 (published). */
	fault: { place: 'loc' },
} as const;

/** The names that an answer may use. A published name is the first of its row. All others are assumed. */
export const SPELLINGS = {
	executionId: names('workflow_execution_id execution_id workflowExecutionId executionId'),
	/** Only in the answer to a create. Elsewhere these names could belong to something else. */
	startedId: names('id run_id runId'),
	workflowId: names('workflow_id workflowId'),
	status: names('status execution_status executionStatus state'),
	stepName: names('step_name name'),
	/** The rows of a step, and the data of a step. */
	rows: names('data rows result results output'),
	/** The assumed names count only where they hold a number. */
	score: names('confidence_score confidenceScore confidence'),
	/** What may be beside the value of a cell, apart from its score. Together they are its evidence. */
	evidence: names(
		`page page_number pages quote quotes citation citations reason reasoning confidence_reason
		confidenceReason evidence source`,
	),
	/** A record around an answer that may hold the execution: its `id` is that of the execution. */
	aroundExecution: names('execution workflow_execution workflowExecution'),
	/** Other records that may be around an answer. */
	around: names('data result'),
	/** The reason of a failed execution (published: in the body; the field is not known). */
	failure: names('error error_message failure_reason message detail reason errors'),
	/** What went wrong although there may be data: beside the steps, in a step, and beside its rows. */
	faults: names('error errors error_message errorMessage failure_reason warning warnings'),
	/** The reason in an error answer. The first two are published. */
	reason: names(
		'detail msg message error_message error_description error reason errors title code',
	),
};

function names(list: string): readonly string[] {
	return list.split(/\s+/);
}

/** Metadata key of the caller's own identifier (published example). */
export const EXTERNAL_ID = 'external_id';

export type Phase = 'running' | 'completed' | 'failed';

/** Partial has ended, but not all is well. Held waits for a person. Unknown has ended once its steps hold data. */
export type Meaning = Phase | 'partial' | 'held' | 'unknown';

/** What names an execution: it is only found under its workflow. */
export interface ExecutionIds {
	workflowId: string;
	executionId: string;
	/** Where people see it, if the credential has a pattern for it. */
	executionUrl?: string | undefined;
}

/** The answer to a create (published). */
export interface StartedExecution extends ExecutionIds {
	/** As the service spells it. */
	status: string;
}

/** One extracted value with the service's confidence in it. */
export interface Cell {
	/** Of the field; of an entry of a list, its position. */
	name: string;
	/** The plain value. Cells within it are replaced by their values. */
	value: Json;
	/** From 0 to 1 (published), but not clamped to that range. Undefined where the service gave none. */
	confidenceScore: number | 'unreadable' | undefined;
	/** The cells within the value: a row, or a list such as the rows of a nested table. */
	inner: Cell[] | undefined;
	/** What else the service says of the value, such as its page and a quote. */
	evidence: JsonRecord | undefined;
}

export type Row = Cell[];

/** A type that a step declares. A plain text says nothing: services declare amounts and dates so. */
export type DeclaredType = 'number' | 'integer' | 'boolean' | 'date' | 'date-time';

/** What a step declares of a value, and of the fields within it. */
export interface Schema {
	type: DeclaredType | undefined;
	fields: ReadonlyMap<string, Schema>;
}

export const UNDECLARED: Schema = { type: undefined, fields: new Map() };

/** One processing stage with its extracted rows (published). */
export interface Step {
	stepName: string;
	/** The same; a second step of one name gets a number, so that both are returned. */
	name: string;
	/** As they were sent, because cells take several times the memory. `readRow` reads one. */
	rows: Json[];
	schema: Schema;
	/** The unchanged `data` of a step without rows; where it is only an address, without its query. */
	other: Json | undefined;
	isAtUrl: boolean;
	/** Scores around its data (of an execution: beside the steps), each with its name. */
	scores: Array<[name: string, score: Json]>;
	/** What the service says went wrong in it, in words. */
	faults: string[];
}

export interface Execution extends StartedExecution {
	phase: Phase;
	meaning: Meaning;
	metadata: JsonRecord;
	/** The caller's own identifier. Every row of an execution repeats it, so a very long text stays in the metadata (assumed). */
	externalId: string | number | undefined;
	steps: Step[];
	scores: Step['scores'];
	/** Why the execution failed, in the service's words; empty when it gives no reason, undefined when it did not fail. */
	failureReason: string | undefined;
	/** What the service says went wrong although the execution is completed, in its words. */
	faults: string[];
	/** Of a completed answer without steps, without secrets. */
	excerpt: string | undefined;
	/** The unchanged answer. */
	raw: JsonRecord;
}
