import { createHash } from 'crypto';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { failIfStopped } from '../stop';
import { inputItem } from './inputItems';
import { repairFileName } from './names';
import { HEAD_BYTES, repairMediaType } from './types/mediaTypes';

/** n8n's default of 64 kB is slower than the network. Node takes as much memory for each read of a file, also of a shorter one. */
export const MOST_READ_BYTES = 256 * 1024;

/** A document of an input item, with its name and type repaired. */
export interface InputDocument {
	itemIndex: number;
	fieldName: string;
	fileName: string;
	mediaType: string;
	bytes: number;
	/** Different for different contents within one n8n execution. */
	reference: string;
	/** Reads the document from its beginning, at most `readBytes` at a time; may be called any number of times. */
	open(readBytes?: number): AsyncIterable<Uint8Array>;
}

/** A document with its first bytes, at most HEAD_BYTES. */
export interface OpenedDocument {
	document: InputDocument;
	head: Uint8Array;
	/** All of a small document, because opening a file again costs more than reading it. */
	content: Uint8Array | undefined;
}

/** Opens the file in a field of an item. In n8n's memory mode the item contains the file; in the other modes it is streamed. */
export async function openDocument(
	context: IExecuteFunctions,
	itemIndex: number,
	fieldName: string,
): Promise<OpenedDocument> {
	const binary = inputItem(context, itemIndex).binary?.[fieldName];
	if (binary === undefined)
		throw new NodeOperationError(
			context.getNode(),
			`The input item has no file in '${fieldName}'`,
			{
				itemIndex,
			},
		);
	const source = binary.id === undefined ? heldInMemory(binary) : await stored(context, binary.id);
	const isSmall = source.bytes <= MOST_READ_BYTES;
	const begin = await beginOf(source.open, isSmall ? source.bytes : HEAD_BYTES);
	const head = begin.subarray(0, HEAD_BYTES);
	// The type may depend on the extension, so decode an encoded name first. The extension may depend on the type.
	const plainName = repairFileName(binary.fileName, nameOfField(fieldName, binary), '');
	const mediaType = repairMediaType(binary.mimeType, plainName, head);
	const fileName = repairFileName(plainName, plainName, mediaType);
	const document = { itemIndex, fieldName, fileName, mediaType, ...source };
	return { document, head, content: isSmall ? begin : undefined };
}

type Source = Pick<InputDocument, 'bytes' | 'reference' | 'open'>;

function heldInMemory({ data }: IBinaryData): Source {
	const decode = () => Buffer.from(data, 'base64');
	const content = decode();
	return {
		bytes: content.length,
		reference: createHash('sha256').update(content).digest('hex'),
		open: async function* () {
			yield decode();
		},
	};
}

async function stored(context: IExecuteFunctions, id: string): Promise<Source> {
	const { fileSize } = await context.helpers.getBinaryMetadata(id);
	return {
		bytes: fileSize,
		reference: id,
		open: async function* (readBytes = Math.min(Math.max(fileSize, 1), MOST_READ_BYTES)) {
			for await (const chunk of await context.helpers.getBinaryStream(id, readBytes)) {
				failIfStopped(context);
				yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
			}
		},
	};
}

/** The first bytes of a document, at most `most`. */
async function beginOf(open: InputDocument['open'], most: number): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of open(Math.max(most, 1))) {
		chunks.push(chunk);
		length += chunk.length;
		if (length >= most) break;
	}
	return Buffer.concat(chunks).subarray(0, most);
}

/** n8n gives the extension "bin" to a file of unknown type. */
function nameOfField(fieldName: string, { fileExtension = '' }: IBinaryData): string {
	return fileExtension === '' || fileExtension === 'bin'
		? fieldName
		: `${fieldName}.${fileExtension}`;
}

/** SHA-256 of a document's content, in hexadecimal digits. Reads the whole document. */
export async function contentHash(document: InputDocument): Promise<string> {
	const hash = createHash('sha256');
	for await (const chunk of document.open()) hash.update(chunk);
	return hash.digest('hex');
}
