import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { FilePart } from '../../../service/http';

/** n8n reads 64 kB at a time unless told; large reads keep an upload at the speed of the network. */
const READ_SIZE_BYTES = 1024 * 1024;

/**
 * The names in 'Input Data Field Name', for example "data, attachment_0"; an expression may also give a list of names.
 * @throws NodeOperationError when it holds something else, such as a file instead of the name of its field
 */
export function readFieldNames(context: IExecuteFunctions, itemIndex: number): string[] {
	const given: unknown = context.getNodeParameter('inputDataFieldName', itemIndex, '');
	const texts: unknown[] = Array.isArray(given) ? given : [given ?? ''];
	if (!texts.every((text) => typeof text === 'string')) {
		throw new NodeOperationError(context.getNode(), "'Input Data Field Name' must be the name of a field, and it is something else", {
			itemIndex,
			description: 'Enter the name as text, e.g. data, and not the file itself',
		});
	}
	return [...new Set(texts.join(',').split(',').map((name) => name.trim()).filter(Boolean))];
}

/**
 * The documents of an item, in the order of the names.
 * @throws NodeOperationError naming the field and what the item holds instead, before anything is sent
 */
export async function documentsOf(context: IExecuteFunctions, itemIndex: number, fieldNames: string[]): Promise<FilePart[]> {
	const binary = context.getInputData()[itemIndex]?.binary ?? {};
	const missing = fieldNames.filter((name) => binary[name] === undefined);
	if (missing.length > 0) {
		const present = Object.keys(binary);
		throw new NodeOperationError(
			context.getNode(),
			`The input item has no ${missing.length === 1 ? 'file' : 'files'} in ${missing.map(quoted).join(', ')}`,
			{
				itemIndex,
				description:
					present.length === 0
						? "The item carries no files at all. Connect a node that outputs files, or clear 'Input Data Field Name' to send text inputs only"
						: `Set 'Input Data Field Name' to what is there: ${present.map(quoted).join(', ')}`,
			},
		);
	}
	const documents: FilePart[] = [];
	for (const fieldName of fieldNames) documents.push(await documentOf(context, itemIndex, fieldName));
	return documents;
}

async function documentOf(context: IExecuteFunctions, itemIndex: number, fieldName: string): Promise<FilePart> {
	const binary = context.helpers.assertBinaryData(itemIndex, fieldName);
	const { size, stream } = binary.id === undefined ? await heldInMemory(context, itemIndex, fieldName) : await stored(context, binary.id);
	if (size === 0) {
		throw new NodeOperationError(context.getNode(), `The file in ${quoted(fieldName)} (${nameOf(binary, fieldName)}) is empty`, {
			itemIndex,
			description: 'Leave the item out, or find out why the node before gives an empty file',
		});
	}
	return { name: nameOf(binary, fieldName), type: binary.mimeType || 'application/octet-stream', size, stream };
}

type Source = Pick<FilePart, 'size' | 'stream'>;

/** In n8n's memory mode the file is part of the item. */
async function heldInMemory(context: IExecuteFunctions, itemIndex: number, fieldName: string): Promise<Source> {
	const bytes = await context.helpers.getBinaryDataBuffer(itemIndex, fieldName);
	return {
		size: bytes.length,
		stream: async function* () {
			yield bytes;
		},
	};
}

/** In the other modes the item holds a reference, and the file is read while it is sent. */
async function stored(context: IExecuteFunctions, id: string): Promise<Source> {
	const { fileSize } = await context.helpers.getBinaryMetadata(id);
	return {
		size: fileSize,
		stream: async function* () {
			for await (const chunk of await context.helpers.getBinaryStream(id, READ_SIZE_BYTES)) {
				yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
			}
		},
	};
}

function nameOf({ fileName, fileExtension }: IBinaryData, fieldName: string): string {
	if (fileName !== undefined && fileName.trim() !== '') return fileName;
	return fileExtension === undefined || fileExtension === '' ? fieldName : `${fieldName}.${fileExtension}`;
}

function quoted(name: string): string {
	return `'${name}'`;
}
