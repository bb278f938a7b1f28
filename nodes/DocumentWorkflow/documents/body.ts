import type { CreateSettings } from '../../../credentials/createSettings';
import type { CreateFieldNames, JsonRecord } from '../../../service/contract';
import type { FilePart, FormDataShaped, FormPart } from '../../../service/http';

/** The content of a create, without its documents. */
export interface Content {
	textInputs: JsonRecord;
	metadata: JsonRecord;
	/** Additional body fields, named as the service names them. */
	additional: JsonRecord;
}

/** A form that can be sent repeatedly. It opens its files each time, and keeps none of their bytes. */
class MultipartBody implements FormDataShaped {
	readonly [Symbol.toStringTag] = 'FormData';

	private readonly parts: Array<[string, FormPart]> = [];

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
	files: FilePart[],
	fileUrls: string[],
	content: Content,
	{ names, fileAccess }: CreateSettings,
): FormDataShaped | JsonRecord {
	const { additional } = content;
	const fields = fieldsOf(content, names);
	if (fileUrls.length > 0)
		return { ...additional, ...fileAccess, [names.fileUrls]: fileUrls, ...fields };
	const form = new MultipartBody();
	for (const file of files) form.append(names.files, file);
	for (const [name, value] of [...Object.entries(fields), ...Object.entries(additional)])
		form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
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
