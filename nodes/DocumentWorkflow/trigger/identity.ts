import type { IWebhookFunctions } from 'n8n-workflow';

/** What tells a trigger from all others of this n8n: its workflow and its node. */
export function identityOf(context: IWebhookFunctions): string {
	return `${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
}
