import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isRecord } from '../../../service/contract';
import { uniqueNames } from './selection';

export type OutputItem = Pick<INodeExecutionData, 'json' | 'binary'>;

/** A file of the input with the name of its field. */
type NamedFile = [fieldName: string, file: IBinaryData];

/**
 * The files that stay with an execution: those that were sent (`documents`), or all of its input item where the node sent nothing. They
 * are passed on as they came, by reference, so n8n stores their content once.
 */
export function filesOf(
	inputs: INodeExecutionData[],
	itemIndexes: number[],
	{ documents }: IDataObject,
): NamedFile[] {
	if (!Array.isArray(documents))
		return itemIndexes.flatMap((index) => Object.entries(inputs[index]?.binary ?? {}));
	return documents.flatMap((document): NamedFile[] => {
		const { itemIndex, fieldName } = isRecord(document) ? document : {};
		if (typeof itemIndex !== 'number' || typeof fieldName !== 'string') return [];
		const { binary = {} } = inputs[itemIndex] ?? {};
		const file = Object.hasOwn(binary, fieldName) ? binary[fieldName] : undefined;
		return file === undefined ? [] : [[fieldName, file]];
	});
}

/** Adds files to the first item, the report first. Files of the same field name get numbers: `data`, `data_2`. */
export function withFiles(
	items: IDataObject[],
	files: NamedFile[],
	report?: IBinaryData,
): OutputItem[] {
	const all: NamedFile[] = report === undefined ? files : [['report', report], ...files];
	const names = uniqueNames(all.map(([name]) => name));
	const binary = Object.fromEntries(all.map(([name, file], index) => [names[index] ?? name, file]));
	return items.map((json, index) => (index > 0 || all.length === 0 ? { json } : { json, binary }));
}
