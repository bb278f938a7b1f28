import { createHash } from 'crypto';
import type {
	IBinaryData,
	IBinaryKeyData,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { isRecord } from '../../../service/json';
import { failIfStopped } from '../connection/time';
import type { Skip } from '../about';
import type { Place } from '../panel/options';
import { completeName, readableName } from './names';
import { HEAD_BYTES, kindNamed, mediaTypeOf, skipByKind } from './types';

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
	/** SHA-256 of its content, in hexadecimal digits. Reads the document, unless that has been done. */
	hash(): Promise<string>;
}

export interface OpenedDocument {
	document: InputDocument;
	/** Its first bytes, at most HEAD_BYTES. */
	head: Buffer;
	/** Missing if its kind is sent. */
	skip?: Skip | undefined;
}

/** Opens a file. `isCompared`: its hash will be needed, so it is read as a whole. What is not wanted by its name is not read. */
export async function openDocument(
	{ context, itemIndex }: Place,
	fieldName: string,
	binary: IBinaryData,
	isCompared: boolean,
	isWanted: (fileName: string) => boolean = () => true,
): Promise<OpenedDocument> {
	const source = await sourceOf(context, binary);
	// The type may depend on the extension, which an encoded name hides. The extension may depend on the type.
	const name = readableName(givenName(binary), nameOfField(fieldName, binary));
	const mayBeWanted = kindNamed(name) === undefined || isWanted(completeName(name, ''));
	const isRead = source.bytes > 0 && mayBeWanted;
	const { head } = isRead ? await source.begin(isCompared) : { head: Buffer.alloc(0) };
	const mediaType = mediaTypeOf(binary.mimeType, name, head);
	const skip = skipByKind(binary.mimeType, name, head);
	const fileName = completeName(name, mediaType);
	return { document: { itemIndex, fieldName, fileName, mediaType, ...source }, head, skip };
}

/** In n8n's memory mode the item contains the bytes of its files; in the other modes they are streamed. */
async function sourceOf(context: IExecuteFunctions, { id: given, data }: IBinaryData) {
	const { helpers } = context;
	const id = given ?? undefined;
	if (id === undefined && typeof data !== 'string') throw new Error('it has no Base64 data');
	const held = () => Buffer.from(data, 'base64');
	const bytes = id === undefined ? held().length : (await helpers.getBinaryMetadata(id)).fileSize;
	const most = Math.min(Math.max(bytes, 1), MOST_READ_BYTES);
	const open = async function* (readBytes = most): AsyncGenerator<Uint8Array> {
		const chunks = id === undefined ? [held()] : await helpers.getBinaryStream(id, readBytes);
		for await (const chunk of chunks) {
			failIfStopped(context);
			yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
		}
	};
	let whole: { head: Buffer; sha256: string } | undefined;
	/** Reads the first bytes, or all unless that has been done. Returns the first ones, and the hash of what was read. */
	const begin = async (isWhole: boolean) => {
		if (whole !== undefined) return whole;
		const hash = createHash('sha256');
		const parts: Uint8Array[] = [];
		let length = 0;
		for await (const chunk of open(isWhole ? undefined : HEAD_BYTES)) {
			hash.update(chunk);
			parts.push(chunk.subarray(0, Math.max(0, HEAD_BYTES - length)));
			length += chunk.length;
			if (!isWhole && length >= HEAD_BYTES) break;
		}
		const begun = { head: Buffer.concat(parts), sha256: hash.digest('hex') };
		if (isWhole) whole = begun;
		return begun;
	};
	const hash = async () => (await begin(true)).sha256;
	return { bytes, reference: id ?? (await hash()), open, begin, hash };
}

/** n8n takes what is in front of a slash for a folder, and keeps it beside the name. */
export function givenName({ directory, fileName }: IBinaryData): unknown {
	const isPart = typeof directory === 'string' && !/^(?:[\\/.]|[a-z]:|$)/i.test(directory);
	return isPart && typeof fileName === 'string' ? `${directory}/${fileName}` : fileName;
}

/** n8n gives the extension "bin" to a file of unknown type. */
function nameOfField(fieldName: string, { fileExtension }: IBinaryData): string {
	const isKnown = typeof fileExtension === 'string' && !['', 'bin'].includes(fileExtension);
	return isKnown ? `${fieldName}.${fileExtension}` : fieldName;
}

/** Where an item has its files in the Binary Mode Combined. Source: BINARY_IN_JSON_PROPERTY of n8n-workflow 2. */
const FILES_IN_JSON = '_files';

/** An input item with its files in `binary`, wherever n8n keeps them. */
export function inputItem(context: IExecuteFunctions, itemIndex: number): INodeExecutionData {
	const item = withoutNull(context.getInputData()[itemIndex] ?? { json: {} });
	// In other n8n workflows such a field is not from n8n, and could name a file of another n8n execution.
	if (context.getWorkflowSettings().binaryMode !== 'combined') return item;
	const { [FILES_IN_JSON]: files, ...json } = item.json;
	if (!isRecord(files)) return item;
	return { ...item, json, binary: { ...filesIn(files), ...item.binary } };
}

/** Code nodes set a file to null to remove it, or all of them. */
function withoutNull(item: INodeExecutionData): INodeExecutionData {
	if (item.binary === undefined) return item;
	const { binary, ...rest } = item;
	const files = Object.entries(binary ?? {}).filter((entry) => (entry[1] as unknown) !== null);
	return files.length === 0 ? rest : { ...rest, binary: Object.fromEntries(files) };
}

/** The entries that have the shape of a file. */
export function filesIn(files: Record<string, unknown>): IBinaryKeyData {
	const isFile = (entry: [string, unknown]): entry is [string, IBinaryData] =>
		isRecord(entry[1]) &&
		typeof entry[1].mimeType === 'string' &&
		typeof entry[1].data === 'string';
	return Object.fromEntries(Object.entries(files).filter(isFile));
}
