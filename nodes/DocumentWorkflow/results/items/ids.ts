import type { StartedExecution } from '../../../../service/contract';
import type { About } from '../../about';

export function executionInWords(execution: Omit<StartedExecution, 'status'>): string {
	const { executionId, workflowId, executionUrl } = execution;
	const name = `Execution ${executionId} (workflow ${workflowId})`;
	return executionUrl === undefined ? name : `${name}: ${executionUrl}`;
}

/** The IDs and the status of an execution, which are all that is known of it when it has just been started. */
export function idsOf(execution: StartedExecution): About {
	const { workflowId, executionId, status, executionUrl } = execution;
	return { executionId, status, workflowId, ...(executionUrl !== undefined && { executionUrl }) };
}
