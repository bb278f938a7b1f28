import type { Json, JsonRecord } from '../../../service/contract';

/** A value that one column of a table can hold. */
export type Flat = string | number | boolean | null;

/**
 * A list or record as text for people: `a, b`; a table has a line for each row, `coverage: Building; limit: 2400000`. What is empty
 * is left out. Any other value is unchanged.
 */
export function flat(value: Json): Flat {
	if (typeof value !== 'object' || value === null) return value;
	if (!Array.isArray(value)) return fieldsOf(value) || null;
	const isTable = value.some((each) => typeof each === 'object' && each !== null);
	return joined(value.map(inLine), isTable ? '\n' : ', ') || null;
}

function inLine(value: Json): string {
	if (typeof value !== 'object' || value === null) return String(value ?? '');
	return Array.isArray(value) ? joined(value.map(inner), ', ') : fieldsOf(value);
}

/** Parentheses keep apart what belongs to a value within a line. */
function inner(value: Json): string {
	const text = inLine(value);
	return typeof value === 'object' && value !== null && text !== '' ? `(${text})` : text;
}

function fieldsOf(record: JsonRecord): string {
	const texts = Object.entries(record).map(([name, value]) => {
		const text = inner(value);
		return text === '' ? '' : `${name}: ${text}`;
	});
	return joined(texts, '; ');
}

function joined(texts: string[], separator: string): string {
	return texts.filter((text) => text !== '').join(separator);
}
