import type { INodeProperties } from 'n8n-workflow';

import { readIdentifier } from '../../../service/identifier';
import { readNames } from '../panel/lists';
import { numberIn } from '../panel/numbers';
import type { ReadParameter } from '../panel/options';
import { collectionField, oneOf } from '../panel/options';
import { outputFields } from '../results/fields';
import { triggerOutputOptionsField } from '../results/optionFields';
import { HOUR } from '../time';

const duplicateHours: INodeProperties = {
	displayName: 'Drop Duplicates for (Hours)',
	name: 'duplicateHours',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 8760, numberPrecision: 1 },
	default: 24,
	description:
		'For how long the same event is dropped when it comes again; 0 lets all through. Up to 2,000 events are remembered.',
};

const FROM_API = { show: { dataFrom: ['api'] } };

export const triggerFields: INodeProperties[] = [
	{
		displayName:
			'Give the service operator three things: the Production URL above; how calls prove themselves, as in the Document Workflow Webhook API credential; and the response format, which may be either, URL or inline. The Test URL is only for trying it out while this panel listens.',
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
		description:
			'The end of the address. It stays the same as long as you do not change it; two active workflows cannot have the same.',
		noDataExpression: true,
	},
	{
		displayName: 'Read the Data From',
		name: 'dataFrom',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'API (Recommended)',
				value: 'api',
				description:
					'Of a notification only the IDs are believed; the execution is read from the service. Needs the Document Workflow API credential.',
			},
			{
				name: 'Notification',
				value: 'notification',
				description:
					'What the notification says is taken as it is. Data that was too large for it is missing.',
			},
		],
		default: 'api',
		description: 'Where the data of the execution comes from',
	},
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		options: [
			{ name: 'Completed', value: 'completed', description: 'An execution has been completed' },
			{ name: 'Failed', value: 'failed', description: 'An execution has failed' },
		],
		default: ['completed', 'failed'],
		description: 'Which events start this workflow; others are accepted and ignored',
	},
	{
		displayName: 'Wake Waiting Workflows',
		name: 'wake',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Off',
				value: 'off',
				description: 'Every event starts this workflow; nothing is woken',
			},
			{
				name: 'On',
				value: 'on',
				description:
					'An execution that carries a reference to a paused workflow wakes that one; all others start this workflow',
			},
			{
				name: 'On, and Also Start This Workflow',
				value: 'both',
				description: 'Paused workflows are woken, and every event starts this workflow',
			},
		],
		default: 'on',
		description:
			'Whether to resume n8n workflows that wait for the execution, so that they continue sooner than at their next check. They must use the same Document Workflow API credential.',
		displayOptions: FROM_API,
	},
	...outputFields,
	triggerOutputOptionsField,
	collectionField('Options', 'options', [
		duplicateHours,
		{
			displayName: 'Only What Needs Review',
			name: 'onlyReview',
			type: 'boolean',
			default: true,
			description:
				"Whether to ignore completed executions in which nothing is below the 'Minimum Confidence'. Without a minimum nothing is ignored.",
		},
		{
			displayName: 'Only Workflows',
			name: 'onlyWorkflows',
			type: 'string',
			default: '',
			placeholder: 'e.g. policy-intake, claims',
			description:
				'IDs of workflows of the service, separated by commas; events of others are accepted and ignored. All of them when this is empty.',
		},
	]),
];

/** Settings of the trigger; `readResultChoice` reads those of the output. */
export interface TriggerChoice {
	dataFrom: 'api' | 'notification';
	/** Whether events resume paused n8n executions; `both` starts this workflow as well. */
	resume: 'off' | 'on' | 'both';
	events: unknown[];
	onlyWorkflows: string[];
	onlyReview: boolean;
	duplicateMilliseconds: number;
}

/** @throws Error when a number is out of its bounds */
export function readTriggerChoice(read: ReadParameter): TriggerChoice {
	const events = read('events', ['completed', 'failed']);
	const hours = numberIn(duplicateHours, read('options.duplicateHours', null));
	if (!hours.ok) throw new Error(`${hours.message}. ${hours.advice}`);
	return {
		dataFrom: oneOf(read('dataFrom', null), ['notification'], 'api'),
		resume: oneOf(read('wake', null), ['off', 'both'], 'on'),
		events: Array.isArray(events) ? events : [events],
		onlyWorkflows: readWorkflowIds(read('options.onlyWorkflows', '')),
		onlyReview: read('options.onlyReview', false) === true,
		duplicateMilliseconds: HOUR * hours.number,
	};
}

/** What cannot be an ID stays in the list as a text that matches none. An empty list would match all. */
function readWorkflowIds(given: unknown): string[] {
	const entries: unknown[] = [given ?? []].flat();
	return entries
		.flatMap((entry): unknown[] =>
			typeof entry === 'number' ? [entry] : readNames(entry, 'Only Workflows'),
		)
		.map((entry) => readIdentifier(entry) ?? '');
}
