import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/** From where the service is reached: a node that runs, or a webhook that was called. */
export type ServiceContext = IExecuteFunctions | IWebhookFunctions;

export const STOPPED = 'The n8n execution was stopped';

/** The signal of n8n's Stop button; a webhook has none. */
export function stopSignal(context: ServiceContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** Whether the n8n execution was stopped. */
export function isStopped(context: ServiceContext): boolean {
	return stopSignal(context)?.aborted === true;
}

/** @throws NodeOperationError when the n8n execution was stopped */
export function failIfStopped(context: IExecuteFunctions): void {
	if (isStopped(context)) throw new NodeOperationError(context.getNode(), STOPPED);
}
