/** The steps of an answer: their rows, what they declare of values, and what went wrong in them. */
import { isAtUrl, withoutQueries } from './atUrl';
import { holdsScore, isRowOfCells, scoresBeside, scoresOutside } from './cells';
import type { DeclaredType, Json, JsonRecord, Meaning, Schema, Step } from './contract';
import { FIELDS, SPELLINGS } from './contract';
import { isEmpty, isObject, isRecord, recordsUnder, textUnder, valuesUnder } from './json';
import { readFault } from './reason';
import { meaningOfStatus } from './status';
import { plainText } from './text';

/** Records around the rows. A whole step in place of its data is two. */
const MAX_WRAPPINGS = 2;

/** In characters. Every row of a step repeats its name. */
const MAX_NAME_LENGTH = 500;

/** The steps of an answer: a list (published), a record of steps by name, or a single step. */
export function stepsIn(data: Json | undefined, secrets: readonly string[]): Step[] {
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

/** A step, its data, or what is in that, read once. */
interface Layer {
	json: Json;
	/** Empty where it is no record. */
	record: JsonRecord;
	name: string | undefined;
	metadata: JsonRecord[];
	/** How many more are read within each other: of a step, one more than of its data. */
	levels: number;
	/** Whether it is a row of cells. Then its fields say nothing about rows. */
	isRow: boolean;
	within: Layer[];
}

function readLayers(json: Json, levels = MAX_WRAPPINGS): Layer {
	const record = isRecord(json) ? json : {};
	const inner = levels > 0 ? valuesUnder(record, SPELLINGS.rows) : [];
	return {
		json,
		record,
		name: textUnder(record, SPELLINGS.stepName),
		metadata: recordsUnder(record, [FIELDS.execution.metadata]),
		levels,
		isRow: isRowOfCells(record),
		within: inner.map((each) => readLayers(each, levels - 1)),
	};
}

/** The first of the data in a step or in its data. */
function dataIn({ within }: Layer): Layer[] {
	return within.filter(({ json }) => json !== null).slice(0, 1);
}

function readSteps(data: Json | undefined, secrets: readonly string[]): StepContent[] {
	if (isEmpty(data)) return [];
	const layersOf = (step: Json) => readLayers(step, MAX_WRAPPINGS + 1);
	if (Array.isArray(data))
		return data.map((step, index) => readStep(layersOf(step), index, secrets));
	const only = layersOf(data);
	const isStep = only.name !== undefined && dataIn(only).length > 0;
	if (isStep) return [readStep(only, 0, secrets)];
	const named = isRecord(data) ? data : { [FIELDS.execution.steps]: data };
	return Object.entries(named).map(([name, each]) => readStepData(name, each, secrets));
}

function readStep(step: Layer, index: number, secrets: readonly string[]): StepContent {
	const notData = [...SPELLINGS.stepName, FIELDS.step.rows];
	const others = Object.entries(step.record).filter(([name]) => !notData.includes(name));
	const rest = others.length === 0 ? null : Object.fromEntries(others);
	const [data = readLayers(isRecord(step.json) ? rest : step.json)] = dataIn(step);
	return stepOf(step.name ?? `step_${index + 1}`, data, faultsFrom(step, secrets), step);
}

/** Reads the data of a step (published: a record whose `data` is the list of rows). */
export function readStepData(name: string, json: Json, secrets: readonly string[]) {
	const data = readLayers(json);
	return stepOf(name, data, faultsFrom(data, secrets));
}

function stepOf(name: string, data: Layer, faults: string[], outer = data): StepContent {
	const { json, record } = data;
	const around = [record, ...recordsUnder(record, [FIELDS.step.rows])];
	const [declared = null] = around.flatMap((each) => valuesUnder(each, ['schema']));
	const { schema } = readSchema(declared);
	const rows = rowsOf(data, schema);
	const isOnlyUrl = isEmpty(rows) && isAtUrl(json);
	const content = rows === undefined ? contentOf(data) : undefined;
	const taken = rows?.find(isRecord) ?? rows ?? content;
	return {
		stepName: name.slice(0, MAX_NAME_LENGTH),
		rows: rows ?? [],
		schema,
		other: isOnlyUrl ? withoutQueries(json) : content,
		isAtUrl: isOnlyUrl,
		scores: [...scoresBeside({ [name]: content ?? null }), ...scoresAround(outer, taken)],
		faults: [...new Set(faults)],
	};
}

/** The scores around the content of a step, or around its rows. */
function scoresAround(layer: Layer, taken: Json | undefined): Step['scores'] {
	const [inner] = dataIn(layer);
	if (inner === undefined || layer.json === taken) return [];
	const beside = [layer.record, ...layer.metadata].flatMap(scoresBeside);
	return [...beside, ...scoresOutside(layer.record, taken), ...scoresAround(inner, taken)];
}

/** Content as it is; with scores in it, without the record around it. */
function contentOf({ json, record }: Layer): Json {
	const inner = record[FIELDS.step.rows] ?? json;
	return hasOnly(PUBLISHED_NAMES, record) && holdsScore(json) ? inner : json;
}

/** The rows in the data of a step; undefined for other data. */
function rowsOf({ json, record, ...layer }: Layer, schema: Schema): Json[] | undefined {
	// A list of words is content.
	if (Array.isArray(json)) return json.length === 0 || json.some(isRecord) ? json : undefined;
	if (!isRecord(json)) return undefined;
	const mayWrap = layer.levels > 0 && hasOnly(PUBLISHED_NAMES, record);
	// A record of cells is a row, even if one of its fields has the name of the list of rows.
	const lists = (layer.isRow && !mayWrap ? [] : layer.within)
		.map((each) => rowsOf(each, schema))
		.filter((rows) => rows !== undefined);
	const rows = lists.find(({ length }) => length > 0) ?? lists[0];
	if (rows !== undefined || layer.isRow) return rows ?? [record];
	const only = mayWrap ? record[FIELDS.step.rows] : undefined;
	if (only === null) return [];
	const isDeclared = isRecord(only) && schema.fields.size > 0;
	return isDeclared && !isEmpty(only) && !isAtUrl(only) ? [only] : undefined;
}

/** Taking the rows of a record with only these fields loses nothing. */
const PUBLISHED_NAMES = [FIELDS.step.rows, ...FIELDS.step.beside];

function hasOnly(names: readonly string[], record: JsonRecord): boolean {
	return Object.keys(record).every((name) => names.includes(name));
}

/** What went wrong, as a step says it of itself, and what is around its rows. */
function faultsFrom(layer: Layer, secrets: readonly string[]): string[] {
	const { record, metadata, levels } = layer;
	if (layer.isRow || levels === 0) return [];
	const status = textUnder(record, SPELLINGS.status) ?? '';
	// Content may have a status of its own.
	const saysStatus = status !== '' && (levels > MAX_WRAPPINGS || hasOnly(NAMES_AROUND, record));
	const readFaults = (each: JsonRecord) =>
		valuesUnder(each, SPELLINGS.faults).flatMap((fault) => readFault(fault, secrets));
	return [
		...readFaults(record),
		...(saysStatus ? faultOfStatus(status) : []),
		...metadata.flatMap(readFaults),
		...dataIn(layer).flatMap((data) => faultsFrom(data, secrets)),
	];
}

/** The fields of a record that is around rows, and is no content itself. */
const NAMES_AROUND: readonly string[] = [
	...[...SPELLINGS.faults, ...SPELLINGS.status, ...SPELLINGS.stepName, ...PUBLISHED_NAMES],
	...['message', 'detail', 'reason', 'code'],
];

const FAULTY = new Set<Meaning | undefined>(['failed', 'partial']);

function faultOfStatus(status: string): string[] {
	return FAULTY.has(meaningOfStatus(status)) ? [`its status is "${plainText(status)}"`] : [];
}

const DATES = typesOf('date', 'date-time');
const TYPES = typesOf('number', 'integer', 'boolean', 'date', 'date-time');

function typesOf(...types: DeclaredType[]): ReadonlyMap<Json | undefined, DeclaredType> {
	return new Map(types.map((type) => [type, type]));
}

/**
 * Reads a declaration. Its form is not published. A type may have null beside it. Other types than those listed say
 * nothing. Fields may be a record, or a list with their names.
 */
function readSchema(json: Json): { name: Json | undefined; schema: Schema } {
	const record = isRecord(json) ? json : {};
	const { name, format, type, items } = record;
	const types = [type].flat().map((each) => TYPES.get(each));
	const fields = valuesUnder(isRecord(items) ? items : record, ['properties', 'fields']);
	return {
		name,
		schema: {
			type: DATES.get(format) ?? types.find(Boolean),
			fields: new Map(schemasIn(fields.find((each) => each !== null))),
		},
	};
}

function schemasIn(fields: Json | undefined): Array<[string, Schema]> {
	if (!isObject(fields)) return [];
	if (!Array.isArray(fields))
		return Object.entries(fields).map(([name, field]) => [name, readSchema(field).schema]);
	return fields
		.map(readSchema)
		.flatMap(({ name, schema }) => (typeof name === 'string' ? [[name, schema]] : []));
}
