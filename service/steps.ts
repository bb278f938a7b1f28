/** The steps of an answer: their rows, what they declare of values, and what went wrong in them. */
import { isAtUrl, withoutQueries } from './atUrl';
import { holdsScore, isRowOfCells } from './cells';
import type { DeclaredType, Json, JsonRecord, Schema, Step } from './contract';
import { FIELDS, SPELLINGS, UNDECLARED } from './contract';
import type { FieldsOf } from './json';
import { textUnder, isRecord, readFields, recordsUnder, allUnder, valuesWithin } from './json';
import { readFault } from './reason';
import { meaningOfStatus } from './status';
import { plainText } from './text';

/** Records around the rows. A whole step in place of its data is two. */
const MAX_WRAPPINGS = 2;

/** In characters. Every row of a step repeats its name. */
const MAX_NAME_LENGTH = 500;

export function isEmpty(data: Json | undefined): data is '' | null | undefined {
	if (typeof data === 'object' && data !== null) return Object.keys(data).length === 0;
	return data === undefined || data === null || data === '';
}

/** The steps of an answer: a list (published), a record of steps by name, or a single step. */
export function stepsIn(data: Json | undefined, secrets: readonly string[] = []): Step[] {
	const steps = readSteps(data, secrets);
	const unique = uniqueNames(steps.map(({ stepName }) => stepName));
	return steps.map((step, index) => ({ ...step, name: unique[index] ?? step.stepName }));
}

/** The names in order; a repeated one gets a number: `data`, `data_2`. */
export function uniqueNames(names: string[]): string[] {
	const taken = new Set<string>();
	const numbers = new Map<string, number>();
	return names.map((given) => {
		let name = given;
		for (let number = numbers.get(given) ?? 2; taken.has(name); number++) {
			name = `${given}_${number}`;
			numbers.set(given, number + 1);
		}
		taken.add(name);
		return name;
	});
}

type StepContent = Omit<Step, 'name'>;

/** What is read of a record around rows. */
const WRAPPER = {
	name: textUnder(SPELLINGS.stepName),
	status: textUnder(SPELLINGS.status),
	data: allUnder(SPELLINGS.rows),
	faults: allUnder(SPELLINGS.faults),
	faultsInMetadata: valuesWithin([FIELDS.execution.metadata], SPELLINGS.faults),
	schemas: allUnder(['schema']),
	schemasInData: valuesWithin([FIELDS.step.rows], ['schema']),
};

/** A step, its data, or what is in that; as a record, read once. */
interface Content {
	json: Json;
	/** Undefined where it is no record. */
	wrapper: Wrapper | undefined;
}

interface Wrapper extends FieldsOf<typeof WRAPPER> {
	/** Whether it is a row: then its fields are no words about rows. */
	isRow: boolean;
	within: Content[];
}

/** `levels`: how many records may be within each other. */
function readLayers(json: Json, levels: number): Content {
	const fields = readFields(json, WRAPPER);
	if (fields === undefined) return { json, wrapper: undefined };
	const data = levels > 0 ? fields.data : [];
	const within = data.map((each) => readLayers(each, levels - 1));
	return { json, wrapper: { ...fields, isRow: isRowOfCells(fields.record), within } };
}

function readSteps(data: Json | undefined, secrets: readonly string[]): StepContent[] {
	if (isEmpty(data)) return [];
	if (Array.isArray(data))
		return data.map((step, index) => readStep(readLayers(step, MAX_WRAPPINGS + 1), index, secrets));
	const only = readLayers(data, MAX_WRAPPINGS + 1);
	if (only.wrapper?.name !== undefined && dataIn(only.wrapper) !== undefined)
		return [readStep(only, 0, secrets)];
	const named = only.wrapper?.record ?? { [FIELDS.execution.steps]: data };
	return Object.entries(named).map(([name, each]) => readStepData(name, each, secrets));
}

function readStep(
	{ json, wrapper }: Content,
	index: number,
	secrets: readonly string[],
): StepContent {
	const unnamed = `step_${index + 1}`;
	if (wrapper === undefined) return readStepData(unnamed, json, secrets);
	const notData = [...SPELLINGS.stepName, FIELDS.step.data];
	const others = Object.entries(wrapper.record).filter(([name]) => !notData.includes(name));
	const rest = others.length === 0 ? null : Object.fromEntries(others);
	const data = dataIn(wrapper) ?? readLayers(rest, MAX_WRAPPINGS);
	return stepOf(wrapper.name ?? unnamed, data, faultsFrom(wrapper, 0, secrets));
}

/** Reads the data of a step (published: a record whose `data` is the list of rows). */
export function readStepData(
	name: string,
	json: Json,
	secrets: readonly string[] = [],
): StepContent {
	const data = readLayers(json, MAX_WRAPPINGS);
	return stepOf(name, data, faultsFrom(data.wrapper, 1, secrets));
}

function dataIn({ within }: Wrapper): Content | undefined {
	return within.find(({ json }) => json !== null);
}

function stepOf(name: string, data: Content, faults: string[]): StepContent {
	const stepName = name.slice(0, MAX_NAME_LENGTH);
	const [declared = null] = [data.wrapper?.schemas ?? [], data.wrapper?.schemasInData ?? []].flat();
	const { schema } = readSchema(declared);
	const rows = rowsOf(data, schema);
	const address = isEmpty(rows) && isAtUrl(data.json) ? withoutQueries(data.json) : undefined;
	const other = address ?? (rows === undefined ? contentOf(data) : undefined);
	return {
		...{ stepName, rows: rows ?? [], schema, other, isAtUrl: address !== undefined },
		faults: [...new Set(faults)],
	};
}

