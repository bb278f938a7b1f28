import type { Json, JsonRecord } from '../../../service/contract';
import { partOf, recordOf } from './path';
import type { TextReader } from './texts';
import { isMissing } from './texts';
import type { ValueType } from './values/convert';

/** A value that a person has to enter or convert. `needed`: what it should be. */
export interface OpenValue {
	within: string;
	isMissing: boolean;
	value: Json;
	needed: ValueType | 'text';
}

/** As outputs list it, with its path. */
export interface OpenField extends JsonRecord {
	field: string;
	step: string | null;
	value: Json;
	type: ValueType | 'text';
	reason: string;
}

type Required = ReadonlySet<string>;

/** The value of a list or record without cells, and what is open in it. */
export function readNested(
	given: Json,
	required: Required,
	reader: TextReader,
): { value: Json; open: OpenValue[] } {
	const open: OpenValue[] = [];
	return { value: converted(given, '', reader, required, open), open };
}

/** Whether a required field has no value. */
export function lacksValue(given: Json, value: Json, name: string, required: Required): boolean {
	return required.size > 0 && required.has(name) && (isMissing(given) || value === null);
}

/** A value with its texts converted; those of a list or record too. What stays text, and should not, is added to `open`. */
function converted(
	value: Json,
	within: string,
	reader: TextReader,
	required: Required,
	open: OpenValue[],
): Json {
	if (typeof value === 'string') {
		const { value: read = value, needed } = reader.read(value);
		if (needed !== undefined) open.push({ within, isMissing: false, value, needed });
		return read;
	}
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value))
		return value.map((each, at) => converted(each, `${within}[${at}]`, reader, required, open));
	return recordOf(
		Object.entries(value).map(([name, each]) => [name, { name, each }] as const),
		({ name, each }) => {
			const place = within + partOf(name);
			const field = reader.within(name);
			const read = converted(each, place, field, required, open);
			if (lacksValue(each, read, name, required))
				open.push({ within: place, isMissing: true, value: null, needed: field.type });
			return read;
		},
	);
}
