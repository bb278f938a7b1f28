import type {
	IDataObject,
	IExecuteFunctions,
	INodeProperties,
	INodePropertyOptions,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import type { StartedExecution } from '../../../service/contract';
import type { Connection } from '../transport';

/** One operation of the panel: how it is listed, its fields, and what it does with one input item. */
export interface Operation {
	option: INodePropertyOptions;
	/** Fields of this operation; when they are shown is added for all of them at once. */
	fields: INodeProperties[];
	run: (call: Call) => Promise<Result>;
}

export interface Call {
	context: IExecuteFunctions;
	connection: Connection;
	itemIndex: number;
	/** To be called with every execution that was started, at once: whatever happens later, its id is not lost. */
	remember: (execution: StartedExecution) => void;
}

/** What became of one input item; a failed one still tells what is known of its execution. */
export type Result = { ok: true; json: IDataObject } | Failure;

export interface Failure {
	ok: false;
	error: NodeApiError | NodeOperationError;
	json: IDataObject;
}
