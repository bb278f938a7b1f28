import { waitingOptions } from '../nodes/DocumentWorkflow/actions/fields/waiting';
import type { PollingPlan } from '../service/polling';

const defaultOf = (option: string) =>
	Number(waitingOptions.find(({ name }) => name === option)?.default);

/** The plan of a user who changes nothing. */
export const DEFAULT_PLAN: PollingPlan = {
	firstMilliseconds: defaultOf('firstLookSeconds') * 1000,
	longestMilliseconds: defaultOf('longestIntervalSeconds') * 1000,
	timeoutMilliseconds: defaultOf('timeoutMinutes') * 60_000,
};
