import type { ICredentialType, INodeProperties, Icon } from 'n8n-workflow';

import { webhookFields } from './webhook/methods';

/** How the trigger authenticates the calls of the service. Nothing is ever sent with this credential. */
export class DocumentWorkflowWebhookApi implements ICredentialType {
	name = 'documentWorkflowWebhookApi';

	displayName = 'Document Workflow Webhook API';

	documentationUrl =
		'https://github.com/n8n-nodes-document-workflow/n8n-nodes-document-workflow/blob/main/docs/webhooks.md';

	icon: Icon = { light: 'file:documentWorkflow.svg', dark: 'file:documentWorkflow.dark.svg' };

	properties: INodeProperties[] = webhookFields;
}
