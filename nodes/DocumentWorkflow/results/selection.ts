import type { IDataObject } from 'n8n-workflow';

import type { Json, JsonRecord, Step } from '../../../service/contract';
import { isRecord } from '../../../service/contract';

/** A step under a name that is unique within its execution. */
export interface NamedStep {
	name: string;
	step: Step;
}

/** Steps by name; a second step of the same name gets a number, so that both are returned. */
export function uniquelyNamed(steps: Step[]): NamedStep[] {
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
 * The requested steps; all of them when none is named. `unknown` are the names that no step has. A name that several steps share
 * selects them all; with its number it selects one.
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

interface SelectedFields {
	json: IDataObject;
	unknownFields: string[];
	foundFields: string[];
}

const ALWAYS = ['workflowId', 'executionId', 'status'];

/**
 * The requested fields of a simplified execution. A name selects a field of the item itself such as metadata, a step with all its
 * fields, an extracted field of any step, or with its step in front such as policy.premium. Rows keep their number and order. Data
 * that is a record instead of rows has fields too.
 */
export function selectFields(json: IDataObject, names: string[]): SelectedFields {
	const wanted = new Set(names.map((name) => name.trim()).filter(Boolean));
	if (wanted.size === 0) return { json, unknownFields: [], foundFields: [] };
	const found = new Set<string>();
	const isWanted = (name: string): boolean => {
		if (!wanted.has(name)) return false;
		found.add(name);
		return true;
	};
	const own = Object.entries(json).filter(([name]) => isWanted(name) || ALWAYS.includes(name));
	const steps = Object.entries(isRecord(json.data) ? json.data : {}).flatMap(
		([step, content]): Array<[string, Json]> => {
			if (isWanted(step)) return [[step, content]];
			const fields = Array.isArray(content)
				? content.map((row) => fieldsOf(row, step, isWanted))
				: fieldsOf(content, step, isWanted);
			return [fields].flat().some((row) => Object.keys(row).length > 0) ? [[step, fields]] : [];
		},
	);
	const data = wanted.has('data') ? {} : { data: Object.fromEntries(steps) };
	const unknownFields = [...wanted].filter((name) => !found.has(name));
	return { json: { ...Object.fromEntries(own), ...data }, unknownFields, foundFields: [...found] };
}

function fieldsOf(row: Json, step: string, isWanted: (name: string) => boolean): JsonRecord {
	const fields = isRecord(row) ? Object.entries(row) : [];
	return Object.fromEntries(
		fields.filter(([name]) => {
			const byName = isWanted(name);
			return isWanted(`${step}.${name}`) || byName;
		}),
	);
}
