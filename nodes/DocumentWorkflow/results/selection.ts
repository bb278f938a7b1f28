import type { IDataObject } from 'n8n-workflow';

import type { Json, JsonRecord, Step } from '../../../service/contract';
import { isRecord } from '../../../service/contract';
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

const ALWAYS = ['needsReview', 'dataNotRead', 'status', 'workflowId', 'executionId'];

/**
 * The requested fields of a simplified execution. A name selects a field of the item itself such as metadata, a step with all its
 * fields, an extracted field of any step, or with its step in front such as policy.premium. A path as in lowConfidenceFields, such as
 * data.policy[0].premium, selects that field in all rows. Rows keep their number and order, so that the path stays valid. Data that is
 * a record instead of rows has fields too.
 */
export function selectFields(json: IDataObject, names: string[]): SelectedFields {
	const wanted = new Set(names.map((name) => name.trim()).filter(Boolean));
	if (wanted.size === 0) return { json, unknownFields: [], foundFields: [] };
	const byName = new Map<string, string[]>();
	for (const name of wanted) {
		for (const key of new Set([keyOf([name]), ...keysOf(name)]))
			byName.set(key, [...(byName.get(key) ?? []), name]);
	}
	const found = new Set<string>();
	const isWanted = (...place: string[]): boolean => {
		const asked = byName.get(keyOf(place)) ?? [];
		for (const name of asked) found.add(name);
		return asked.length > 0;
	};
	const isOwnWanted = (name: string): boolean =>
		[isWanted(name), isWanted(...ownField(name))].some(Boolean) || ALWAYS.includes(name);
	const selectSteps = (data: IDataObject): IDataObject =>
		Object.fromEntries(
			Object.entries(data).flatMap(([step, given]): Array<[string, Json]> => {
				const content = given as Json;
				if (isWanted(step)) return [[step, content]];
				const fields = Array.isArray(content)
					? content.map((row) => fieldsOf(row, step, isWanted))
					: fieldsOf(content, step, isWanted);
				return [fields].flat().some((row) => Object.keys(row).length > 0) ? [[step, fields]] : [];
			}),
		);
	const selected = Object.entries(json).flatMap(
		([name, value]): Array<[string, IDataObject[string]]> => {
			const isKept = isOwnWanted(name);
			if (name !== 'data' || byName.has(keyOf(['data']))) return isKept ? [[name, value]] : [];
			return [[name, selectSteps(isRecord(value) ? value : {})]];
		},
	);
	return {
		json: Object.fromEntries(selected),
		unknownFields: [...wanted].filter((name) => !found.has(name)),
		foundFields: [...found],
	};
}

/** What a path may mean: a step, a field of a step, or something within a field of the item or of a row. */
function keysOf(path: string): string[] {
	const parts = partsOf(path).filter((part) => typeof part === 'string');
	const [first, ...others] = parts[0] === '$json' ? parts.slice(1) : parts;
	if (first === undefined) return [];
	const inData = first === 'data' && others.length > 0 ? others : [first, ...others];
	return [
		keyOf(inData.slice(0, 2)),
		...(first === 'data' ? [] : [keyOf(ownField(first))]),
		...(path.includes('[') ? inData.slice(0, 1).map((name) => keyOf(anyField(name))) : []),
	];
}

const ownField = (name: string) => ['item', name, ''];
const anyField = (name: string) => ['row', name, ''];

function keyOf(place: string[]): string {
	return JSON.stringify(place);
}

function fieldsOf(row: Json, step: string, isWanted: (...place: string[]) => boolean): JsonRecord {
	const fields = isRecord(row) ? Object.entries(row) : [];
	return Object.fromEntries(
		fields.filter(([name]) =>
			[[name], [step, name], [`${step}.${name}`], anyField(name)]
				.map((place) => isWanted(...place))
				.some(Boolean),
		),
	);
}
