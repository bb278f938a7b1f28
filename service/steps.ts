import { isAtUrl, withoutQueries } from './atUrl';
import { isCell, isScored } from './cells';
import type { Json, JsonRecord, Step } from './contract';
import { FIELDS, firstText, isRecord, own, SPELLINGS } from './contract';
import { schemaOf } from './schema';

/** Records around the rows. A whole step in place of its data is two. */
const MAX_WRAPPINGS = 2;

/** In characters. Every row of a step repeats its name. */
const MAX_NAME_LENGTH = 500;

export function isEmpty(data: Json | undefined): data is '' | null | undefined {
	if (typeof data === 'object' && data !== null) return Object.keys(data).length === 0;
	return data === undefined || data === null || data === '';
}

/** The steps of an answer: a list (published), a record of steps by name, or a single step. */
export function stepsIn(data: Json | undefined): Step[] {
	if (isEmpty(data)) return [];
	if (Array.isArray(data)) return data.map(readStep);
	if (!isRecord(data)) return [readStepData(FIELDS.execution.steps, data)];
	if (isStep(data)) return [readStep(data, 0)];
	return Object.entries(data).map(([name, each]) => readStepData(name, each));
}

function isStep(json: Json): boolean {
	return (
		isRecord(json) &&
		firstText(json, SPELLINGS.stepName) !== undefined &&
		stepDataIn(json) !== undefined
	);
}

function readStep(step: Json, index: number): Step {
	const unnamed = `step_${index + 1}`;
	if (!isRecord(step)) return readStepData(unnamed, step);
	const notData = [...SPELLINGS.stepName, FIELDS.step.data];
	const others = Object.entries(step).filter(([name]) => !notData.includes(name));
	return readStepData(
		firstText(step, SPELLINGS.stepName) ?? unnamed,
		stepDataIn(step) ?? (others.length === 0 ? null : Object.fromEntries(others)),
	);
}

function stepDataIn(step: JsonRecord): Json | undefined {
	return SPELLINGS.rows.map((name) => own(step, name)).find((data) => (data ?? null) !== null);
}

/** Reads the data of a step (published: a record whose `data` is the list of rows). */
export function readStepData(name: string, data: Json | undefined): Step {
	const stepName = name.slice(0, MAX_NAME_LENGTH);
	const schema = schemaOf(data);
	const rows = rowsOf(data, schema);
	if (isEmpty(rows) && isAtUrl(data))
		return { stepName, rows: [], schema, other: withoutQueries(data), isAtUrl: true };
	const other = rows === undefined ? (data ?? null) : undefined;
	return { stepName, rows: rows ?? [], schema, other, isAtUrl: false };
}

/** The rows in the data of a step; undefined for other data. `levels`: how many more records may be around them. */
function rowsOf(
	data: Json | undefined,
	schema: Json | undefined,
	levels = MAX_WRAPPINGS,
): Json[] | undefined {
	// A list of words is content.
	if (Array.isArray(data)) return data.length === 0 || data.some(isRecord) ? data : undefined;
	if (!isRecord(data)) return undefined;
	// A record of cells is a row, even if one of its fields has the name of the list of rows.
	const isRow = isScored(data) || Object.values(data).some(isCell);
	const isWrapping = Object.keys(data).every((name) => PUBLISHED_NAMES.includes(name));
	const within = (name: string) =>
		levels > 0 && (isWrapping || !isRow) ? rowsOf(own(data, name), schema, levels - 1) : undefined;
	const [, ...others] = SPELLINGS.rows;
	const inner = within(FIELDS.step.rows);
	const lists = [inner, ...(isRow ? [] : others.map(within))].filter((each) => Array.isArray(each));
	const rows = lists.find(({ length }) => length > 0) ?? lists[0];
	if (rows !== undefined || isRow) return rows ?? [data];
	const only = own(data, FIELDS.step.rows);
	const isDeclared = levels > 0 && isWrapping && isRecord(only) && schema !== undefined;
	return isDeclared && !isEmpty(only) && !isAtUrl(only) ? [only] : undefined;
}

/** Taking the rows of a record with only these fields loses nothing. */
const PUBLISHED_NAMES: readonly string[] = [FIELDS.step.rows, ...FIELDS.step.beside];
