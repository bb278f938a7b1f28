import type { IWebhookFunctions } from 'n8n-workflow';

import type { Execution } from '../../../service/contract';
import { isRecord } from '../../../service/contract';
import type { ServiceEvent } from '../../../service/events';
import type { Found } from '../../../service/executions';
import { getExecution } from '../../../service/executions';
import type { Reply } from '../../../service/http';
import { NOT_SENT_IN_TIME } from '../../../service/http';
import { isPassing, pauseForAll } from '../../../service/retry';
import { time } from '../connection/time';
import type { ResultSettings } from '../results/choice';
import type { OutputItem } from '../results/result';
import { itemOfInput, resultOf } from '../results/result';
import type { Connection } from '../connection/connect';
import type { TriggerChoice } from './fields';

/** An event as the API states it: IDs may be spelled in another way there, and the status may be newer. */
type Stated = Pick<ServiceEvent, 'workflowId' | 'executionId' | 'phase'>;

/**
 * The outcome of an event. `start`: items for the workflow. `ignored`: accepted, nothing to start. `later`: the service must call again.
 * `never`: the API does not have the execution, and calling again does not help.
 */
export type Handled =
	| { kind: 'start'; items: OutputItem[]; stated: Stated }
	| { kind: 'ignored'; stated: Stated }
	| { kind: 'later' | 'never' };

/** One call of the trigger. */
export interface TriggerContext extends Checks {
	context: IWebhookFunctions;
	connection: Connection;
	choice: TriggerChoice;
	result: ResultSettings;
}

/** Handles an event: a wanted one starts the workflow, also when another n8n workflow waits for the same execution. */
export async function handleEvent(
	triggerContext: TriggerContext,
	event: ServiceEvent,
): Promise<Handled> {
	const { connection, choice } = triggerContext;
	if (isOfOtherWorkflow(choice, event)) return ignored(event);
	const { logger } = triggerContext.context;
	const about = `Execution ${event.executionId} of workflow ${event.workflowId}`;
	const found = await check(triggerContext, connection, event);
	if (!found.ok) {
		const { reply, words } = found.refusal;
		// The checks that were sent say why.
		if (reply !== NOT_SENT_IN_TIME)
			logger.warn(`${about} could not be read: ${words.message}. ${words.advice}`);
		return { kind: isLasting(reply) ? 'never' : 'later' };
	}
	const { execution: known } = found;
	if (known.phase !== 'running') return start(triggerContext, known);
	// Events of progress are ignored. An end that the API does not confirm yet must be sent again.
	if (event.phase === 'running') return ignored(event);
	logger.warn(
		`${about} was reported as finished, but the API returns the status "${known.status}"`,
	);
	return { kind: 'later' };
}

async function start(triggerContext: TriggerContext, known: Execution): Promise<Handled> {
	const { choice } = triggerContext;
	const isWanted = choice.events.includes(known.phase) && !isOfOtherWorkflow(choice, known);
	const items = isWanted ? await itemsOf(triggerContext, known) : [];
	return items.length === 0 ? ignored(known) : { kind: 'start', items, stated: known };
}

function ignored(stated: Stated): Handled {
	return { kind: 'ignored', stated };
}

/** Whether Only Workflows leaves out an event. Not case-sensitive, because the API may not be. */
function isOfOtherWorkflow(
	{ onlyWorkflows }: TriggerChoice,
	{ workflowId }: Pick<ServiceEvent, 'workflowId'>,
): boolean {
	const isNamed = (name: string) => name.toLowerCase() === workflowId.toLowerCase();
	return onlyWorkflows.length > 0 && !onlyWorkflows.some(isNamed);
}

/** Missing data needs review, so it is never left out as data that needs none. */
async function itemsOf(
	{ context, connection, result }: TriggerContext,
	execution: Execution,
): Promise<OutputItem[]> {
	const made = await resultOf({ context, connection, inputs: [] }, [], execution, result);
	if (made.ok) return made.items;
	// n8n cannot store the report. Otherwise the event would be lost.
	const about = { ...made.json, needsReview: true, dataNotRead: made.error.message };
	return itemOfInput([], [], about, result, result.shaping);
}

/** How long a check may wait in its queue. */
const MAX_QUEUED_MILLISECONDS = 60_000;

/** How long one event is retried while the service is too busy. After that the caller may give up. */
const MAX_RETRYING_MILLISECONDS = 20_000;

/** The pause before a retry when the service asks for none. */
const MIN_PAUSE_MILLISECONDS = 250;

/** How long a call retries executions that the API does not know: it may know them a moment after the notification. */
const UNKNOWN_MILLISECONDS = 8_000;
const FIRST_UNKNOWN_PAUSE_MILLISECONDS = 1_000;

/** What the checks of one call have in common. Times are in milliseconds since 1970. */
interface Checks {
	/** Until when a service that is too busy is asked again. A success ends it. */
	busyUntil?: number | undefined;
	/** Until when unknown executions are asked for again. */
	unknownUntil?: number;
}

/**
 * Reads the execution from the service, because only the identifiers of a notification are trusted. When the service is too busy, all
 * events of a call wait as long as it asks; if that is too long, no further event is read.
 */
async function check(
	checks: Checks,
	{ send, pause }: Pick<Connection, 'send' | 'pause'>,
	{ workflowId, executionId }: ServiceEvent,
): Promise<Found> {
	let unknownPause = FIRST_UNKNOWN_PAUSE_MILLISECONDS;
	for (;;) {
		const queuedUntil = time.now() + MAX_QUEUED_MILLISECONDS;
		const notAfter = () => checks.busyUntil ?? queuedUntil;
		const found = await getExecution(send, workflowId, executionId, { notAfter });
		const now = time.now();
		if (found.ok) {
			checks.busyUntil = undefined;
			return found;
		}
		const { reply } = found.refusal;
		const busyMilliseconds = pauseForAll(reply, now);
		if (busyMilliseconds !== undefined) {
			checks.busyUntil ??= now + MAX_RETRYING_MILLISECONDS;
			if (now + busyMilliseconds >= checks.busyUntil) {
				checks.busyUntil = 0;
				return found;
			}
			await pause(MIN_PAUSE_MILLISECONDS);
		} else if (reply.kind === 'answer' && reply.status === 404) {
			checks.unknownUntil ??= now + UNKNOWN_MILLISECONDS;
			if (now + unknownPause >= checks.unknownUntil) return found;
			await pause(unknownPause);
			unknownPause *= 2;
		} else return found;
	}
}

/** Whether calling again cannot help. False for what can be corrected here, such as a credential, and for the page of a gateway. */
function isLasting(reply: Reply): boolean {
	if (reply.kind !== 'answer' || !isRecord(reply.body)) return false;
	return reply.status >= 400 && ![401, 403].includes(reply.status) && !isPassing(reply);
}
