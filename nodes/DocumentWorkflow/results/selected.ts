import type { IDataObject } from 'n8n-workflow';

import type { Json, JsonRecord } from '../../../service/contract';
import { isRecord } from '../../../service/contract';

const ALWAYS = ['workflowId', 'executionId', 'status'];

/**
 * The chosen fields of a simplified execution. A name means a field of the item itself such as metadata, a step with all its
 * fields, an extracted field in whichever step, or with its step in front such as policy.premium. Rows keep their number and order.
 */
export function selectFields(json: IDataObject, names: string[]): { json: IDataObject; unknownFields: string[] } {
	const wanted = new Set(names.map((name) => name.trim()).filter(Boolean));
	if (wanted.size === 0) return { json, unknownFields: [] };
	const found = new Set<string>();
	const isWanted = (name: string): boolean => {
		if (!wanted.has(name)) return false;
		found.add(name);
		return true;
	};
	const own = Object.entries(json).filter(([name]) => isWanted(name) || ALWAYS.includes(name));
	const steps = Object.entries(isRecord(json.data) ? json.data : {}).flatMap(([step, content]): Array<[string, Json]> => {
		if (isWanted(step)) return [[step, content]];
		const rows = Array.isArray(content) ? content.map((row) => fieldsOf(row, step, isWanted)) : [];
		return rows.some((row) => Object.keys(row).length > 0) ? [[step, rows]] : [];
	});
	const data = wanted.has('data') ? {} : { data: Object.fromEntries(steps) };
	return { json: { ...Object.fromEntries(own), ...data }, unknownFields: [...wanted].filter((name) => !found.has(name)) };
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
