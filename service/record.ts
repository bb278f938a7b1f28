import type { Json, JsonRecord } from './contract';

/** A field of the record itself; inherited ones such as `constructor` do not count. */
export function own(record: JsonRecord, name: string): Json | undefined {
	return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** The first of some fields that holds a text or a number. */
export function firstText(record: JsonRecord, names: readonly string[]): string | undefined {
	for (const name of names) {
		const value = own(record, name);
		if (typeof value === 'string' && value.trim() !== '') return value.trim();
		if (typeof value === 'number') return String(value);
	}
	return undefined;
}
