import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { PollingPlan } from '../../../../service/polling';
import { readNumber } from '../../panel/numbers';
import type { Option } from '../../panel/options';
import { fieldsOf, oneOf, parametersOf, readOptions } from '../../panel/options';
import type { Place } from '../../panel/place';
import { errorAt } from '../../panel/place';
import { losesResultOfPause } from '../../pausing/pause';
import type { ResultChoice } from '../../results/choice';
import { readResultChoice } from '../../results/choice';
import { HOUR, MINUTE, SECOND } from '../../time';

/** What to do with an item whose execution has failed, or has not ended in time. */
export type IfEnded = 'stop' | 'continue';

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

/** How an item waits for its execution. */
export interface WaitOptions {
	/** Poll, or pause the n8n execution until it is notified. */
	how: 'poll' | 'pause';
	plan: PollingPlan;
	/** After this time n8n continues without the result. */
	longestPauseMilliseconds: number;
	ifFailed: IfEnded;
	ifTimedOut: IfEnded;
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

/** A time in milliseconds, entered in `unit` (in milliseconds). */
function timeOption(field: INodeProperties, unit: number): Option<number> {
	return {
		field,
		read: (value, place) => readNumber(place, value, field) * unit,
	};
}

function ifEndedOption(field: INodeProperties): Option<IfEnded> {
	return { field, read: (value) => oneOf<IfEnded>(value, ['continue'], 'stop') };
}

const OPTIONS = {
	firstMilliseconds: timeOption(
		{
			displayName: 'First Look (Seconds)',
			name: 'firstLookSeconds',
			type: 'number',
			typeOptions: { minValue: 0.1, maxValue: 3600, numberPrecision: 1 },
			default: 5,
			description:
				'When to look at the execution for the first time, counted from its start; later looks are spaced further and further',
			displayOptions: WHILE_POLLING,
		},
		SECOND,
	),
	ifFailed: ifEndedOption({
		displayName: 'If the Execution Failed',
		name: 'ifFailed',
		type: 'options',
		options: CHOICES,
		default: 'stop',
		description: 'What to do when the service reports the execution as failed',
	}),
	ifTimedOut: ifEndedOption({
		displayName: 'If the Timeout Is Reached',
		name: 'ifTimedOut',
		type: 'options',
		options: CHOICES,
		default: 'stop',
		description: 'What to do when the execution has not ended in time. It goes on in the service.',
		displayOptions: WHILE_POLLING,
	}),
	longestMilliseconds: timeOption(
		{
			displayName: 'Longest Interval (Seconds)',
			name: 'longestIntervalSeconds',
			type: 'number',
			typeOptions: { minValue: 0.1, maxValue: 3600, numberPrecision: 1 },
			default: 60,
			description:
				'Two looks at the execution are never further apart than this, unless the service asks for more',
			displayOptions: WHILE_POLLING,
		},
		SECOND,
	),
	longestPauseMilliseconds: timeOption(
		{
			displayName: 'Time Limit (Hours)',
			name: 'timeLimitHours',
			type: 'number',
			typeOptions: { minValue: 0.01, maxValue: 8760, numberPrecision: 2 },
			default: 24,
			description:
				'How long the pause lasts at most. Then the items go on with the status running; a Get after this node tells how things really are.',
			displayOptions: WHILE_PAUSED,
		},
		HOUR,
	),
	timeoutMilliseconds: timeOption(
		{
			displayName: 'Timeout (Minutes)',
			name: 'timeoutMinutes',
			type: 'number',
			typeOptions: { minValue: 0.01, maxValue: 10_080, numberPrecision: 2 },
			default: 60,
			description: 'How long to wait at most. The execution itself goes on in the service.',
			displayOptions: WHILE_POLLING,
		},
		MINUTE,
	),
};

export const waitingOptions: INodeProperties[] = fieldsOf(OPTIONS);

/** @throws NodeOperationError when a time is out of its bounds */
function readWaitOptions(place: Place): WaitOptions {
	const { context, itemIndex } = place;
	const how = oneOf(context.getNodeParameter('howToWait', itemIndex, 'poll'), ['pause'], 'poll');
	if (how === 'pause' && context.getNode().type.endsWith('Tool'))
		throw errorAt(
			place,
			'The tool of an AI agent cannot pause until it is notified',
			"Choose 'Poll' under 'How to Wait'",
		);
	if (how === 'pause' && losesResultOfPause(context))
		throw errorAt(
			place,
			'On n8n 1 a sub-workflow cannot pause until it is notified',
			"Choose 'Poll' under 'How to Wait', or update to n8n 2. On n8n 1 the workflow that waits for this one would not get its result",
		);
	const { ifFailed, ifTimedOut, longestPauseMilliseconds, ...plan } = readOptions(place, OPTIONS);
	return { how, plan, longestPauseMilliseconds, ifFailed, ifTimedOut };
}

/** The settings of a wait, and of the result. */
export interface WaitSettings {
	wait: WaitOptions;
	result: ResultChoice;
}

/** @throws NodeOperationError when a time or the minimum confidence cannot be used */
export function readWaitSettings(place: Place): WaitSettings {
	const { context, itemIndex } = place;
	return {
		wait: readWaitOptions(place),
		result: readResultChoice(context.getNode(), parametersOf(context, itemIndex), itemIndex),
	};
}
