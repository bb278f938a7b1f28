import type { INodeProperties } from 'n8n-workflow';

import { waitingField } from '../nodes/DocumentWorkflow/actions/fields/waiting';
import type { PollingPlan } from '../service/polling';

const waitingOptions = waitingField.options as INodeProperties[];

const defaultOf = (option: string) =>
	Number(waitingOptions.find(({ name }) => name === option)?.default);

/** The plan of a user who changes nothing. */
export const DEFAULT_PLAN: PollingPlan = {
	firstMilliseconds: defaultOf('firstCheckSeconds') * 1000,
	longestMilliseconds: defaultOf('longestIntervalMinutes') * 60_000,
	timeoutMilliseconds: defaultOf('longestWaitHours') * 60 * 60_000,
};
