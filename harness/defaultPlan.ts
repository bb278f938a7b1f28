import type { INodeProperties } from 'n8n-workflow';

import { waitingField } from '../nodes/DocumentWorkflow/actions/fields/waiting';

const waitingOptions = waitingField.options as INodeProperties[];

const defaultOf = (option: string) =>
	Number(waitingOptions.find(({ name }) => name === option)?.default);

/** How often and how long an execution is checked. */
export interface PollingPlan {
	firstMilliseconds: number;
	longestMilliseconds: number;
	timeoutMilliseconds: number;
}

/** The plan of a user who changes nothing. */
export const DEFAULT_PLAN: PollingPlan = {
	firstMilliseconds: defaultOf('firstCheckSeconds') * 1000,
	longestMilliseconds: defaultOf('longestIntervalMinutes') * 60_000,
	timeoutMilliseconds: defaultOf('longestWaitHours') * 60 * 60_000,
};
