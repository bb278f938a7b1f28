import * as n8nWorkflow from 'n8n-workflow';
import type { INodeProperties, IWebhookDescription } from 'n8n-workflow';

import { checkChoice, type ReadParameter } from '../panel/options';
import {
	outputFields,
	readOutputSettings,
	triggerOutputOptionsField,
} from '../results/settings/settings';

const EVENTS: INodeProperties & { default: string[] } = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	options: [
		{
			name: 'Completed',
			value: 'completed',
			description: 'An execution is completed',
			action: 'On execution completed',
		},
		{
			name: 'Failed',
			value: 'failed',
			description: 'An execution has failed',
			action: 'On execution failed',
		},
	],
	required: true,
	default: ['completed', 'failed'],
	description: 'Which events start this n8n workflow. Other events are accepted and ignored.',
};

export const triggerFields: INodeProperties[] = [
	{
		displayName:
			'Give the service operator the Production URL (open <i>Webhook URLs</i> above), and agree on how its calls are authenticated: <i>Trigger Authentication</i> in the credential. <a href="https://github.com/n8n-nodes-document-workflow/n8n-nodes-document-workflow/blob/main/docs/webhooks.md#set-it-up" target="_blank">How to set it up</a>',
		name: 'handOver',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Path',
		name: 'path',
		type: 'string',
		required: true,
		default: 'document-workflow',
		placeholder: 'e.g. document-workflow',
		description: 'The end of the URL. No two active n8n workflows can have the same path.',
		noDataExpression: true,
	},
	EVENTS,
	...outputFields,
	triggerOutputOptionsField,
];

/** Missing in n8n 1. */
const { fromParameter, webhookDescriptionFields } = n8nWorkflow as Partial<typeof n8nWorkflow>;

/** The path of the trigger is a parameter. n8n reads it on each call, which is much faster without an expression. */
export const address: Pick<IWebhookDescription, 'path'> =
	fromParameter && webhookDescriptionFields
		? webhookDescriptionFields({ path: fromParameter('path') })
		: { path: '={{ $parameter["path"] }}' };

/** @throws Error naming the field when a value cannot be used */
export function readTriggerFields(read: ReadParameter) {
	const events: unknown[] = [read(EVENTS.name, EVENTS.default)].flat();
	const phases = events.map((each) => checkChoice(each, EVENTS.displayName, EVENTS.default));
	if (phases.length === 0) throw new Error("'Events' is empty. Choose Completed, Failed or both");
	return { phases, result: readOutputSettings(read, { includeFiles: false }) };
}
