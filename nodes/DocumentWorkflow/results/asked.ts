/** What a person asks of fields: a value, a minimum confidence; and the values that do not meet it. */
import type { Cell, Json, JsonRecord, Row } from '../../../service/contract';
import { partOf, recordOf } from './path';
import { isMissing, type TextReader } from './texts';
import type { ValueType } from './values/convert';
import { readRow } from '../../../service/cells';
import type { NamedStep } from './selection';

/** A value that a person has to enter or convert. `needed`: what it should be. */
export interface OpenValue {
	kind: 'open';
	within: string;
	isMissing: boolean;
	value: Json;
	needed: ValueType | 'text';
}

/** As outputs list it. `path`: empty where no step has the field. */
export interface OpenField extends JsonRecord {
	field: string;
	path: Array<string | number>;
	step: string | null;
	value: Json;
	type: ValueType | 'text';
	reason: string;
}

/** Whether a required field has no value. */
export function lacksValue(
	given: Json,
	value: Json,
	name: string,
	required: ReadonlySet<string>,
): boolean {
	return required.size > 0 && required.has(name) && (isMissing(given) || value === null);
}

/** A value without cells with its texts converted. What stays text and should not, and what is missing in it, is added to `open`. */
export function readPlain(
	value: Json,
	asked: { required: ReadonlySet<string> },
	reader: TextReader,
	open: { push: (value: OpenValue) => unknown },
	within = '',
): Json {
	if (typeof value === 'string') {
		const { value: read = value, needed } = reader.read(value);
		if (needed !== undefined) open.push({ kind: 'open', within, isMissing: false, value, needed });
		return read;
	}
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value))
		return value.map((each, at) => readPlain(each, asked, reader, open, `${within}[${at}]`));
	return recordOf(
		Object.entries(value).map(([name, each]) => ({ name, each })),
		({ name, each }) => {
			const place = within + partOf(name);
			const field = reader.within(name);
			const read = readPlain(each, asked, field, open, place);
			if (lacksValue(each, read, name, asked.required))
				open.push({
					kind: 'open',
					within: place,
					isMissing: true,
					value: null,
					needed: field.type,
				});
			return read;
		},
	);
}

/** Fields that must have a value in the rows of a step. */
export interface Required {
	names: ReadonlySet<string>;
	/** Those that each row has to have, because the step is named with them, or has them in another row. */
	inEachRow: string[];
}

const NONE: Required = { names: new Set(), inEachRow: [] };

/** In a step, `policy.number` counts as `number`. */
function withoutStep({ name, step }: NamedStep, field: string): string[] {
	const names = [name, step.stepName].filter((each) => field.startsWith(`${each}.`));
	return names.map(({ length }) => field.slice(length + 1));
}

export function requiredIn(named: NamedStep, required: string[]): Required {
	if (required.length === 0) return NONE;
	const ofStep = required.flatMap((field) => withoutStep(named, field));
	const names = new Set([...required, ...ofStep]);
	const inARow = new Set(named.step.rows.flatMap((row) => readRow(row).map((cell) => cell.name)));
	const inEachRow = [...names].filter((field) => ofStep.includes(field) || inARow.has(field));
	return { names, inEachRow };
}

/** The required fields that no row of any step has, at any depth. */
export function absentIn(steps: NamedStep[], required: string[]): string[] {
	return required.filter((field) => !steps.some((each) => stepHas(each, field)));
}

function stepHas(named: NamedStep, field: string): boolean {
	const names = [field, ...withoutStep(named, field)];
	const isIn = ({ name, value }: Cell) =>
		names.some((own) => name === own || holdsField(value, own));
	return named.step.rows.some((row) => readRow(row).some(isIn));
}

function holdsField(value: unknown, field: string): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return (
		(!Array.isArray(value) && Object.hasOwn(value, field)) ||
		Object.values(value).some((each) => holdsField(each, field))
	);
}

const NOTHING = { value: null, confidenceScore: undefined, inner: undefined, evidence: undefined };

/** A row with null for what it does not have, and has to have. */
export function completed(row: Row, inEachRow: string[]): Row {
	const lacking = inEachRow.filter((name) => !row.some((cell) => cell.name === name));
	return lacking.length === 0 ? row : [...row, ...lacking.map((name) => ({ name, ...NOTHING }))];
}

/** The minimum confidence of values, from 0 to 1. A value without a minimum is not judged. */
export interface Minimums {
	/** Of all fields that have none of their own. */
	general: number | undefined;
	/** By name, with or without the step in front: `premium`, `policy.premium`; `policy` for all of a step. A field in a table has the name of its column. */
	byField: ReadonlyMap<string, number | undefined>;
}

/** Whether any value is judged, so that the output says what needs review. */
export function isJudging({ general, byField }: Minimums): boolean {
	return general !== undefined || [...byField.values()].some((minimum) => minimum !== undefined);
}

/** Whether the chosen steps have values to judge, and no step has any score. */
export function lacksScoresIn(chosen: NamedStep[], all: NamedStep[], minimums: Minimums): boolean {
	return isJudging(minimums) && chosen.some(hasFields) && !all.some(hasScore);
}

function hasFields({ step }: NamedStep): boolean {
	return step.rows.some((row) => readRow(row).length > 0);
}

function hasScore({ step }: NamedStep): boolean {
	const isScored = ({ confidenceScore, inner = [] }: Cell): boolean =>
		confidenceScore !== undefined || inner.some(isScored);
	return step.rows.some((row) => readRow(row).some(isScored));
}

/** The minimums for the rows of a step: there, `policy.premium` counts as `premium`. */
export function minimumsIn(named: NamedStep, { general, byField }: Minimums): Minimums {
	const own = [...byField].flatMap(([field, minimum]) =>
		withoutStep(named, field).map((name) => [name, minimum] as const),
	);
	const stepName = [named.name, named.step.stepName].find((each) => byField.has(each));
	return {
		general: stepName === undefined ? general : byField.get(stepName),
		byField: new Map([...byField, ...own]),
	};
}
