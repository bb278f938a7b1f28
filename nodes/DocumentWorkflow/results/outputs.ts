import type { IDataObject } from 'n8n-workflow';

import { type Execution, EXTERNAL_ID, type StartedExecution } from '../../../service/contract';
import { excerptOf } from '../../../service/text';
import { confidenceIn, reviewFields, valuesIn } from './lists';
import type { Shaping } from './choice';
import type { JudgedRow, Judgement } from './judgement';
import { selectFields } from './selection';
import { type LongWork, mapRows } from './turns';

export interface Material {
	judgement: Judgement;
	shaping: Shaping;
	/** Further fields of each item, such as the documents that were sent. */
	beside: IDataObject;
	/** What to review of a row, or of all, in words. */
	toReview: (row?: JudgedRow) => string | null;
}

/** Plain values by step, then their review, their confidence scores in the same shape, and the technical fields. */
export function* simplified({ judgement, beside, toReview }: Material): LongWork<IDataObject> {
	const { execution, steps } = judgement;
	const { workflowId, executionId } = execution;
	const data: Array<[string, unknown]> = [];
	const confidence: Array<[string, unknown]> = [];
	for (const { name, rows: ofStep, data: content } of steps) {
		const values = yield* mapRows(ofStep, ({ fields }) => valuesIn(fields));
		data.push([name, content === undefined ? values : content]);
		confidence.push([name, yield* mapRows(ofStep, ({ fields }) => confidenceIn(fields))]);
	}
	return {
		// Object.fromEntries keeps a name such as __proto__ as an ordinary field.
		data: Object.fromEntries(data),
		needsReview: judgement.needsReview,
		toReview: toReview(),
		...reviewFields(judgement, judgement, judgement),
		confidence: Object.fromEntries(confidence),
		...outcomeOf(execution),
		metadata: execution.metadata,
		...beside,
		workflowId,
		executionId,
	};
}

/** As Simplified, with only the requested fields, and the names of those that do not exist. */
export function* selected(material: Material): LongWork<IDataObject> {
	const { judgement, shaping, beside } = material;
	const all = yield* simplified({ ...material, beside: {} });
	const { json, unknown } = selectFields(all, shaping.fields);
	const isUnknown = unknown.length > 0 && judgement.execution.phase !== 'running';
	const fieldsNotFound = isUnknown ? { fieldsNotFound: unknown } : {};
	const { workflowId, executionId, ...rest } = json;
	return { ...rest, ...fieldsNotFound, ...beside, workflowId, executionId };
}

/** The unchanged answer, with signed addresses where the service sends them. */
export function raw({ judgement, beside, toReview }: Material): IDataObject {
	const { status, workflowId, executionId, raw: response } = judgement.execution;
	return {
		response,
		needsReview: judgement.needsReview,
		toReview: toReview(),
		...reviewFields(judgement, judgement, judgement),
		status,
		...beside,
		workflowId,
		executionId,
	};
}

export function executionInWords(execution: Omit<StartedExecution, 'status'>): string {
	const { executionId, workflowId, executionUrl } = execution;
	return [`Execution ${executionId} (workflow ${workflowId})`, executionUrl]
		.filter(Boolean)
		.join(': ');
}

/** The IDs and the status of an execution, which are all that is known of it when it has just been started. */
export function idsOf(execution: StartedExecution): IDataObject {
	const { workflowId, executionId, status } = execution;
	return { executionId, status, workflowId, ...linkOf(execution) };
}

/** The link to an execution, as a field of items. */
export function linkOf({ executionUrl }: Pick<StartedExecution, 'executionUrl'>): IDataObject {
	return executionUrl === undefined ? {} : { executionUrl };
}

export function outcomeOf(execution: Execution): IDataObject {
	const { status, phase, metadata, raw: answer, steps } = execution;
	const externalId = Object.hasOwn(metadata, EXTERNAL_ID) ? metadata[EXTERNAL_ID] : undefined;
	return {
		status,
		...(phase === 'failed' ? { failureReason: execution.failureReason } : {}),
		...(phase === 'completed' && steps.length === 0
			? { dataNotRead: `The answer has no steps with data. It is: ${excerptOf(answer)}` }
			: {}),
		...(isExternalId(externalId) ? { externalId } : {}),
	};
}

/** Every row of an execution repeats it, so a very long text stays in the metadata (assumed). */
function isExternalId(id: unknown): id is string | number {
	return typeof id === 'number' || (typeof id === 'string' && id !== '' && id.length <= 500);
}
