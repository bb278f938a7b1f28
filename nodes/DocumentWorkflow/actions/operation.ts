import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { LastAnswer } from '../../../service/watching';
import type { StoredWait } from '../pausing/awaited';
import type { StoredJob } from '../pausing/pause';
import type { OutputItem, ResultFailure } from '../results/result';
import type { Shaped } from '../results/shape';
import type { Connection } from '../connection/connect';
import type { Journal } from './sending/journal';

/** One operation of the panel. */
export type Operation = ServiceOperation | LocalOperation;

interface InPanel {
	option: INodePropertyOptions;
	/** Its fields, without the display condition for this operation, which is added for all operations. */
	fields: INodeProperties[];
}

/** Reads and checks the parameters of all items. Nothing is sent before all jobs are known. */
export interface ServiceOperation extends InPanel {
	prepare: (session: Session) => Promise<Job[]>;
}

/** Sends nothing to the service, so it needs no credential. */
export interface LocalOperation extends InPanel {
	prepareLocally: (session: LocalSession) => Promise<Job[]>;
}

export interface LocalSession {
	context: IExecuteFunctions;
	/** The input items. */
	inputs: INodeExecutionData[];
}

/** One run of the node. */
export interface Session extends LocalSession {
	/** In milliseconds since 1970. */
	startedAt: number;
	connection: Connection;
	journal: Journal;
	/** The jobs of the run before a pause, which this run continues; undefined in a first run. */
	earlier: StoredJob[] | undefined;
	/** The last answer to the checks after a pause. */
	lastAnswer: LastAnswer;
	/** Why n8n cannot pause the n8n execution; undefined when it can. */
	obstacle: string | undefined;
	/** Reports that a wait lasts so long that n8n would pause if it could. */
	keepsRunning: () => void;
}

/** The work for one execution of the service. */
export interface Job {
	/** Unique within the run, and the same in each try of the node. */
	key: string;
	/** Its input items. */
	itemIndexes: number[];
	/** The fields of its files, when it does not have all files of its item. */
	fieldNames?: string[] | undefined;
	/** The work, or why it cannot be done. */
	work: (() => Promise<Result>) | Failure;
}

export type Result = Success | Failure;

export interface Success {
	ok: true;
	/** The execution has failed in the service. */
	hasFailed?: true;
	items: OutputItem[];
	/** What hints report about the execution's data. */
	shaped?: Shaped;
	/** What is known of the execution or the skipped input items, whatever the items have. */
	about?: IDataObject;
	/** Runs when the node ends and outputs the items. */
	whenOutput?: () => Promise<void>;
	/** The wait for its execution. While that is open, there are no items, and the n8n execution has to pause. */
	wait?: StoredWait;
}

export interface Failure extends ResultFailure {
	/** The execution has failed in the service. */
	hasFailed?: true;
}
