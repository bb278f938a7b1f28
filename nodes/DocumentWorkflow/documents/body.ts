import type { FileAccess } from '../../../credentials/settings';
import { FIELDS, type Json, type JsonRecord } from '../../../service/contract';
import { fault } from '../../../service/errors';
import type { Fault, FormDataShaped, FormPart, JsonShaped } from '../../../service/http';
import type { SentDocument } from './sent';

export interface Content {
	textInputs: JsonRecord;
	metadata: JsonRecord;
	/** Additional body fields, named as the service names them. */
	additional: JsonRecord;
}

export const NO_CONTENT: Content = { textInputs: {}, metadata: {}, additional: {} };

/** A form that opens its files each time it is sent. They are its last parts: the closing boundary leaves after the last was read. */
class MultipartBody implements FormDataShaped {
	readonly [Symbol.toStringTag] = 'FormData';

	private readonly parts: Array<[string, FormPart]> = [];

	constructor(private readonly files: SentDocument[]) {}

	begin(whenComplete: () => void): void {
		const last = this.files.at(-1);
		if (last === undefined) whenComplete();
		else last.begin(whenComplete);
	}

	end(): boolean {
		for (const file of this.files) file.close();
		return this.files.at(-1)?.isRead !== false;
	}

	append(name: string, part: FormPart): void {
		this.parts.push([name, part]);
	}

	entries(): IterableIterator<[string, FormPart]> {
		return this.parts.values();
	}

	readonly [Symbol.iterator] = () => this.entries();
}

/**
 * The body of a create: a form with one part per file, or JSON when the service fetches the files itself (published). Form values are
 * texts, or JSON for everything else (published for text inputs, assumed for the others).
 */
export function createBody(
	files: SentDocument[],
	fileUrls: string[],
	content: Content,
	fileAccess: FileAccess,
): FormDataShaped | JsonShaped {
	const fields = bodyFields(content, fileAccess, fileUrls).flatMap(({ name, value }) =>
		value === undefined ? [] : [[name, value] as const],
	);
	// Of a plain object axios drops names such as `constructor` without a word, at every depth.
	if (fileUrls.length > 0) return { toJSON: () => Object.fromEntries(fields) };
	const form = new MultipartBody(files);
	for (const [name, value] of fields)
		form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
	for (const file of files) form.append(FIELDS.create.files, file);
	return form;
}

const FILE_ACCESS = "'File Access Fields (JSON)' in the credential";

/** Why no body can be built: a name that two sources give, or unusable file access fields. Undefined when it can. */
export function bodyFault(
	content: Content,
	fileAccess: FileAccess,
	fileUrls: string[],
): Fault | undefined {
	const { mistake } = fileAccess;
	if (mistake !== undefined && fileUrls.length > 0)
		return fault(
			`${FILE_ACCESS} ${mistake.message}`,
			`${mistake.advice} in the Document Workflow API credential`,
		);
	const sources = new Map<string, string>();
	for (const { name, source } of bodyFields(content, fileAccess, fileUrls)) {
		const other = sources.get(name);
		if (other !== undefined)
			return fault(
				`The request field '${name}' is set twice: by ${other} and by ${source}`,
				'Remove or rename it in one of the two',
			);
		sources.set(name, source);
	}
	return undefined;
}

interface BodyField {
	name: string;
	/** For messages. */
	source: string;
	/** Undefined for a field that is not sent as a value this time. Its name is reserved all the same. */
	value: Json | undefined;
}

/** Add a new body field here, and its name in the wire contract. */
function bodyFields(
	{ textInputs, metadata, additional }: Content,
	fileAccess: FileAccess,
	fileUrls: string[],
): BodyField[] {
	const from = (source: string, fields: JsonRecord): BodyField[] =>
		Object.entries(fields).map(([name, value]) => ({ name, source, value }));
	const names = FIELDS.create;
	return [
		{ name: names.files, source: 'the files', value: undefined },
		{ name: names.fileUrls, source: 'the file URLs', value: unlessEmpty(fileUrls) },
		{ name: names.textInputs, source: 'the text inputs', value: unlessEmpty(textInputs) },
		{ name: names.metadata, source: 'the metadata', value: unlessEmpty(metadata) },
		...from(FILE_ACCESS, fileUrls.length === 0 ? {} : fileAccess.fields),
		...from('an additional field', additional),
	];
}

function unlessEmpty<T extends JsonRecord | string[]>(value: T): T | undefined {
	return Object.keys(value).length === 0 ? undefined : value;
}
