/**
 * The declared types of a step's values. The form of the schema is not published. Read are `properties` and `fields`, of
 * a record or of the `items` of a list; `fields` may be a list of fields with their names. Other fields have no type.
 */
import type { DeclaredType, Json, JsonRecord, Schema } from './contract';
import { FIELDS, isRecord, recordsUnder, valuesUnder } from './contract';

export const UNDECLARED: Schema = { type: undefined, fields: new Map() };

const DATES = typesOf('date', 'date-time');
const TYPES = typesOf('number', 'integer', 'boolean', 'date', 'date-time');

function typesOf(...types: DeclaredType[]): ReadonlyMap<Json | undefined, DeclaredType> {
	return new Map(types.map((type) => [type, type]));
}

export function schemaOf(data: Json | undefined): Schema {
	const places = isRecord(data) ? [data, ...recordsUnder(data, [FIELDS.step.rows])] : [];
	const [schema = null] = places.flatMap((place) => valuesUnder(place, ['schema']));
	return readSchema(schema);
}

function readSchema(json: Json): Schema {
	if (!isRecord(json)) return UNDECLARED;
	const fields = fieldsIn(json).map(([name, field]) => [name, readSchema(field)] as const);
	return { type: typeIn(json), fields: new Map(fields) };
}

/** The type of a value, also where it may be null as well. */
function typeIn(schema: JsonRecord): DeclaredType | undefined {
	const [format] = valuesUnder(schema, ['format']);
	const types = valuesUnder(schema, ['type']).flat();
	return DATES.get(format) ?? types.map((type) => TYPES.get(type)).find(Boolean);
}

function fieldsIn(schema: JsonRecord): Array<[string, Json]> {
	const [place = schema] = recordsUnder(schema, ['items']);
	const fields = valuesUnder(place, ['properties', 'fields']).find((each) => each !== null);
	if (!Array.isArray(fields)) return isRecord(fields) ? Object.entries(fields) : [];
	return fields.filter(isRecord).flatMap((field): Array<[string, Json]> => {
		const [name] = valuesUnder(field, ['name']);
		return typeof name === 'string' ? [[name, field]] : [];
	});
}
