/** What a person asks of the steps: which of them, and of each the minimums and the required fields. */
import type { Step } from '../../../../service/contract';
import type { Minimums } from '../settings/minimums';

/** The requested steps; all of them when none is named. `unknown` are the names that no step has. */
export function chooseSteps(
	steps: Step[],
	onlySteps: string[],
): { chosen: Step[]; unknown: string[] } {
	const asked = new Set(onlySteps);
	return {
		chosen: asked.size === 0 ? steps : steps.filter(({ name }) => asked.has(name)),
		unknown: [...asked].filter((asking) => !steps.some(({ name }) => name === asking)),
	};
}

/** Whether any value is judged, so that the output says what needs review. */
export function isJudging({ general, byField }: Minimums): boolean {
	return [general, ...byField.values()].some((minimum) => minimum !== undefined);
}

/** The minimums for the rows of a step: there, `policy.premium` counts as `premium`. */
export function minimumsIn(step: Step, { general, byField }: Minimums): Minimums {
	const own = [...byField].flatMap(([field, minimum]) =>
		withoutStep(step, field).map((name) => [name, minimum] as const),
	);
	const stepName = namesOf(step).find((each) => byField.has(each));
	return {
		general: stepName === undefined ? general : byField.get(stepName),
		byField: new Map([...byField, ...own]),
	};
}

/** Whether a step has a minimum of its own, which counts as one of each of its fields. */
export function hasMinimum(step: Step, { byField }: Minimums): boolean {
	return namesOf(step).some((name) => byField.has(name));
}

/** The minimums of a person that count for a step: for the step itself, and for its fields that have one of their own. */
export function minimumsFor(step: Step, fields: ReadonlySet<string>): string[] {
	const names = namesOf(step);
	return [
		...names,
		...[...fields].flatMap((field) => [field, ...names.map((name) => `${name}.${field}`)]),
	];
}

/** In a step, `policy.number` counts as `number`. */
export function withoutStep(step: Step, field: string): string[] {
	const names = namesOf(step).filter((name) => field.startsWith(`${name}.`));
	return names.map(({ length }) => field.slice(length + 1));
}

function namesOf({ name, stepName }: Step): string[] {
	return [name, stepName];
}
