/**
 * The declared types of a step's values. The form of the schema is not published. Read are a JSON schema, and flat forms: a type for
 * each field, or a list of fields with name and type.
 */
import { FIELDS, isRecord, type Json, type JsonRecord, own, type Schema } from './contract';

/** A plain text says nothing: services declare amounts and dates so. */
export type DeclaredType = 'number' | 'integer' | 'boolean' | 'date' | 'date-time';

const TYPES = new Map<Json | undefined, DeclaredType>(
	(['number', 'integer', 'boolean', 'date', 'date-time'] as const).map((type) => [type, type]),
);

/** How deep lists, alternatives and references are followed. A reference may point to itself. */
const MAX_LEVELS = 8;

/** What a step declares of the fields of its rows, where it does. */
export function schemaOf(data: Json | undefined): Schema | undefined {
	for (let place = data, level = 0; isRecord(place) && level < 2; level++) {
		const node = own(place, 'schema');
		const fields = Object.keys(fieldsIn(node, node) ?? {});
		if (node !== undefined) return fields.length > 0 ? { node, root: node } : undefined;
		place = own(place, FIELDS.step.rows);
	}
	return undefined;
}

/** What is declared of a field of a row, or of the rows of a list. */
export function schemaOfField(schema: Schema | undefined, name: string): Schema | undefined {
	const fields = fieldsIn(schema?.node, schema?.root);
	if (fields === undefined) return undefined;
	return { node: own(fields, name), root: schema?.root };
}

/** The type of a value, or of each value of a list. */
export function typeIn({ node, root }: Schema, levels = MAX_LEVELS): DeclaredType | undefined {
	if (!isRecord(node)) return TYPES.get(node);
	const format = TYPES.get(own(node, 'format'));
	const named = [own(node, 'type')].flat().map((type) => TYPES.get(type));
	const type = format?.startsWith('date') === true ? format : named.find(Boolean);
	if (type !== undefined || levels === 0) return type;
	const cell = own(fieldsIn(node, root) ?? {}, FIELDS.cell.value);
	for (const inner of [...innerOf(node, root), cell])
		if (inner !== undefined) {
			const found = typeIn({ node: inner, root }, levels - 1);
			if (found !== undefined) return found;
		}
	return undefined;
}

function fieldsIn(
	node: Json | undefined,
	root: Json | undefined,
	levels = MAX_LEVELS,
): Record<string, Json> | undefined {
	if (Array.isArray(node)) return byName(node);
	if (!isRecord(node) || levels === 0) return undefined;
	for (const name of ['properties', 'fields']) {
		const fields = own(node, name);
		if (isRecord(fields)) return fields;
		if (Array.isArray(fields)) return byName(fields);
	}
	const inner = innerOf(node, root);
	if (inner.length > 0)
		return inner
			.map((each) => fieldsIn(each, root, levels - 1))
			.find((found) => found !== undefined);
	const isFlat = Object.values(node).every(
		(each) => TYPES.has(each) || each === 'string' || isRecord(each),
	);
	return isFlat ? node : undefined;
}

/** The schemas that stand for this one. */
function innerOf(node: Record<string, Json>, root: Json | undefined): Json[] {
	const alternatives = ['anyOf', 'oneOf', 'allOf'].flatMap((name) => own(node, name) ?? []);
	const items = own(node, 'items');
	const reference = own(node, '$ref');
	const referred = typeof reference === 'string' ? definitionIn(root, reference) : undefined;
	return [items, referred, ...alternatives].filter((each) => each !== undefined);
}

/** `#/$defs/Loss` */
function definitionIn(root: Json | undefined, reference: string): Json | undefined {
	const [start, ...names] = reference.slice(0, 500).split('/');
	let place = start === '#' ? root : undefined;
	for (const name of names) place = isRecord(place) ? own(place, name) : undefined;
	return place;
}

function byName(list: Json[]): Record<string, Json> {
	const fields = list.filter(isRecord).map((entry) => [own(entry, 'name'), entry] as const);
	return Object.fromEntries(fields.filter(([name]) => typeof name === 'string')) as JsonRecord;
}
