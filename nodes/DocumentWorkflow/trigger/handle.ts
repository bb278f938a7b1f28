import type { IWebhookFunctions } from 'n8n-workflow';

import type { Execution } from '../../../service/contract';
import type { ServiceEvent } from '../../../service/reading';
import { describeExecution, type GetOutcome, getExecution } from '../../../service/executions';
import { hasStatus } from '../../../service/http';
import { pauseForAll, retry } from '../../../service/retry';
import { time } from '../connection/time';
import { itemOfInput, type OutputItem, resultOf } from '../results/items/result';
import type { OutputSettings } from '../results/settings/settings';
import type { Connection } from '../connection/connect';
import type { EventIdentity } from './duplicates';

/** `later`: the service must call again. Only a `start` is remembered, by what the API returned (`stated`). */
export type EventOutcome =
	{ kind: 'start'; items: OutputItem[]; stated: EventIdentity } | { kind: 'ignored' | 'later' };

export interface TriggerContext {
	context: IWebhookFunctions;
	connection: Connection;
	/** The phases that start the workflow. */
	phases: unknown[];
	result: OutputSettings;
	/** Whether the caller has shown that it is the service. */
	isAuthenticated: boolean;
}

/** Handles an event: a wanted one starts the workflow, also when another n8n workflow waits for the same execution. */
export async function handleEvent(
	triggerContext: TriggerContext,
	event: ServiceEvent,
): Promise<EventOutcome> {
	const { connection, phases } = triggerContext;
	const { logger } = triggerContext.context;
	const name = describeExecution(connection.linkTo(event));
	const found = await check(triggerContext, event);
	if (!found.ok) {
		const { fault } = found.refusal;
		logger.warn(`${name} could not be read: ${fault.message}. ${fault.advice}`);
		// No event must be lost: a wrong Base URL or Client ID can be the reason for any answer.
		return { kind: 'later' };
	}
	const { execution: stated } = found;
	if (stated.phase !== 'running')
		return phases.includes(stated.phase)
			? { kind: 'start', items: await makeItems(triggerContext, stated), stated }
			: { kind: 'ignored' };
	// Events of progress are ignored. An end that the API does not confirm yet must be sent again.
	if (event.phase === 'running') return { kind: 'ignored' };
	logger.warn(
		`${name} was reported as finished, but the API returns the status "${stated.status}"`,
	);
	return { kind: 'later' };
}

/** A report that cannot be stored must not lose the event: the item then has no data, and needs review. */
async function makeItems(trigger: TriggerContext, execution: Execution): Promise<OutputItem[]> {
	const { result } = trigger;
	const made = await resultOf({ ...trigger, inputs: [] }, [], execution, result);
	if (made.ok) return made.items;
	const about = { ...made.about, needsReview: true, dataNotRead: made.error.message };
	return itemOfInput([], [], about, result);
}

/** How long a check is repeated. After that the caller may give up. */
const MAX_RETRYING_MILLISECONDS = 10_000;

const FIRST_PAUSE_MILLISECONDS = 1_000;

/** Reads the execution. A 404 is repeated only for an authenticated caller, because anyone can make up IDs. */
async function check(
	{ connection: { send, pause }, isAuthenticated }: TriggerContext,
	event: ServiceEvent,
): Promise<GetOutcome> {
	const end = time.now() + MAX_RETRYING_MILLISECONDS;
	return retry(
		async () => getExecution(send, event),
		(found, tries) => {
			if (found.ok) return undefined;
			const { reply } = found.refusal;
			const asked = isAuthenticated && hasStatus(reply, 404) ? 0 : pauseForAll(reply, time.now());
			if (asked === undefined) return undefined;
			const delay = Math.max(FIRST_PAUSE_MILLISECONDS * 2 ** (tries - 1), asked);
			return time.now() + delay < end ? delay : undefined;
		},
		pause,
	);
}
