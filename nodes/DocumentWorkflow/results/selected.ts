import type { IDataObject } from 'n8n-workflow';

import type { Json, JsonRecord } from '../../../service/contract';
import { isRecord } from '../../../service/contract';

/** What is left of an item, and which of the names were found in it. */
interface Selected {
	json: IDataObject;
	unknownFields: string[];
	foundFields: string[];
}

const ALWAYS = ['workflowId', 'executionId', 'status'];

/**
 * The chosen fields of a simplified execution. A name means a field of the item itself such as metadata, a step with all its
 * fields, an extracted field in whichever step, or with its step in front such as policy.premium. Rows keep their number and order;
 * a record in the place of rows has fields as well.
 */
export function selectFields(json: IDataObject, names: string[]): Selected {
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
