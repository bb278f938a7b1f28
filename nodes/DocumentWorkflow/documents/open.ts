import { createHash } from 'crypto';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { failIfStopped } from '../connection/time';
import { completeName, readableName } from './names';
import { HEAD_BYTES, mediaTypeOf } from './types';

/** n8n's default of 64 kB is slower than the network. Node takes as much memory for each read, also of less. */
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
	head: Buffer;
}

/** Opens a file. In n8n's memory mode the item contains its bytes; in the other modes they are streamed. */
export async function openDocument(
	context: IExecuteFunctions,
	itemIndex: number,
	fieldName: string,
	binary: IBinaryData,
): Promise<OpenedDocument> {
	const source = binary.id === undefined ? heldInMemory(binary) : await stored(context, binary.id);
	const head = await beginOf(source.open);
	// The type may depend on the extension, which an encoded name hides. The extension may depend on the type.
	const name = readableName(binary.fileName, nameOfField(fieldName, binary));
	const mediaType = mediaTypeOf(binary.mimeType, name, head);
	const fileName = completeName(name, mediaType);
	return { document: { itemIndex, fieldName, fileName, mediaType, ...source }, head };
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

async function beginOf(open: InputDocument['open']): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of open(HEAD_BYTES)) {
		chunks.push(chunk);
		length += chunk.length;
		if (length >= HEAD_BYTES) break;
	}
	return Buffer.concat(chunks).subarray(0, HEAD_BYTES);
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
