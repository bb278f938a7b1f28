import { isRecord, type Json, type JsonRecord } from '../../../service/contract';

/** The names and positions from the outside to a value. */
export type Path = ReadonlyArray<string | number>;

/** A part of a path: `.name`, `[0]` or `["name"]`, where the name is a text in JSON. */
const PART =
	/\.?([^.[\]]+)|\[(\d+)\]|\[("(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*")\]/iuy;

/** The parts of a path as `placeOf` writes it; empty when it is none. */
export function partsOf(path: string): Path {
	const parts: Array<string | number> = [];
	PART.lastIndex = 0;
	while (PART.lastIndex < path.length) {
		const [, name, row, quoted] = PART.exec(path) ?? [];
		if (quoted !== undefined) parts.push(JSON.parse(quoted) as string);
		else if (name !== undefined) parts.push(name);
		else if (row !== undefined) parts.push(Number(row));
		else return [];
	}
	return parts;
}

/** A path for people: `losses[0].date_of_loss` is "losses, row 1: date of loss". */
export function placeInWords(parts: Path): string {
	return parts
		.map((part, index) => {
			if (typeof part === 'number') return `, row ${part + 1}`;
			const isPlain = /^[a-z\d]+(?:[_-][a-z\d]+)*$/.test(part);
			return (index === 0 ? '' : ': ') + (isPlain ? part.replaceAll(/[_-]/g, ' ') : part);
		})
		.join('');
}

/** The value at a path; undefined where there is none. */
export function valueAt(within: Json, parts: Path): Json | undefined {
	let value: Json | undefined = within;
	for (const part of parts) {
		if (typeof part === 'number') value = Array.isArray(value) ? value[part] : undefined;
		else value = isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined;
	}
	return value;
}

/** A copy with another value at a path that exists. */
export function withValueAt(within: Json, [part, ...parts]: Path, value: Json): Json {
	if (part === undefined) return value;
	if (Array.isArray(within))
		return within.map((inner, at) => (at === part ? withValueAt(inner, parts, value) : inner));
	// Object.fromEntries keeps a name such as __proto__ as an ordinary field.
	return Object.fromEntries(
		Object.entries(within ?? {}).map(([name, inner]: [string, Json]) => [
			name,
			name === part ? withValueAt(inner, parts, value) : inner,
		]),
	);
}

/** In characters. Every path below a name repeats it (assumed). */
const MAX_NAME_LENGTH = 200;

/** The path of a field below `place`, as an n8n expression writes it. Very long names are cut. */
export function placeOf(place: string, name: string): string {
	const part = partOf(name);
	return place === '' && part.startsWith('.') ? part.slice(1) : place + part;
}

export function partOf(name: string): string {
	const short = name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name;
	return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(short)
		? `.${short}`
		: `[${JSON.stringify(short)}]`;
}

/** A record of what is picked from each entry. */
export function recordOf<T extends { name: string }>(
	entries: readonly T[],
	pick: (each: T) => Json,
): JsonRecord {
	const record: JsonRecord = {};
	for (const each of entries) {
		// Only a defined __proto__ is an ordinary field.
		if (each.name !== '__proto__') record[each.name] = pick(each);
		else Object.defineProperty(record, each.name, { ...ORDINARY, value: pick(each) });
	}
	return record;
}

const ORDINARY = { configurable: true, enumerable: true, writable: true };
