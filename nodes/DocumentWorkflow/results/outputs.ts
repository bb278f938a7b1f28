import type { IDataObject } from 'n8n-workflow';

import { scoresOf, tableScores, valuesOf } from './cells';
import { minimumsIn } from './minimums';
import type { Material } from './parts';
import { confidenceShown, outcomeOf } from './parts';
import { placedRows, reviewFields } from './review';
import { selectFields } from './selection';

/** Plain values by step, then their review, their confidence scores in the same shape, and the technical fields. */
export function simplified({ execution, steps, review, shaping, beside }: Material): IDataObject {
	const { workflowId, executionId } = execution;
	const { minimums, below } = shaping;
	const data = steps.map((each) => {
		const { name, step } = each;
		const blankBelow = below === 'blank' ? minimumsIn(each, minimums) : undefined;
		return [
			name,
			step.other === undefined ? step.rows.map((row) => valuesOf(row, blankBelow)) : step.other,
		];
	});
	const confidence = steps.map(({ name, step }) => [name, step.rows.map(scoresOf)]);
	return {
		data: Object.fromEntries(data) as IDataObject,
		...reviewFields(review, minimums),
		...confidenceShown(
			Object.fromEntries(confidence) as IDataObject,
			steps.flatMap((each) => placedRows(each).flatMap(([row, place]) => tableScores(row, place))),
			shaping,
		),
		...outcomeOf(execution),
		metadata: execution.metadata,
		...beside,
		workflowId,
		executionId,
	};
}

/** As Simplified, with only the requested fields. An AI agent sees no hints, so missing fields are listed in its item. */
export function selected(material: Material): {
	json: IDataObject;
	unknownFields: string[];
	foundFields: string[];
} {
	const { execution, shaping, beside } = material;
	const { json, ...found } = selectFields(simplified({ ...material, beside: {} }), shaping.fields);
	const isMissing = execution.phase !== 'running' && found.unknownFields.length > 0;
	const { workflowId, executionId, ...rest } = json;
	return {
		json: {
			...rest,
			...(isMissing ? { fieldsNotFound: found.unknownFields } : {}),
			...beside,
			workflowId,
			executionId,
		},
		unknownFields: isMissing ? found.unknownFields : [],
		foundFields: found.foundFields,
	};
}

/** The unchanged answer, signed addresses included. */
export function raw({ execution, review, shaping, beside }: Material): IDataObject {
	const { status, workflowId, executionId } = execution;
	return {
		response: execution.raw,
		...reviewFields(review, shaping.minimums),
		status,
		...beside,
		workflowId,
		executionId,
	};
}
