import type { Cell, Row } from '../../../service/contract';
import type { NamedStep } from './selection';

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
	const isInARow = (field: string) => step.rows.some((row) => row.has(field));
	const inEachRow = [...names].filter((field) => ofStep.includes(field) || isInARow(field));
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
		step.rows.some(
			(row) => row.has(own) || [...row.values()].some(({ value }) => holdsField(value, own)),
		),
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
