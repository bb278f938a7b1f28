/**
 * The declared types of a step's values. The form of the schema is not published. Read are `properties` and `fields`, of
 * a record or of the `items` of a list; `fields` may be a list of fields with their names. Other fields have no type.
 */
import { FIELDS, isRecord, type Json, type JsonRecord, own } from './contract';

/** A plain text says nothing: services declare amounts and dates so. */
export type DeclaredType = 'number' | 'integer' | 'boolean' | 'date' | 'date-time';

const TYPES = new Map<Json | undefined, DeclaredType>(
	(['number', 'integer', 'boolean', 'date', 'date-time'] as const).map((type) => [type, type]),
);

/** What a step declares of its rows, if it names a field. */
export function schemaOf(data: Json | undefined): Json | undefined {
	for (let place = data, level = 0; isRecord(place) && level < 2; level++) {
		const schema = own(place, 'schema');
		if (schema !== undefined) return Object.keys(fieldsIn(schema)).length > 0 ? schema : undefined;
		place = own(place, FIELDS.step.rows);
	}
	return undefined;
}

/** What is declared of a field of a row, or of the rows of a nested table. */
export function schemaOfField(schema: Json | undefined, name: string): Json | undefined {
	return own(fieldsIn(schema), name);
}

/** The type of a value, also where it may be null as well. */
export function typeIn(schema: Json | undefined): DeclaredType | undefined {
	if (!isRecord(schema)) return undefined;
	const format = TYPES.get(own(schema, 'format'));
	if (format?.startsWith('date') === true) return format;
	const types = [own(schema, 'type')].flat().map((type) => TYPES.get(type));
	return types.find((type) => type !== undefined);
}

function fieldsIn(schema: Json | undefined): JsonRecord {
	if (!isRecord(schema)) return {};
	const items = own(schema, 'items');
	const place = isRecord(items) ? items : schema;
	const fields = own(place, 'properties') ?? own(place, 'fields') ?? {};
	if (!Array.isArray(fields)) return isRecord(fields) ? fields : {};
	const named = fields.filter(isRecord).map((field) => [own(field, 'name'), field] as const);
	return Object.fromEntries(named.filter(([name]) => typeof name === 'string')) as JsonRecord;
}
