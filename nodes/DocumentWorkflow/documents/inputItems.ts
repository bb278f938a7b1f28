import type {
	IBinaryData,
	IBinaryKeyData,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { isRecord } from '../../../service/contract';

/** Where an item has its files in the Binary Mode Combined. Source: BINARY_IN_JSON_PROPERTY of n8n-workflow 2. */
const FILES_IN_JSON = '_files';

/** An input item with its files in `binary`, wherever n8n keeps them. */
export function inputItem(context: IExecuteFunctions, itemIndex: number): INodeExecutionData {
	const item: INodeExecutionData = context.getInputData()[itemIndex] ?? { json: {} };
	// In other n8n workflows such a field is not from n8n, and could name a file of another n8n execution.
	if (context.getWorkflowSettings().binaryMode !== 'combined') return item;
	const { [FILES_IN_JSON]: files, ...json } = item.json;
	if (!isRecord(files)) return item;
	return { ...item, json, binary: { ...filesIn(files), ...item.binary } };
}

export function inputItems(context: IExecuteFunctions): INodeExecutionData[] {
	return context.getInputData().map((_item, itemIndex) => inputItem(context, itemIndex));
}

/** The entries that have the shape of a file, such as those of an item that an expression returned. */
export function filesIn(files: Record<string, unknown>): IBinaryKeyData {
	return Object.fromEntries(
		Object.entries(files).filter((entry): entry is [string, IBinaryData] => isFile(entry[1])),
	);
}

function isFile(value: unknown): boolean {
	return isRecord(value) && typeof value.mimeType === 'string' && typeof value.data === 'string';
}

/**
 * n8n's nodes pass the record of a file on as it is, and keep fields that they do not know. A file name or a media type
 * could belong to a document as well.
 */
const MARK = 'documentWorkflowReport';

/** Marks a file as a report of this package, so that it is not sent as a document. */
export function asReport(file: IBinaryData): IBinaryData {
	return { ...file, [MARK]: 'yes' };
}

/** Whether a file is a report that this package attached to an item. */
export function isReport(file: IBinaryData | undefined): boolean {
	return file?.[MARK] !== undefined;
}
