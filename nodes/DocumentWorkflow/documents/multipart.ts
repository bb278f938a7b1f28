import type { JsonRecord } from '../../../service/contract';
import { FIELDS } from '../../../service/contract';
import type { FilePart, FormDataShaped, FormPart } from '../../../service/http';

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

/** The body of a create (published): a part `files` per document, and the text inputs as a JSON text where there are any. */
export function createBody(files: FilePart[], textInputs: JsonRecord): FormDataShaped {
	const body = new MultipartBody();
	for (const file of files) body.append(FIELDS.create.files, file);
	if (Object.keys(textInputs).length > 0) body.append(FIELDS.create.textInputs, JSON.stringify(textInputs));
	return body;
}
