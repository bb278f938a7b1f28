import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { PollingPlan } from '../../../../service/polling';
import { readNumber } from '../../panel/numbers';
import type { Option } from '../../panel/options';
import { collectionField, fieldsOf, oneOf, parametersOf, readOptions } from '../../panel/options';
import type { Place } from '../../panel/place';
import type { ResultChoice } from '../../results/choice';
import { readResultChoice } from '../../results/choice';
import { HOUR, LONGEST_WAIT_HOURS, MINUTE, SECOND } from '../../time';

/** What to do with an item whose execution has failed, or has not ended in time. */
export type IfEnded = 'stop' | 'continue';

const CHOICES: INodePropertyOptions[] = [
	{
		name: 'Continue',
		value: 'continue',
		description: 'The item continues, with the status of its execution',
	},
	{
		name: 'Stop',
		value: 'stop',
		description:
			"The item fails: the node stops, or the item leaves through the Error output, as its setting 'On Error' says",
	},
];

/** How an item waits for its execution. */
export interface WaitOptions {
	/** Intervals between checks, and the longest wait. */
	plan: PollingPlan;
	/** How long the node checks while it runs, before n8n pauses. */
	whileRunningMilliseconds: number;
	/** Whether n8n may pause. */
	pauses: boolean;
	ifFailed: IfEnded;
	ifTimedOut: IfEnded;
}

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

const GROUP = 'waiting';

const OPTIONS = {
	firstMilliseconds: timeOption(
		{
			displayName: 'First Check (Seconds)',
			name: 'firstCheckSeconds',
			type: 'number',
			typeOptions: { minValue: 0.1, maxValue: 3600, numberPrecision: 1 },
			default: 5,
			description: 'When to check the execution for the first time, counted from its start',
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
		displayName: 'If the Wait Is Over',
		name: 'ifTimedOut',
		type: 'options',
		options: CHOICES,
		default: 'stop',
		description:
			'What to do when the execution has not ended after the longest wait. It continues in the service.',
	}),
	longestMilliseconds: timeOption(
		{
			displayName: 'Longest Interval (Minutes)',
			name: 'longestIntervalMinutes',
			type: 'number',
			typeOptions: { minValue: 0.001, maxValue: 1440, numberPrecision: 3 },
			default: 15,
			description:
				'The longest time between two checks. Checks become rarer the longer a wait lasts.',
		},
		MINUTE,
	),
	timeoutMilliseconds: timeOption(
		{
			displayName: 'Longest Wait (Hours)',
			name: 'longestWaitHours',
			type: 'number',
			typeOptions: { minValue: 0.0001, maxValue: LONGEST_WAIT_HOURS, numberPrecision: 4 },
			default: 24,
			description: 'How long to wait at most. The execution continues in the service.',
		},
		HOUR,
	),
	whileRunningMilliseconds: timeOption(
		{
			displayName: 'Pause After (Minutes)',
			name: 'pauseAfterMinutes',
			type: 'number',
			typeOptions: { minValue: 0.1, maxValue: 60, numberPrecision: 1 },
			default: 3,
			description:
				'How long the node checks while it runs. After that, n8n pauses the n8n workflow between checks.',
		},
		MINUTE,
	),
	pauses: {
		field: {
			displayName: 'Keep Running',
			name: 'keepRunning',
			type: 'boolean',
			default: true,
			description:
				'Whether n8n pauses the n8n workflow between checks of a long wait. Paused, it uses no memory and survives a restart.',
		},
		read: (value) => value !== true,
	} satisfies Option<boolean>,
};

export const waitingField = collectionField('Waiting', GROUP, fieldsOf(OPTIONS));

/** @throws NodeOperationError when a time is out of its bounds */
function readWaitOptions(place: Place): WaitOptions {
	const { ifFailed, ifTimedOut, whileRunningMilliseconds, pauses, ...plan } = readOptions(
		place,
		GROUP,
		OPTIONS,
	);
	return { plan, whileRunningMilliseconds, pauses, ifFailed, ifTimedOut };
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
