import type { INodeProperties } from 'n8n-workflow';

import type { ExecutionIds } from '../../../../service/contract';
import {
	choiceOption,
	collectionField,
	fieldsOf,
	numberOption,
	parametersOf,
	readNumberField,
	readOptions,
} from '../../panel/options';
import type { Place } from '../../panel/options';
import type { About } from '../../about';
import { type OutputSettings, readOutputSettings } from '../../results/settings/settings';
import { HOUR, MINUTE, SECOND } from '../../connection/time';

/**
 * Longer in the editor, where a person watches. Other runs pause sooner: at a planned restart n8n stops them after
 * 30 seconds.
 */
const EDITOR_SECONDS = 180;

const PAUSE_AFTER: INodeProperties = {
	displayName: 'Pause After (Seconds)',
	name: 'pauseAfterSeconds',
	type: 'number',
	typeOptions: { minValue: 5, maxValue: 3600 },
	default: 20,
	description: 'When n8n pauses the n8n execution; by default after 20, in the editor after 180',
};

const GROUP = 'waiting';

const OPTIONS = {
	firstMilliseconds: numberOption(
		{
			displayName: 'First Check (Seconds)',
			name: 'firstCheckSeconds',
			type: 'number',
			typeOptions: { minValue: 0.1, maxValue: 3600 },
			default: 5,
			description: 'When to check for the first time after the start; 5 by default',
		},
		SECOND,
	),
	ifHeld: choiceOption<'continue' | 'wait'>({
		displayName: 'When a Person Must Act',
		name: 'ifHeld',
		type: 'options',
		options: [
			{
				name: 'Continue',
				value: 'continue',
				description: 'The item continues without data, and toReview says what to do',
			},
			{ name: 'Wait', value: 'wait', description: 'Wait until the execution is finished' },
		],
		default: 'wait',
		description:
			'What to do while the service itself waits for a person (status such as needs_review)',
	}),
	ifTimedOut: choiceOption<'continue' | 'fail'>({
		displayName: 'On Timeout',
		name: 'ifTimedOut',
		type: 'options',
		options: [
			{
				name: 'Continue',
				value: 'continue',
				description: 'The item continues with the reason, and with needsReview true',
			},
			{
				name: 'Fail',
				value: 'fail',
				description: "The item fails. 'On Error' of this node says what happens next.",
			},
		],
		default: 'fail',
		description: 'What to do when the maximum wait is over',
	}),
	longestMilliseconds: numberOption(
		{
			displayName: 'Maximum Interval (Minutes)',
			name: 'longestIntervalMinutes',
			type: 'number',
			typeOptions: { minValue: 0.001, maxValue: 1440 },
			default: 15,
			description: 'Longest time between two checks of a long wait; 15 by default',
		},
		MINUTE,
	),
	timeoutMilliseconds: numberOption(
		{
			displayName: 'Maximum Wait (Hours)',
			name: 'longestWaitHours',
			type: 'number',
			typeOptions: { minValue: 0.0001, maxValue: 720 },
			default: 24,
			description: 'How long to wait in total; 24 hours by default, 720 at most',
		},
		HOUR,
	),
};

export const waitingField = collectionField('Waiting', GROUP, [...fieldsOf(OPTIONS), PAUSE_AFTER]);

export interface WaitSettings {
	wait: {
		plan: Record<'firstMilliseconds' | 'longestMilliseconds' | 'timeoutMilliseconds', number>;
		whileRunningMilliseconds: number;
		endsWhenHeld: boolean;
		ifTimedOut: 'continue' | 'fail';
	};
	result: OutputSettings;
}

/** What is waited for, and how. */
export interface WaitJob extends WaitSettings {
	itemIndexes: number[];
	/** Has the status of the answer, if this run created it. */
	execution: ExecutionIds & { status?: string };
	/** Lists what was sent and what was not. */
	about?: About;
}

/** @throws Error when a time or the minimum confidence cannot be used */
export function readWaitSettings(place: Place): WaitSettings {
	const read = parametersOf(place);
	const { ifHeld, ifTimedOut, ...plan } = readOptions(read, OPTIONS, GROUP);
	const editorSeconds = place.context.getMode() === 'manual' ? EDITOR_SECONDS : null;
	const seconds = read(`${GROUP}.${PAUSE_AFTER.name}`, null) ?? editorSeconds;
	const whileRunningMilliseconds = readNumberField(seconds, PAUSE_AFTER) * SECOND;
	return {
		wait: { plan, whileRunningMilliseconds, endsWhenHeld: ifHeld === 'continue', ifTimedOut },
		result: readOutputSettings(read),
	};
}
