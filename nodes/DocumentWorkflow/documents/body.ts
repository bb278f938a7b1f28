import type { CreateFieldNames, JsonRecord } from '../../../service/contract';
import type { FilePart, FormDataShaped, FormPart } from '../../../service/http';

/** What a create says beside its documents. */
export interface Accompaniment {
	textInputs: JsonRecord;
	metadata: JsonRecord;
	/** Further fields of the body, by the names of the service. */
	additional: JsonRecord;
}

/** A form that can be sent any number of times: it opens its files anew each time, and holds none of their bytes. */
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
 * The body of a create with files (published): a part per document, text inputs as a JSON text where there are any; metadata in
 * the same way, and further fields as texts, or as JSON where they are no texts (assumed).
 */
export function multipartBody(
	files: FilePart[],
	{ textInputs, metadata, additional }: Accompaniment,
	names: CreateFieldNames,
): FormDataShaped {
	const body = new MultipartBody();
	for (const file of files) body.append(names.files, file);
	if (hasEntries(textInputs)) body.append(names.textInputs, JSON.stringify(textInputs));
	if (hasEntries(metadata)) body.append(names.metadata, JSON.stringify(metadata));
	for (const [name, value] of Object.entries(additional))
		body.append(name, typeof value === 'string' ? value : JSON.stringify(value));
	return body;
}

/** The body of a create whose files the service fetches itself (published; metadata and further fields: assumed). */
export function jsonBody(
	fileUrls: string[],
	{ textInputs, metadata, additional }: Accompaniment,
	names: CreateFieldNames,
): JsonRecord {
	return {
		...additional,
		[names.fileUrls]: fileUrls,
		...(hasEntries(textInputs) ? { [names.textInputs]: textInputs } : {}),
		...(hasEntries(metadata) ? { [names.metadata]: metadata } : {}),
	};
}

function hasEntries(record: JsonRecord): boolean {
	return Object.keys(record).length > 0;
}
