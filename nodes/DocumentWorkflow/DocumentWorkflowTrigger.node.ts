import type {
	IHookFunctions,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { testCredential } from './methods';
import { failIfAllRejected } from './trigger/authenticate';
import { address, readTriggerFields, triggerFields } from './trigger/fields';
import { receive } from './trigger/receive';

const TRY_IT =
	'<b>To try it</b>, start listening with the button above and send a notification to the Test URL, <a href="https://github.com/n8n-nodes-document-workflow/n8n-nodes-document-workflow/blob/main/docs/webhooks.md#try-it" target="_blank">by hand or with the simulated service</a>.';

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
		description: 'Extract data from documents, or start when the results are ready',
		eventTriggerDescription: '',
		activationMessage: 'Your document service can now call the Production URL of this trigger.',
		defaults: { name: 'Document Workflow Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'documentWorkflowApi', required: true, testedBy: 'documentWorkflowApiTest' },
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
			header: 'Listen for a notification',
			executionsHelp: {
				inactive: `${TRY_IT}<br /><br /><b>In production</b>, give the Production URL to the service operator and activate this workflow (n8n 2: Publish). Its runs are listed under Executions.`,
				active: `${TRY_IT}<br /><br /><b>In production</b>, this workflow runs when your document service finishes an execution. Its runs are listed under Executions.`,
			},
			activationHint:
				'Activate this workflow (n8n 2: Publish) to receive notifications at the Production URL. Give this URL to the service operator once.',
		},
		properties: triggerFields,
	};

	methods = {
		credentialTest: { documentWorkflowApiTest: testCredential },
	};

	/** Nothing to register: the service operator enters the address there. */
	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				// A failure here would make n8n answer 404 from now on, and the service does not send again after that.
				if (['init', 'leadershipChange'].includes(this.getActivationMode())) return true;
				readTriggerFields((name, fallback) => this.getNodeParameter(name, fallback));
				await failIfAllRejected(this);
				return true;
			},
			create: async () => true,
			delete: async () => true,
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return receive(this);
	}
}
