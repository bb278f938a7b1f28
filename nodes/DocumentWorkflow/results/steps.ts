import type { Step } from '../../../service/contract';

/** A step under a name that no other step of its execution has. */
export interface NamedStep {
	name: string;
	step: Step;
}

/** Steps by name; a second step of the same name gets a number, so that none hides another. */
export function nameApart(steps: Step[]): NamedStep[] {
	const taken = new Set<string>();
	const numbers = new Map<string, number>();
	return steps.map((step) => {
		const { stepName } = step;
		let name = stepName;
		for (let number = numbers.get(stepName) ?? 2; taken.has(name); number++) {
			name = `${stepName}_${number}`;
			numbers.set(stepName, number + 1);
		}
		taken.add(name);
		return { name, step };
	});
}

/**
 * The steps that are asked for, all of them when none is named; `unknown` are the names that no step has. A name that several steps
 * share means them all, and with its number one of them.
 */
export function chooseSteps(
	steps: NamedStep[],
	onlySteps: string[],
): { chosen: NamedStep[]; unknown: string[] } {
	const asked = new Set(onlySteps.map((name) => name.trim()).filter(Boolean));
	if (asked.size === 0) return { chosen: steps, unknown: [] };
	const there = new Set(steps.flatMap(({ name, step }) => [name, step.stepName]));
	return {
		chosen: steps.filter(({ name, step }) => asked.has(name) || asked.has(step.stepName)),
		unknown: [...asked].filter((name) => !there.has(name)),
	};
}
