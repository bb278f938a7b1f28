import type { IDataObject } from 'n8n-workflow';
import { scoresOf, tableScores, valuesOf } from './cells';
import { minimumsIn } from './minimums';
import { placedRows, reviewFields } from './review';
import { selectFields } from './selection';
import type { Execution, StartedExecution } from '../../../service/contract';
import { EXTERNAL_ID } from '../../../service/contract';
import { excerptOf } from '../../../service/text';
import type { TableConfidence } from './cells';
import type { Shaping } from './choice';
import type { Review } from './review';
import type { NamedStep } from './selection';

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

/** What the items of an execution are made of. */
export interface Material {
	execution: Execution;
	/** The chosen ones. */
	steps: NamedStep[];
	review: Review;
	shaping: Shaping;
	/** Further fields of each item, such as the documents that were sent. */
	beside: IDataObject;
}

/** The IDs and the status of an execution, which are all that is known of it when it has just been started. */
export function idsOf({ workflowId, executionId, status }: StartedExecution): IDataObject {
	return { executionId, status, workflowId };
}

/** An execution as errors name it. */
export function executionInWords({ executionId, workflowId }: StartedExecution): string {
	return `Execution ${executionId} (workflow ${workflowId})`;
}

/** The scores of tables are a separate list, because the shape of the values has no place for them. Most data has none. */
export function confidenceShown(
	confidence: IDataObject,
	tableConfidence: TableConfidence[],
	{ includeConfidence }: Shaping,
): IDataObject {
	if (!includeConfidence) return {};
	return tableConfidence.length === 0 ? { confidence } : { confidence, tableConfidence };
}

/** How an execution ended. */
export function outcomeOf(execution: Execution): IDataObject {
	const { status, phase, metadata, raw: answer, reference = '', steps } = execution;
	const externalId = Object.hasOwn(metadata, EXTERNAL_ID) ? metadata[EXTERNAL_ID] : undefined;
	return {
		status,
		...(phase === 'failed' ? { failureReason: execution.failureReason } : {}),
		...(phase === 'completed' && steps.length === 0
			? {
					dataNotRead: `The answer has no steps with data. It is: ${excerptOf(answer, [reference])}`,
				}
			: {}),
		...(isExternalId(externalId) ? { externalId } : {}),
	};
}

/** Every row of an execution repeats it, so a very long text stays in the metadata (assumed). */
function isExternalId(id: unknown): id is string | number {
	return typeof id === 'number' || (typeof id === 'string' && id !== '' && id.length <= 500);
}
