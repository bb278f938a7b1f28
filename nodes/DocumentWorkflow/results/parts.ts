import type { IDataObject } from 'n8n-workflow';

import type { Execution, StartedExecution } from '../../../service/contract';
import { EXTERNAL_ID } from '../../../service/contract';
import { excerptOf } from '../../../service/text';
import type { TableConfidence } from './cells';
import type { Shaping } from './choice';
import type { Review } from './review';
import type { NamedStep } from './selection';

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
