import type {
	IDataObject,
	IExecuteFunctions,
	INodeProperties,
	INodePropertyOptions,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import type { Connection } from '../transport';
import type { Starts } from './starts';

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
	starts: Starts;
}

/** What became of one input item; a failed one still tells what is known of its execution. */
export type Result = { ok: true; json: IDataObject } | Failure;

export interface Failure {
	ok: false;
	error: NodeApiError | NodeOperationError;
	json: IDataObject;
}
