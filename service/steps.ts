import { isCell, isScored } from './cells';
import type { Json, JsonRecord, Schema, Step } from './contract';
import { FIELDS, firstText, isRecord, own, SPELLINGS } from './contract';
import { schemaOf } from './schema';

/** Records around the rows, or around an address in place of them. A whole step in place of its data is two. */
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

/**
 * Reads the data of a step (published: a record whose `data` is the list of rows, or an address in the URL mode of
 * webhooks), or the content at that address.
 */
export function readStepData(name: string, data: Json | undefined): Step {
	const stepName = name.slice(0, MAX_NAME_LENGTH);
	const schema = schemaOf(data);
	const found = contentOf(data, schema);
	if (typeof found === 'string')
		return { stepName, rows: [], schema, other: withoutQuery(data ?? null, found), address: found };
	const other = found === undefined ? (data ?? null) : undefined;
	return { stepName, rows: found ?? [], schema, other, address: undefined };
}

/**
 * The rows in the data of a step, or the address where they are; undefined for other data. `levels`: how many more
 * records may be around them.
 */
function contentOf(
	data: Json | undefined,
	schema: Schema | undefined,
	levels = MAX_WRAPPINGS,
): Json[] | string | undefined {
	// A list of words is content.
	if (Array.isArray(data)) return data.length === 0 || data.some(isRecord) ? data : undefined;
	if (!isRecord(data)) return isAddress(data) ? data : undefined;
	// A record of cells is a row, even if one of its fields has the name of the list of rows.
	const isRow = isScored(data) || Object.values(data).some(isCell);
	const isWrapping = Object.keys(data).every((name) => PUBLISHED_NAMES.includes(name));
	const within = (name: string) =>
		levels > 0 && (isWrapping || !isRow)
			? contentOf(own(data, name), schema, levels - 1)
			: undefined;
	const [, ...others] = SPELLINGS.rows;
	const inner = within(FIELDS.step.rows);
	const lists = [inner, ...(isRow ? [] : others.map(within))].filter((each) => Array.isArray(each));
	const rows = lists.find(({ length }) => length > 0);
	const given = isRow ? undefined : own(data, FIELDS.step.address);
	const address = [given, isWrapping ? inner : undefined].find(isAddress);
	if (rows !== undefined || address !== undefined) return rows ?? address;
	if (lists.length > 0 || isRow) return lists[0] ?? [data];
	const only = own(data, FIELDS.step.rows);
	const isDeclared = levels > 0 && isWrapping && isRecord(only) && schema !== undefined;
	return isDeclared && !isEmpty(only) ? [only] : undefined;
}

/** Taking the rows of a record with only these fields loses nothing. */
const PUBLISHED_NAMES: readonly string[] = [FIELDS.step.rows, ...FIELDS.step.beside];

function isAddress(data: Json | undefined): data is string {
	return (
		typeof data === 'string' &&
		URL.canParse(data) &&
		['https:', 'http:'].includes(new URL(data).protocol)
	);
}

/** The same data with the address as it may be shown: its query may be a signature. */
function withoutQuery(data: Json, address: string): Json {
	const { protocol, host, pathname } = new URL(address);
	if (data === address) return `${protocol}//${host}${pathname}`;
	if (Array.isArray(data)) return data.map((each) => withoutQuery(each, address));
	if (!isRecord(data)) return data;
	const entries = Object.entries(data).map(([name, each]) => [name, withoutQuery(each, address)]);
	return Object.fromEntries(entries) as JsonRecord;
}
