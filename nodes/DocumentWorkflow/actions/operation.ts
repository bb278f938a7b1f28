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
import type { Journal } from './journal';

/** One operation of the panel: how it is listed, its fields, and what it does with the input items. */
export interface Operation {
	option: INodePropertyOptions;
	/** Fields of this operation; when they are shown is added for all of them at once. */
	fields: INodeProperties[];
	/** Reads and checks all that is asked for. Nothing is sent before all jobs are known. */
	prepare: (session: Session) => Promise<Job[]>;
}

/** One run of the node. */
export interface Session {
	context: IExecuteFunctions;
	connection: Connection;
	/** The input items. */
	inputs: INodeExecutionData[];
	journal: Journal;
	/** The time limit of the pause after which n8n goes on with this run, in milliseconds since 1970; undefined where there was none. */
	resumedUntil: number | undefined;
}

/** The work for one execution of the service. */
export interface Job {
	/** Identifies it among the jobs; the same in each try of the node. */
	key: string;
	/** The input items that it came from. */
	itemIndexes: number[];
	/** Which files of its item are concerned, where these are not all. */
	fieldNames?: string[] | undefined;
	/** What is to be done, or why it cannot be done. */
	work: (() => Promise<Result>) | Failure;
}

/** What came of a job; a failed one still says what is known of its execution. */
export type Result = Success | Failure;

export interface Success {
	ok: true;
	items: OutputItem[];
	/** What there is to say of the execution's data beside the items. */
	shaped?: Shaped;
	/** What the items say beside the data, such as the documents that were sent; also where no item is left. */
	beside?: IDataObject;
	/** The execution that the n8n execution is to pause for; the items say what is known of it so far. */
	awaits?: Awaited;
}

export interface Awaited {
	execution: StartedExecution;
	/** When it was known to be running, in milliseconds since 1970. */
	since: number;
	/** Checks it once more. */
	check: () => Promise<Result>;
	/** When n8n is to go on without it, in milliseconds since 1970. */
	until: number;
}

export interface Failure extends ResultFailure {
	/** The execution has failed in the service. */
	hasFailed?: true;
}
