import type { IDataObject } from 'n8n-workflow';

import { isRecord, type Json, type JsonRecord, type Step } from '../../../service/contract';
import { partsOf } from './path';

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

/**
 * The requested steps; all of them when none is named. `unknown` are the names that no step has.
 */
export function chooseSteps(
	steps: NamedStep[],
	onlySteps: string[],
): { chosen: NamedStep[]; unknown: string[] } {
	const asked = new Set(onlySteps.map((name) => name.trim()).filter(Boolean));
	if (asked.size === 0) return { chosen: steps, unknown: [] };
	return {
		chosen: steps.filter(({ name }) => asked.has(name)),
		unknown: [...asked].filter((asking) => !steps.some(({ name }) => name === asking)),
	};
}

const ALWAYS = ['needsReview', 'toReview', 'dataNotRead', 'status', 'workflowId', 'executionId'];

/**
 * The requested fields of a simplified execution. A name selects a field of the item itself such as metadata, a step with all its
 * fields, an extracted field of any step, or with its step in front such as policy.premium. A path as in lowConfidenceFields, such as
 * data.policy[0].premium, selects that field in all rows. Rows keep their number and order, so that the path stays valid. Data that is
 * a record instead of rows has fields too.
 */
export function selectFields(
	json: IDataObject,
	names: string[],
): { json: IDataObject; unknownFields: string[]; foundFields: string[] } {
	const wanted = new Set(names.map((name) => name.trim()).filter(Boolean));
	if (wanted.size === 0) return { json, unknownFields: [], foundFields: [] };
	const byMeaning = new Map<string, string[]>();
	for (const name of wanted)
		for (const meaning of new Set(meaningsOf(name)))
			byMeaning.set(meaning, [...(byMeaning.get(meaning) ?? []), name]);
	const found = new Set<string>();
	const isWanted = (...meanings: string[]): boolean => {
		const asked = meanings.flatMap((meaning) => byMeaning.get(meaning) ?? []);
		for (const name of asked) found.add(name);
		return asked.length > 0;
	};
	const selectRow = (row: Json, step: string): JsonRecord =>
		Object.fromEntries(
			Object.entries(isRecord(row) ? row : {}).filter(([name]) =>
				isWanted(named(name), named(`${step}.${name}`), ofStep(step, name), ofAnyStep(name)),
			),
		);
	const selectStep = (step: string, content: Json): Array<[string, Json]> => {
		if (isWanted(named(step))) return [[step, content]];
		const fields = Array.isArray(content)
			? content.map((row) => selectRow(row, step))
			: selectRow(content, step);
		return [fields].flat().some((row) => Object.keys(row).length > 0) ? [[step, fields]] : [];
	};
	const { data, ...others } = json as JsonRecord;
	const steps = isRecord(data) ? Object.entries(data) : [];
	const selected = Object.entries(others).filter(
		([name]) => isWanted(named(name), ofItem(name)) || ALWAYS.includes(name),
	);
	return {
		json: {
			data: isWanted(named('data'))
				? data
				: Object.fromEntries(steps.flatMap(([step, content]) => selectStep(step, content))),
			...Object.fromEntries(selected),
		},
		unknownFields: [...wanted].filter((name) => !found.has(name)),
		foundFields: [...found],
	};
}

const named = (name: string) => JSON.stringify(['named', name]);
const ofItem = (name: string) => JSON.stringify(['item', name]);
const ofStep = (step: string, name: string) => JSON.stringify(['step', step, name]);
const ofAnyStep = (name: string) => JSON.stringify(['any', name]);

/** What a name may mean, and as a path: a step, a field of a step, or something within a field of the item or of a row. */
function meaningsOf(name: string): string[] {
	const parts = partsOf(name).filter((part) => typeof part === 'string');
	const [first, ...others] = parts[0] === '$json' ? parts.slice(1) : parts;
	if (first === undefined) return [named(name)];
	const [step = first, field] = first === 'data' && others.length > 0 ? others : [first, ...others];
	return [
		named(name),
		field === undefined ? named(step) : ofStep(step, field),
		...(first === 'data' ? [] : [ofItem(first)]),
		...(name.includes('[') ? [ofAnyStep(step)] : []),
	];
}
