import type { StartedExecution } from '../../../../service/contract';
import type { About } from '../../about';

export function executionInWords(execution: Omit<StartedExecution, 'status'>): string {
	const { executionId, workflowId, executionUrl } = execution;
	return [`Execution ${executionId} (workflow ${workflowId})`, executionUrl]
		.filter(Boolean)
		.join(': ');
}

/** The IDs and the status of an execution, which are all that is known of it when it has just been started. */
export function idsOf(execution: StartedExecution): About {
	const { workflowId, executionId, status, executionUrl } = execution;
	return { executionId, status, workflowId, ...(executionUrl !== undefined && { executionUrl }) };
}
