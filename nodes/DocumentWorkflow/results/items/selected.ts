import type { IDataObject } from 'n8n-workflow';

import type { Json, JsonRecord } from '../../../../service/contract';
import { isRecord } from '../../../../service/json';

const ALWAYS = ['needsReview', 'toReview', 'dataNotRead', 'status', 'workflowId', 'executionId'];

/**
 * The named fields of a simplified execution: all when none is named. A name is a field of the item such as metadata, a step with all its fields, an extracted
 * field of any step, or step.field. Rows keep their number and order.
 */
export function selectFields(
	{ data, ...others }: IDataObject & { data: JsonRecord },
	names: string[],
) {
	const found = new Set<string>();
	const isWanted = (...meant: string[]): boolean => {
		const asked = meant.filter((name) => names.includes(name));
		for (const name of asked) found.add(name);
		return names.length === 0 || asked.length > 0;
	};
	const selectRow = (step: string, row: Json): JsonRecord => {
		const fields = Object.entries(isRecord(row) ? row : {});
		return Object.fromEntries(fields.filter(([name]) => isWanted(name, `${step}.${name}`)));
	};
	const selectStep = ([step, content]: [string, Json]): Array<[string, Json]> => {
		const rows = [content].flat().map((row) => selectRow(step, row));
		if (isWanted(step)) return [[step, content]];
		if (rows.every((row) => Object.keys(row).length === 0)) return [];
		const [only = {}] = rows;
		return [[step, Array.isArray(content) ? rows : only]];
	};
	const steps = Object.entries(data).flatMap(selectStep);
	const kept = Object.entries(others).filter(([name]) => isWanted(name) || ALWAYS.includes(name));
	const selected: IDataObject = {
		data: isWanted('data') ? data : Object.fromEntries(steps),
		...Object.fromEntries(kept),
	};
	return { json: selected, unknown: names.filter((name) => !found.has(name)) };
}
