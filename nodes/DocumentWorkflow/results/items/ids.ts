import type { IDataObject } from 'n8n-workflow';

import type { StartedExecution } from '../../../../service/contract';

export function executionInWords({ executionId, workflowId }: StartedExecution): string {
	return `Execution ${executionId} (workflow ${workflowId})`;
}

/** The IDs and the status of an execution, which are all that is known of it when it has just been started. */
export function idsOf({ workflowId, executionId, status }: StartedExecution): IDataObject {
	return { executionId, status, workflowId };
}
