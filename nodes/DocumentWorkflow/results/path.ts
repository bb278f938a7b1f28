import type { IDataObject } from 'n8n-workflow';

import type { Json } from '../../../service/contract';
import { isRecord } from '../../../service/contract';

/** A part of a path: `.name`, `[0]` or `["name"]`. */
const PART = /\.?([^.[\]]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;

/** The names and positions in a path as `placeOf` writes it; empty when it is none. */
export function partsOf(path: string): Array<string | number> {
	const parts: Array<string | number> = [];
	PART.lastIndex = 0;
	while (PART.lastIndex < path.length) {
		const [, name, row, quoted] = PART.exec(path) ?? [];
		if (quoted !== undefined) parts.push(unquoted(quoted));
		else if (name !== undefined) parts.push(name);
		else if (row !== undefined) parts.push(Number(row));
		else return [];
	}
	return parts;
}

function unquoted(text: string): string {
	try {
		return String(JSON.parse(text));
	} catch {
		return text;
	}
}

/** The value at a path; undefined where there is none. */
export function valueAt(within: unknown, parts: Array<string | number>): Json | undefined {
	let value: unknown = within;
	for (const part of parts) {
		const isThere = Array.isArray(value)
			? typeof part === 'number'
			: isRecord(value) && Object.hasOwn(value, part);
		if (!isThere) return undefined;
		value = (value as Record<string | number, unknown>)[part];
	}
	return value as Json | undefined;
}

/** A copy with another value at a path that exists. */
export function withValueAt(
	within: IDataObject,
	[part, ...parts]: Array<string | number>,
	value: Json,
): IDataObject {
	return replaced(within, part, parts, value) as IDataObject;
}

/** Object.fromEntries keeps a name such as __proto__ as an ordinary field. */
function replaced(
	within: unknown,
	part: string | number | undefined,
	[next, ...parts]: Array<string | number>,
	value: Json,
): unknown {
	const isHere = (key: string | number) => String(key) === String(part);
	const valueOf = (inner: unknown) =>
		next === undefined ? value : replaced(inner, next, parts, value);
	if (Array.isArray(within))
		return within.map((inner: unknown, index) => (isHere(index) ? valueOf(inner) : inner));
	return Object.fromEntries(
		Object.entries(within ?? {}).map(([name, inner]) => [
			name,
			isHere(name) ? valueOf(inner) : (inner as unknown),
		]),
	);
}
