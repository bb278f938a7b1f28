import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { StartedExecution } from '../../../service/contract';
import type { OutputItem, ResultFailure } from '../results/result';
import type { Shaped } from '../results/shape';
import type { Connection } from '../transport';
import type { Starts } from './starts';

/** One operation of the panel: how it is listed, its fields, and what it does with the input items. */
export interface Operation {
	option: INodePropertyOptions;
	/** Fields of this operation; when they are shown is added for all of them at once. */
	fields: INodeProperties[];
	/** Whether executions are to lead back to this n8n execution, and how long its pause may be, in milliseconds. */
	leadsBackFor?: (context: IExecuteFunctions) => number | undefined;
	/** Reads and checks all that is asked for. Nothing is sent before all jobs are known. */
	prepare: (session: Session) => Promise<Job[]>;
}

/** One run of the node. */
export interface Session {
	context: IExecuteFunctions;
	connection: Connection;
	/** The input items. */
	inputs: INodeExecutionData[];
	starts: Starts;
	/** The time limit of the pause after which n8n goes on with this run, in milliseconds since 1970; undefined where there was none. */
	resumedUntil: number | undefined;
	/** What the metadata of an execution leads back to this n8n execution by; undefined where nothing is to wake it. */
	reference: ((workflowId: string) => string) | undefined;
}

/** What concerns one execution of the service, and becomes one output item. */
export interface Job {
	/** Tells it from the other jobs, the same in each try of the node. */
	key: string;
	/** The input items that it came from. */
	itemIndexes: number[];
	/** Which files of its item are concerned, where these are not all. */
	fieldNames?: string[] | undefined;
	/** What is to be done, or why it cannot be done. */
	work: (() => Promise<Result>) | Failure;
}

/** What became of a job; a failed one still tells what is known of its execution. */
export type Result = Success | Failure;

export interface Success {
	ok: true;
	items: OutputItem[];
	/** What there is to say of the execution's data beside the items. */
	shaped?: Shaped;
	/** What the items tell beside the data, such as the documents that were sent; also where no item is left. */
	beside?: IDataObject;
	/** The execution that is still to end, where the n8n execution is to pause until then; the items tell what is known of it so far. */
	awaits?: Awaited;
}

export interface Awaited {
	execution: StartedExecution;
	/** When it was known to be running, in milliseconds since 1970. */
	since: number;
	/** Looks at it once more. */
	look: () => Promise<Result>;
	/** When n8n is to go on without it, in milliseconds since 1970. */
	until: number;
}

export interface Failure extends ResultFailure {
	/** The execution has failed in the service. */
	hasFailed?: true;
}
