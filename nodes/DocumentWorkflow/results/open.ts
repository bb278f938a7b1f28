import type { Cell, Json, JsonRecord, Row } from '../../../service/contract';
import { partOf, recordOf } from './path';
import type { TextReader } from './texts';
import { isMissing } from './texts';
import type { ValueType } from './values/convert';
import { readRow } from '../../../service/cells';
import type { NamedStep } from './selection';

/** A value that a person has to enter or convert. `needed`: what it should be. */
export interface OpenValue {
	within: string;
	isMissing: boolean;
	value: Json;
	needed: ValueType | 'text';
}

/** As outputs list it, with its path. */
export interface OpenField extends JsonRecord {
	field: string;
	step: string | null;
	value: Json;
	type: ValueType | 'text';
	reason: string;
}

/** The value of a list or record without cells, and what is open in it. */
export function readNested(
	given: Json,
	required: ReadonlySet<string>,
	reader: TextReader,
): { value: Json; open: OpenValue[] } {
	const open: OpenValue[] = [];
	return { value: converted(given, '', reader, required, open), open };
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

/** A value with its texts converted; those of a list or record too. What stays text, and should not, is added to `open`. */
function converted(
	value: Json,
	within: string,
	reader: TextReader,
	required: ReadonlySet<string>,
	open: OpenValue[],
): Json {
	if (typeof value === 'string') {
		const { value: read = value, needed } = reader.read(value);
		if (needed !== undefined) open.push({ within, isMissing: false, value, needed });
		return read;
	}
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value))
		return value.map((each, at) => converted(each, `${within}[${at}]`, reader, required, open));
	return recordOf(
		Object.entries(value).map(([name, each]) => [name, { name, each }] as const),
		({ name, each }) => {
			const place = within + partOf(name);
			const field = reader.within(name);
			const read = converted(each, place, field, required, open);
			if (lacksValue(each, read, name, required))
				open.push({ within: place, isMissing: true, value: null, needed: field.type });
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
export function requiredIn({ name, step }: NamedStep, required: string[]): Required {
	if (required.length === 0) return NONE;
	const prefixes = [`${name}.`, `${step.stepName}.`];
	const ofStep = required.flatMap((field) =>
		prefixes
			.filter((prefix) => field.startsWith(prefix))
			.map((prefix) => field.slice(prefix.length)),
	);
	const names = new Set([...required, ...ofStep]);
	const inARow = new Set(step.rows.flatMap((row) => [...readRow(row).keys()]));
	const inEachRow = [...names].filter((field) => ofStep.includes(field) || inARow.has(field));
	return { names, inEachRow };
}

/** The required fields that no row of any step has, at any depth. */
export function absentIn(steps: NamedStep[], required: string[]): string[] {
	return required.filter((field) => !steps.some((each) => stepHas(each, field)));
}

function stepHas({ name, step }: NamedStep, field: string): boolean {
	const names = [name, step.stepName]
		.filter((each) => field.startsWith(`${each}.`))
		.map((each) => field.slice(each.length + 1));
	return [field, ...names].some((own) =>
		step.rows
			.map(readRow)
			.some((row) => row.has(own) || [...row.values()].some(({ value }) => holdsField(value, own))),
	);
}

function holdsField(value: unknown, field: string): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return (
		(!Array.isArray(value) && Object.hasOwn(value, field)) ||
		Object.values(value).some((each) => holdsField(each, field))
	);
}

const NOTHING: Cell = {
	value: null,
	confidenceScore: undefined,
	inner: undefined,
	evidence: undefined,
};

/** A row with null for what it does not have, and has to have. */
export function completed(row: Row, inEachRow: string[]): Row {
	const lacking = inEachRow.filter((name) => !row.has(name));
	if (lacking.length === 0) return row;
	return new Map([...row, ...lacking.map((name) => [name, NOTHING] as const)]);
}
