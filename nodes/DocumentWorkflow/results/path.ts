import type { Json, JsonRecord } from '../../../service/contract';

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

/** In characters. Every path below a name repeats it (assumed). */
const MAX_NAME_LENGTH = 200;

/** The path of a field below `place`, as an n8n expression writes it. Very long names are cut. */
export function placeOf(place: string, name: string): string {
	const part = partOf(name);
	return place === '' && part.startsWith('.') ? part.slice(1) : place + part;
}

/** A path as an n8n expression writes it: `losses[2].paid`, `["Policy No."]`. */
export function textOf(path: Path): string {
	return path.reduce<string>(
		(place, part) => (typeof part === 'number' ? `${place}[${part}]` : placeOf(place, part)),
		'',
	);
}

/** A path with names as its text has them. */
export function shortened(path: Path): Array<string | number> {
	return path.map((part) => (typeof part === 'number' ? part : shortName(part)));
}

function shortName(name: string): string {
	return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name;
}

export function partOf(name: string): string {
	const short = shortName(name);
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
