import type {
	IHookFunctions,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { testCredential } from './credentialTest';
import { triggerFields } from './trigger/fields';
import { address, failIfUnreachable } from './trigger/path';
import { receive } from './trigger/receive';
import { testWebhookCredential } from './webhookCredentialTest';

export class DocumentWorkflowTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Document Workflow Trigger',
		name: 'documentWorkflowTrigger',
		icon: { light: 'file:documentWorkflow.svg', dark: 'file:documentWorkflow.dark.svg' },
		group: ['trigger'],
		// In nodes of version 1 n8n evaluates an expression on each call, for an option of its own first Webhook node.
		version: 2,
		subtitle: '={{ $parameter["events"].join(", ") }}',
		// n8n's node list shows this for the action node and its trigger together.
		description:
			'Extract data from documents with your document service, or start when its results are ready',
		eventTriggerDescription: '',
		activationMessage: 'The service can now call the Production URL of the trigger.',
		defaults: { name: 'Document Workflow Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'documentWorkflowWebhookApi',
				required: true,
				testedBy: 'documentWorkflowWebhookApiTest',
			},
			{
				name: 'documentWorkflowApi',
				required: true,
				testedBy: 'documentWorkflowApiTest',
				displayOptions: { show: { dataFrom: ['api'] } },
			},
		],
		webhooks: [
			{
				...address,
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: '',
				isFullPath: true,
			},
		],
		triggerPanel: {
			header: 'Listen for a notification of the service',
			executionsHelp: {
				inactive:
					'Three ways to try it. <b>By hand</b>: start listening with the button above, and send a notification to the Test URL. <b>With the simulated service</b> of this package: <a href="https://github.com/n8n-nodes-document-workflow/n8n-nodes-document-workflow/blob/main/docs/webhooks.md#try-it" target="_blank">the steps</a>. <b>With the service</b>: give the Production URL to the service operator, activate the workflow (n8n 2: Publish), and let an execution end; the n8n executions are listed under Executions.',
				active:
					'Three ways to try it. <b>By hand</b>: start listening with the button above, and send a notification to the Test URL. <b>With the simulated service</b> of this package: <a href="https://github.com/n8n-nodes-document-workflow/n8n-nodes-document-workflow/blob/main/docs/webhooks.md#try-it" target="_blank">the steps</a>. <b>With the service</b>: let an execution end; this workflow runs by itself, and its n8n executions are listed under Executions.',
			},
			activationHint:
				'Once this workflow is active (n8n 2: published), the service can call the Production URL. Which notifications start it is set in the parameters. The service operator has to be told that address once.',
		},
		properties: triggerFields,
	};

	methods = {
		credentialTest: {
			documentWorkflowApiTest: testCredential,
			documentWorkflowWebhookApiTest: testWebhookCredential,
		},
	};

	/** Nothing to register: the operator of the service enters the address there. */
	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				failIfUnreachable(this);
				return true;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return receive(this);
	}
}
