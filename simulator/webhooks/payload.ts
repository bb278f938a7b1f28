/** The body of a notification about a finished execution (published). */
import { randomBytes } from 'node:crypto';
import type { Webhook } from '../configuration';
import type { Execution } from '../state/executions';

/** The body of a delivery. */
export function payloadOf(execution: Execution, webhook: Webhook): string {
	const { workflowId, executionId, status, metadata, steps = [], failure } = execution;
	const envelope = {
		workflow_id: workflowId,
		workflow_execution_id: executionId,
		status,
		metadata: metadata ?? {},
	};
	if (failure) return JSON.stringify({ ...envelope, ...failure });
	if (webhook.format === 'url') {
		const linked = steps.map(({ step_name }, step) => ({
			step_name,
			data: { url: signedUrlOf(executionId, step) },
		}));
		return JSON.stringify({ ...envelope, steps: linked });
	}
	const inline = JSON.stringify({ ...envelope, steps });
	return Buffer.byteLength(inline) <= webhook.inlineLimitBytes
		? inline
		: JSON.stringify({ ...envelope, steps: [] });
}

/** Where a real service has the data of a step. Here nobody asks for it. */
function signedUrlOf(executionId: string, step: number): string {
	const signature = randomBytes(32).toString('hex');
	return `https://storage.example.com/signed/executions/${executionId}/steps/${step}?signature=${signature}`;
}
