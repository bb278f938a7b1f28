import type { CreateSettings } from '../../../credentials/createSettings';
import type { CreateFieldNames, JsonRecord } from '../../../service/contract';
import type { FormDataShaped, FormPart } from '../../../service/http';
import type { SentDocument } from './sent';

/** The content of a create, without its documents. */
export interface Content {
	textInputs: JsonRecord;
	metadata: JsonRecord;
	/** Additional body fields, named as the service names them. */
	additional: JsonRecord;
}

/**
 * A form that can be sent repeatedly. It opens its files each time, and keeps none of their bytes. Its files are the last parts: the
 * closing boundary leaves after the last file was read.
 */
class MultipartBody implements FormDataShaped {
	readonly [Symbol.toStringTag] = 'FormData';

	private readonly parts: Array<[string, FormPart]> = [];

	constructor(private readonly files: SentDocument[]) {}

	begin(whenComplete: () => void = () => undefined): void {
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

	[Symbol.iterator](): IterableIterator<[string, FormPart]> {
		return this.entries();
	}
}

/**
 * The body of a create: a form with one part per file, or JSON when the service fetches the files itself (published). Form values are
 * texts, or JSON for everything else (published for text inputs, assumed for the others).
 */
export function createBody(
	files: SentDocument[],
	fileUrls: string[],
	content: Content,
	{ names, fileAccess }: CreateSettings,
): FormDataShaped | JsonRecord {
	const { additional } = content;
	const fields = fieldsOf(content, names);
	if (fileUrls.length > 0)
		return { ...additional, ...fileAccess, [names.fileUrls]: fileUrls, ...fields };
	const form = new MultipartBody(files);
	for (const [name, value] of [...Object.entries(fields), ...Object.entries(additional)])
		form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
	for (const file of files) form.append(names.files, file);
	return form;
}

/** Add a new body field here, and its name in the wire contract. */
function fieldsOf({ textInputs, metadata }: Content, names: CreateFieldNames): JsonRecord {
	return {
		...unlessEmpty(names.textInputs, textInputs),
		...unlessEmpty(names.metadata, metadata),
	};
}

function unlessEmpty(name: string, value: JsonRecord | string): JsonRecord {
	return Object.keys(value).length === 0 ? {} : { [name]: value };
}
