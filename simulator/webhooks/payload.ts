/** The body of a notification about a finished execution (published). */
import type { Webhook } from '../configuration';
import { linkedSteps } from '../http/signed-data';
import type { Execution } from '../state/executions';

/** The body of a delivery; `urlOf` returns the signed URL of the data of a step. */
export function payloadOf(
	execution: Execution,
	webhook: Webhook,
	urlOf: (step: number) => string,
): string {
	const { workflowId, executionId, status, metadata, steps = [], failure } = execution;
	const envelope = {
		workflow_id: workflowId,
		workflow_execution_id: executionId,
		status,
		metadata: metadata ?? {},
	};
	if (failure) return JSON.stringify({ ...envelope, ...failure });
	if (webhook.format === 'url')
		return JSON.stringify({ ...envelope, steps: linkedSteps(steps, urlOf) });
	const inline = JSON.stringify({ ...envelope, steps });
	return Buffer.byteLength(inline) <= webhook.inlineLimitBytes
		? inline
		: JSON.stringify({ ...envelope, steps: [] });
}
