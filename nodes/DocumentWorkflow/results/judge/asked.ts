/** What a person asks of the steps: which of them, and of each the minimums and the required fields. */
import type { Step } from '../../../../service/contract';
import type { Minimums } from '../settings/minimums';

/** A step under a name that is unique within its execution. */
export interface NamedStep {
	name: string;
	step: Step;
}

/** Steps by name; a second step of the same name gets a number, so that both are returned. */
export function uniquelyNamed(steps: Step[]): NamedStep[] {
	const names = uniqueNames(steps.map(({ stepName }) => stepName));
	return steps.map((step, index) => ({ name: names[index] ?? step.stepName, step }));
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

/** The requested steps; all of them when none is named. `unknown` are the names that no step has. */
export function chooseSteps(
	steps: NamedStep[],
	onlySteps: string[],
): { chosen: NamedStep[]; unknown: string[] } {
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
export function minimumsIn(named: NamedStep, { general, byField }: Minimums): Minimums {
	const own = [...byField].flatMap(([field, minimum]) =>
		withoutStep(named, field).map((name) => [name, minimum] as const),
	);
	const stepName = namesOf(named).find((each) => byField.has(each));
	return {
		general: stepName === undefined ? general : byField.get(stepName),
		byField: new Map([...byField, ...own]),
	};
}

/** Whether a step has a minimum of its own, which counts as one of each of its fields. */
export function hasMinimum(named: NamedStep, { byField }: Minimums): boolean {
	return namesOf(named).some((name) => byField.has(name));
}

/** The minimums of a person that count for a step: for the step itself, and for its fields that have one of their own. */
export function minimumsFor(named: NamedStep, fields: ReadonlySet<string>): string[] {
	const names = namesOf(named);
	return [
		...names,
		...[...fields].flatMap((field) => [field, ...names.map((name) => `${name}.${field}`)]),
	];
}

/** In a step, `policy.number` counts as `number`. */
export function withoutStep(named: NamedStep, field: string): string[] {
	const names = namesOf(named).filter((name) => field.startsWith(`${name}.`));
	return names.map(({ length }) => field.slice(length + 1));
}

function namesOf({ name, step }: NamedStep): string[] {
	return [name, step.stepName];
}
