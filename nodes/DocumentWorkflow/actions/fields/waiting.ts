import type { IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { PollingPlan } from '../../../../service/polling';
import { DEFAULT_PLAN } from '../../../../service/polling';
import { readNumber } from './numbers';

/** What becomes of an item whose execution has failed, or has not ended in time. */
export type Otherwise = 'stop' | 'continue';

const CHOICES: INodePropertyOptions[] = [
	{ name: 'Continue', value: 'continue', description: 'The item goes on, and says what became of its execution' },
	{ name: 'Stop', value: 'stop', description: "The item does not succeed: the node stops, or the item leaves through the Error output, as its setting 'On Error' says" },
];

export interface WaitChoice {
	plan: PollingPlan;
	ifFailed: Otherwise;
	ifTimedOut: Otherwise;
}

/** In alphabetical order. */
export const waitingOptions: INodeProperties[] = [
	{
		displayName: 'First Look (Seconds)',
		name: 'firstLookSeconds',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 5,
		description: 'When to look at the execution for the first time, counted from its start; later looks are spaced further and further',
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
	},
	{
		displayName: 'Longest Interval (Seconds)',
		name: 'longestIntervalSeconds',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 60,
		description: 'Two looks at the execution are never further apart than this, unless the service asks for more',
	},
	{
		displayName: 'Timeout (Minutes)',
		name: 'timeoutMinutes',
		type: 'number',
		typeOptions: { minValue: 0.1, numberPrecision: 1 },
		default: 60,
		description: 'How long to wait at most. The execution itself goes on in the service.',
	},
];

/** @throws NodeOperationError when a time is not a positive number */
export function readWaitChoice(context: IExecuteFunctions, itemIndex: number): WaitChoice {
	const option = (name: string): unknown => context.getNodeParameter(`options.${name}`, itemIndex, null);
	const time = (name: string, field: string, unit: number, standard: number): number => {
		const value = option(name);
		return value === null ? standard : readNumber(context, itemIndex, value, field) * unit;
	};
	return {
		plan: {
			firstMilliseconds: time('firstLookSeconds', 'First Look (Seconds)', 1000, DEFAULT_PLAN.firstMilliseconds),
			longestMilliseconds: time('longestIntervalSeconds', 'Longest Interval (Seconds)', 1000, DEFAULT_PLAN.longestMilliseconds),
			timeoutMilliseconds: time('timeoutMinutes', 'Timeout (Minutes)', 60_000, DEFAULT_PLAN.timeoutMilliseconds),
		},
		ifFailed: option('ifFailed') === 'continue' ? 'continue' : 'stop',
		ifTimedOut: option('ifTimedOut') === 'continue' ? 'continue' : 'stop',
	};
}
