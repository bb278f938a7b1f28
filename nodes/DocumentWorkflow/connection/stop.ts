import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/** The context of a node's run or of a webhook call. */
export type ServiceContext = IExecuteFunctions | IWebhookFunctions;

export const STOPPED = 'The n8n execution was stopped';

/** The signal of n8n's Stop button; a webhook has none. */
export function stopSignal(context: ServiceContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

export function isStopped(context: ServiceContext): boolean {
	return stopSignal(context)?.aborted === true;
}

/** @throws NodeOperationError when the n8n execution was stopped */
export function failIfStopped(context: IExecuteFunctions): void {
	if (isStopped(context)) throw new NodeOperationError(context.getNode(), STOPPED);
}
