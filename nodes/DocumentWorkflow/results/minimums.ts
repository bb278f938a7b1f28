import type { Cell, Row } from '../../../service/contract';
import type { NamedStep } from './selection';

/** The minimum confidence of values, from 0 to 1. A value without a minimum is not judged. */
export interface Minimums {
	/** Of all fields that have none of their own. */
	general: number | undefined;
	/** By name, with or without the step in front: `premium`, `policy.premium`. A field in a table has the name of its column. */
	byField: ReadonlyMap<string, number | undefined>;
}

export const NOTHING_JUDGED: Minimums = { general: undefined, byField: new Map() };

/** Whether any value is judged, so that the output says what needs review. */
export function isJudging({ general, byField }: Minimums): boolean {
	return general !== undefined || [...byField.values()].some((minimum) => minimum !== undefined);
}

/** The minimums for the rows of a step: there, `policy.premium` counts as `premium`. */
export function minimumsIn({ name, step }: NamedStep, { general, byField }: Minimums): Minimums {
	const own = [...byField].flatMap(([field, minimum]) =>
		[...new Set([name, step.stepName])]
			.filter((stepName) => field.startsWith(`${stepName}.`))
			.map((stepName) => [field.slice(stepName.length + 1), minimum] as const),
	);
	return own.length === 0
		? { general, byField }
		: { general, byField: new Map([...byField, ...own]) };
}

/** Which of the names with a minimum the rows of some steps have. */
export function namesWithMinimum(
	steps: NamedStep[],
	{ byField }: Minimums,
): { found: string[]; unknown: string[] } {
	const there = new Set<string>();
	if (byField.size > 0) {
		for (const { name: unique, step } of steps) {
			for (const name of step.rows.flatMap(namesIn)) {
				for (const known of [name, `${unique}.${name}`, `${step.stepName}.${name}`])
					if (byField.has(known)) there.add(known);
			}
		}
	}
	const names = [...byField.keys()];
	return {
		found: names.filter((name) => there.has(name)),
		unknown: names.filter((name) => !there.has(name)),
	};
}

/** The names of the fields of a row, at any depth. */
function namesIn(row: Row): string[] {
	return [...row].flatMap(([name, { inner }]) => [name, ...namesWithin(inner)]);
}

function namesWithin(inner: Cell['inner']): string[] {
	if (inner === undefined) return [];
	return Array.isArray(inner) ? inner.flatMap((cell) => namesWithin(cell.inner)) : namesIn(inner);
}
