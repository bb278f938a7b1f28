import { isAtUrl, withoutQueries } from './atUrl';
import { holdsScore, isRowOfCells } from './cells';
import type { Json, JsonRecord, Schema, Step } from './contract';
import { FIELDS, firstText, isRecord, recordsUnder, SPELLINGS, valuesUnder } from './contract';
import { readFaults } from './reason';
import { schemaOf } from './schema';
import { meaningOfStatus } from './status';
import { plainText } from './text';

/** Records around the rows. A whole step in place of its data is two. */
const MAX_WRAPPINGS = 2;

const METADATA = [FIELDS.execution.metadata];

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

function readSteps(data: Json | undefined, secrets: readonly string[]): StepContent[] {
	const stepOf = (name: string, each: Json) => readStepData(name, each, { data: each }, secrets);
	if (isEmpty(data)) return [];
	if (Array.isArray(data)) return data.map((step, index) => readStep(step, index, secrets));
	if (!isRecord(data)) return [stepOf(FIELDS.execution.steps, data)];
	const isStep =
		firstText(data, SPELLINGS.stepName) !== undefined && stepDataIn(data) !== undefined;
	if (isStep) return [readStep(data, 0, secrets)];
	return Object.entries(data).map(([name, each]) => stepOf(name, each));
}

function readStep(step: Json, index: number, secrets: readonly string[]): StepContent {
	const unnamed = `step_${index + 1}`;
	if (!isRecord(step)) return readStepData(unnamed, step);
	const notData = [...SPELLINGS.stepName, FIELDS.step.data];
	const others = Object.entries(step).filter(([name]) => !notData.includes(name));
	const name = firstText(step, SPELLINGS.stepName) ?? unnamed;
	const data = stepDataIn(step) ?? (others.length === 0 ? null : Object.fromEntries(others));
	return readStepData(name, data, step, secrets);
}

function stepDataIn(step: JsonRecord): Json | undefined {
	return valuesUnder(step, SPELLINGS.rows).find((data) => data !== null);
}

/** Reads the data of a step (published: a record whose `data` is the list of rows). */
export function readStepData(
	name: string,
	data: Json | undefined,
	step: JsonRecord = {},
	secrets: readonly string[] = [],
): StepContent {
	const stepName = name.slice(0, MAX_NAME_LENGTH);
	const schema = schemaOf(data);
	const faults = faultsOfStep(step, secrets);
	const rows = rowsOf(data, schema);
	const address = isEmpty(rows) && isAtUrl(data) ? withoutQueries(data) : undefined;
	const other = address ?? (rows === undefined ? contentOf(data ?? null) : undefined);
	return { stepName, rows: rows ?? [], schema, other, isAtUrl: address !== undefined, faults };
}

/** Content as it is; with scores in it, without the record around it. */
function contentOf(data: Json): Json {
	if (!isRecord(data) || !isWrapping(data) || !holdsScore(data)) return data;
	return data[FIELDS.step.rows] ?? data;
}

/** The rows in the data of a step; undefined for other data. `levels`: how many more records may be around them. */
function rowsOf(
	data: Json | undefined,
	schema: Schema,
	levels = MAX_WRAPPINGS,
): Json[] | undefined {
	// A list of words is content.
	if (Array.isArray(data)) return data.length === 0 || data.some(isRecord) ? data : undefined;
	if (!isRecord(data)) return undefined;
	// A record of cells is a row, even if one of its fields has the name of the list of rows.
	const isRow = isRowOfCells(data);
	const mayWrap = levels > 0 && isWrapping(data);
	const names = isRow ? [FIELDS.step.rows] : SPELLINGS.rows;
	const within = mayWrap || (levels > 0 && !isRow) ? valuesUnder(data, names) : [];
	const lists = within.flatMap((each) => {
		const rows = rowsOf(each, schema, levels - 1);
		return rows === undefined ? [] : [rows];
	});
	const rows = lists.find(({ length }) => length > 0) ?? lists[0];
	if (rows !== undefined || isRow) return rows ?? [data];
	const only = mayWrap ? data[FIELDS.step.rows] : undefined;
	if (only === null) return [];
	const isDeclared = isRecord(only) && schema.fields.size > 0;
	return isDeclared && !isEmpty(only) && !isAtUrl(only) ? [only] : undefined;
}

/** Taking the rows of a record with only these fields loses nothing. */
const PUBLISHED_NAMES: readonly string[] = [FIELDS.step.rows, ...FIELDS.step.beside];

function isWrapping(data: JsonRecord): boolean {
	return Object.keys(data).every((name) => PUBLISHED_NAMES.includes(name));
}

/** What went wrong, as a step says it of itself, and what is around its rows. Rows and records of cells have fields of these names. */
function faultsOfStep(step: JsonRecord, secrets: readonly string[]): string[] {
	const faults: string[] = [];
	let place: Json | undefined = step;
	for (let level = 0; isRecord(place) && level <= MAX_WRAPPINGS; level++) {
		if (isRowOfCells(place)) break;
		faults.push(...readFaults(place, secrets));
		// Content may have a status of its own.
		if (level === 0 || isOnlyAround(place)) faults.push(...statusFaults(place));
		for (const metadata of recordsUnder(place, METADATA))
			faults.push(...readFaults(metadata, secrets));
		place = stepDataIn(place);
	}
	return [...new Set(faults)];
}

const BESIDE_FAULTS = ['message', 'detail', 'reason', 'code', ...PUBLISHED_NAMES];

function isOnlyAround(place: JsonRecord): boolean {
	const known = [...SPELLINGS.faults, ...SPELLINGS.status, ...SPELLINGS.stepName, ...BESIDE_FAULTS];
	return Object.keys(place).every((name) => known.includes(name));
}

function statusFaults(place: JsonRecord): string[] {
	const status = firstText(place, SPELLINGS.status) ?? '';
	const meaning = meaningOfStatus(status);
	return meaning === 'failed' || meaning === 'partial'
		? [`its status is "${plainText(status)}"`]
		: [];
}
