import type { Cell, Json, JsonRecord } from '../../../service/contract';
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

const NONE: never[] = [];

type Required = ReadonlySet<string>;

/** The value of a cell without cells in it, and what is open there. Most texts need no list. */
export function readCell(
	{ value: given, inner }: Cell,
	name: string,
	required: Required,
	reader: TextReader,
): { value: Json; open: OpenValue[] } {
	const isNested = typeof given === 'object' && given !== null;
	let open: OpenValue[] = NONE;
	let value = given;
	if (inner === undefined && (isNested || typeof given === 'string')) {
		const found: OpenValue[] = [];
		value = converted(given, '', reader, required, found);
		if (found.length > 0) open = found;
	}
	if (required.has(name) && (isMissing(given) || value === null))
		open = [...open, { within: '', isMissing: true, value: null, needed: reader.type }];
	return { value, open };
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
			if (required.has(name) && (isMissing(each) || read === null))
				open.push({ within: place, isMissing: true, value: null, needed: field.type });
			return read;
		},
	);
}
