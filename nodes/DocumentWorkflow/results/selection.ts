import type { IDataObject } from 'n8n-workflow';

import { isRecord, type Json, type JsonRecord, type Step } from '../../../service/contract';

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
	if (asked.size === 0) return { chosen: steps, unknown: [] };
	return {
		chosen: steps.filter(({ name }) => asked.has(name)),
		unknown: [...asked].filter((asking) => !steps.some(({ name }) => name === asking)),
	};
}

const ALWAYS = ['needsReview', 'toReview', 'dataNotRead', 'status', 'workflowId', 'executionId'];

/**
 * The named fields of a simplified execution: all when none is named. A name is a field of the item such as metadata, a step with all
 * its fields, an extracted field of any step, or step.field. Rows keep their number and order.
 */
export function selectFields(json: IDataObject, names: string[]) {
	const wanted = new Set(names);
	const found = new Set<string>();
	const isWanted = (...meant: string[]): boolean => {
		const asked = meant.filter((name) => wanted.has(name));
		for (const name of asked) found.add(name);
		return wanted.size === 0 || asked.length > 0;
	};
	const selectRow = (step: string, row: Json): JsonRecord => {
		const isNamed = ([name]: [string, Json]) => isWanted(name, `${step}.${name}`);
		return Object.fromEntries(Object.entries(isRecord(row) ? row : {}).filter(isNamed));
	};
	const { data, ...others } = json as JsonRecord;
	const selectStep = ([step, content]: [string, Json]): Array<[string, Json]> => {
		const rows = [content].flat().map((row) => selectRow(step, row));
		if (isWanted(step)) return [[step, content]];
		if (rows.every((row) => Object.keys(row).length === 0)) return [];
		return [[step, Array.isArray(content) ? rows : (rows[0] ?? {})]];
	};
	const steps = Object.entries(isRecord(data) ? data : {}).flatMap(selectStep);
	const kept = Object.entries(others).filter(([name]) => isWanted(name) || ALWAYS.includes(name));
	const selected: IDataObject = {
		data: isWanted('data') ? data : Object.fromEntries(steps),
		...Object.fromEntries(kept),
	};
	return { json: selected, unknown: names.filter((name) => !found.has(name)) };
}