/** Content as it is; with scores in it, without the record around it. */
function contentOf({ json, wrapper }: Content): Json {
	if (wrapper === undefined || !isWrapping(wrapper.record) || !holdsScore(json)) return json;
	return wrapper.record[FIELDS.step.rows] ?? json;
}

/** The rows in the data of a step; undefined for other data. `levels`: how many more records may be around them. */
function rowsOf(
	{ json, wrapper }: Content,
	schema: Schema,
	levels = MAX_WRAPPINGS,
): Json[] | undefined {
	// A list of words is content.
	if (Array.isArray(json)) return json.length === 0 || json.some(isRecord) ? json : undefined;
	if (wrapper === undefined) return undefined;
	// A record of cells is a row, even if one of its fields has the name of the list of rows.
	const { isRow, record, within } = wrapper;
	const mayWrap = levels > 0 && isWrapping(record);
	const lists = (isRow && !mayWrap ? [] : within).flatMap((each) => {
		const rows = rowsOf(each, schema, levels - 1);
		return rows === undefined ? [] : [rows];
	});
	const rows = lists.find(({ length }) => length > 0) ?? lists[0];
	if (rows !== undefined || isRow) return rows ?? [record];
	const only = mayWrap ? record[FIELDS.step.rows] : undefined;
	if (only === null) return [];
	const isDeclared = isRecord(only) && schema.fields.size > 0;
	return isDeclared && !isEmpty(only) && !isAtUrl(only) ? [only] : undefined;
}

/** Taking the rows of a record with only these fields loses nothing. */
const PUBLISHED_NAMES: readonly string[] = [FIELDS.step.rows, ...FIELDS.step.beside];

function isWrapping(data: JsonRecord): boolean {
	return Object.keys(data).every((name) => PUBLISHED_NAMES.includes(name));
}

/** What went wrong, as a step says it of itself, and what is around its rows. `level`: how many records are around this one. */
function faultsFrom(
	wrapper: Wrapper | undefined,
	level: number,
	secrets: readonly string[],
): string[] {
	if (wrapper === undefined || wrapper.isRow || level > MAX_WRAPPINGS) return [];
	const { record, status = '', faults, faultsInMetadata } = wrapper;
	// Content may have a status of its own.
	const saysStatus = status !== '' && (level === 0 || isOnlyAround(record));
	const readAll = (given: Json[]) => given.flatMap((fault) => readFault(fault, secrets));
	return [
		...readAll(faults),
		...(saysStatus ? faultOfStatus(status) : []),
		...readAll(faultsInMetadata),
		...faultsFrom(dataIn(wrapper)?.wrapper, level + 1, secrets),
	];
}

/** The fields of a record that is around rows, and is no content itself. */
const NAMES_AROUND = new Set<string>([
	...SPELLINGS.faults,
	...SPELLINGS.status,
	...SPELLINGS.stepName,
	...['message', 'detail', 'reason', 'code'],
	...PUBLISHED_NAMES,
]);

function isOnlyAround(place: JsonRecord): boolean {
	return Object.keys(place).every((name) => NAMES_AROUND.has(name));
}

function faultOfStatus(status: string): string[] {
	const isFault = ['failed', 'partial'].includes(meaningOfStatus(status) ?? '');
	return isFault ? [`its status is "${plainText(status)}"`] : [];
}

/**
 * What is read of a declaration: of a value, and of the fields within it. Its form is not published. Read are `properties`
 * and `fields`, of a record or of the `items` of a list; `fields` may be a list of fields with their names.
 */
const DECLARED = {
	name: allUnder(['name']),
	format: allUnder(['format']),
	types: allUnder(['type']),
	items: recordsUnder(['items']),
	fields: allUnder(['properties', 'fields']),
	fieldsOfItems: valuesWithin(['items'], ['properties', 'fields']),
};

const DATES = typesOf('date', 'date-time');
const TYPES = typesOf('number', 'integer', 'boolean', 'date', 'date-time');

function typesOf(...types: DeclaredType[]): ReadonlyMap<Json | undefined, DeclaredType> {
	return new Map(types.map((type) => [type, type]));
}

/** A type may have null beside it. Other types than those listed say nothing. */
function readSchema(json: Json): { name?: Json | undefined; schema: Schema } {
	const declared = readFields(json, DECLARED);
	if (declared === undefined) return { schema: UNDECLARED };
	const { format, types, items, fields, fieldsOfItems } = declared;
	const named = types.flat().map((each) => TYPES.get(each));
	const type = DATES.get(format[0]) ?? named.find(Boolean);
	const inside = (items.length > 0 ? fieldsOfItems : fields).find((each) => each !== null);
	return { name: declared.name[0], schema: { type, fields: new Map(schemasIn(inside)) } };
}

function schemasIn(fields: Json | undefined): Array<[string, Schema]> {
	if (typeof fields !== 'object' || fields === null) return [];
	if (!Array.isArray(fields))
		return Object.entries(fields).map(([name, field]) => [name, readSchema(field).schema]);
	return fields.flatMap((field): Array<[string, Schema]> => {
		const { name, schema } = readSchema(field);
		return typeof name === 'string' ? [[name, schema]] : [];
	});
}
