import type { IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { PollingPlan } from '../../../../service/polling';
import { DEFAULT_PLAN } from '../../../../service/polling';
import { readNumber } from './numbers';

/** What becomes of an item whose execution has failed, or has not ended in time. */
export type Otherwise = 'stop' | 'continue';

const CHOICES: INodePropertyOptions[] = [
	{
		name: 'Continue',
		value: 'continue',
		description: 'The item goes on, and says what became of its execution',
	},
	{
		name: 'Stop',
		value: 'stop',
		description:
			"The item does not succeed: the node stops, or the item leaves through the Error output, as its setting 'On Error' says",
	},
];

export interface WaitChoice {
	/** Poll while n8n runs, or pause the n8n execution until it is notified. */
	how: 'poll' | 'pause';
	plan: PollingPlan;
	/** After a pause of this length n8n goes on without the result. */
	longestPauseMilliseconds: number;
	ifFailed: Otherwise;
	ifTimedOut: Otherwise;
}

export const howToWaitField: INodeProperties = {
	displayName: 'How to Wait',
	name: 'howToWait',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Pause Until Notified',
			value: 'pause',
			description:
				'This n8n execution is put aside, at no cost, until a Document Workflow Trigger with the same credential wakes it. For long waits; it survives restarts.',
		},
		{
			name: 'Poll',
			value: 'poll',
			description:
				'Look at the execution again and again until it has ended. For waits of minutes; needs no trigger.',
		},
	],
	default: 'poll',
	description: 'What n8n does until the execution has ended',
};

const WHILE_POLLING = { show: { '/howToWait': ['poll'] } };
const WHILE_PAUSED = { show: { '/howToWait': ['pause'] } };

const HOUR = 60 * 60_000;
const DEFAULT_PAUSE_MILLISECONDS = 24 * HOUR;

/** In alphabetical order. */
export const waitingOptions: INodeProperties[] = [
	{
		displayName: 'First Look (Seconds)',
		name: 'firstLookSeconds',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 5,
		description:
			'When to look at the execution for the first time, counted from its start; later looks are spaced further and further',
		displayOptions: WHILE_POLLING,
	},
	{
		displayName: 'If the Execution Failed',
		name: 'ifFailed',
		type: 'options',
		options: CHOICES,
		default: 'stop',
		description: 'What to do when the service reports the execution as failed',
	},
	{
		displayName: 'If the Timeout Is Reached',
		name: 'ifTimedOut',
		type: 'options',
		options: CHOICES,
		default: 'stop',
		description: 'What to do when the execution has not ended in time. It goes on in the service.',
		displayOptions: WHILE_POLLING,
	},
	{
		displayName: 'Longest Interval (Seconds)',
		name: 'longestIntervalSeconds',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 60,
		description:
			'Two looks at the execution are never further apart than this, unless the service asks for more',
		displayOptions: WHILE_POLLING,
	},
	{
		displayName: 'Time Limit (Hours)',
		name: 'timeLimitHours',
		type: 'number',
		typeOptions: { minValue: 0.05, numberPrecision: 2 },
		default: 24,
		description:
			'How long the pause lasts at most. Then the items go on with the status running; a Get after this node tells how things really are.',
		displayOptions: WHILE_PAUSED,
	},
	{
		displayName: 'Timeout (Minutes)',
		name: 'timeoutMinutes',
		type: 'number',
		typeOptions: { minValue: 0.1, numberPrecision: 1 },
		default: 60,
		description: 'How long to wait at most. The execution itself goes on in the service.',
		displayOptions: WHILE_POLLING,
	},
];

/** @throws NodeOperationError when a time is not a positive number */
export function readWaitChoice(context: IExecuteFunctions, itemIndex: number): WaitChoice {
	const option = (name: string): unknown =>
		context.getNodeParameter(`options.${name}`, itemIndex, null);
	const time = (name: string, field: string, unit: number, standard: number): number => {
		const value = option(name);
		return value === null ? standard : readNumber(context, itemIndex, value, field) * unit;
	};
	const how =
		context.getNodeParameter('howToWait', itemIndex, 'poll') === 'pause' ? 'pause' : 'poll';
	if (how === 'pause' && context.getNode().type.endsWith('Tool')) {
		throw new NodeOperationError(
			context.getNode(),
			'The tool of an AI agent cannot pause until it is notified',
			{ itemIndex, description: "Choose 'Poll' under 'How to Wait'" },
		);
	}
	return {
		how,
		plan: {
			firstMilliseconds: time(
				'firstLookSeconds',
				'First Look (Seconds)',
				1000,
				DEFAULT_PLAN.firstMilliseconds,
			),
			longestMilliseconds: time(
				'longestIntervalSeconds',
				'Longest Interval (Seconds)',
				1000,
				DEFAULT_PLAN.longestMilliseconds,
			),
			timeoutMilliseconds: time(
				'timeoutMinutes',
				'Timeout (Minutes)',
				60_000,
				DEFAULT_PLAN.timeoutMilliseconds,
			),
		},
		longestPauseMilliseconds: time(
			'timeLimitHours',
			'Time Limit (Hours)',
			HOUR,
			DEFAULT_PAUSE_MILLISECONDS,
		),
		ifFailed: option('ifFailed') === 'continue' ? 'continue' : 'stop',
		ifTimedOut: option('ifTimedOut') === 'continue' ? 'continue' : 'stop',
	};
}
