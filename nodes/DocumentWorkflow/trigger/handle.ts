import type { IWebhookFunctions } from 'n8n-workflow';

import type { Execution } from '../../../service/contract';
import { isRecord } from '../../../service/contract';
import type { ServiceEvent } from '../../../service/events';
import { executionIn, MAX_CHARACTERS } from '../../../service/events';
import type { Refusal } from '../../../service/executions';
import { getExecution } from '../../../service/executions';
import type { Reply } from '../../../service/http';
import { isPassing, pauseForAll } from '../../../service/retry';
import { time } from '../connection/time';
import type { ResultSettings } from '../results/choice';
import type { Fetching } from '../results/fetchSteps';
import type { OutputItem } from '../results/result';
import { itemWithoutData, resultOf } from '../results/result';
import type { Connection } from '../connection/connect';
import type { TriggerChoice } from './fields';

/** An event as the API states it: IDs may be spelled in another way there, and the status may be newer. */
type Stated = Pick<ServiceEvent, 'workflowId' | 'executionId' | 'phase'>;

/**
 * The outcome of an event. `start`: items for the workflow. `ignored`: accepted, nothing to start. `later`: the service must call again.
 * `never`: the API rejects the check with this status, and calling again does not help.
 */
export type Handled =
	| { kind: 'start'; items: OutputItem[]; stated: Stated }
	| { kind: 'ignored'; stated: Stated }
	| { kind: 'later' }
	| { kind: 'never'; status: number };

/** One call of the trigger. */
export interface TriggerContext extends Checks {
	context: IWebhookFunctions;
	/** Undefined where the data is read from the notification instead of the API. */
	connection: Connection | undefined;
	fetching: Fetching;
	choice: TriggerChoice;
	result: ResultSettings;
}

/** The item says so instead of its data. */
const TOO_LARGE = `The notification has more than ${MAX_CHARACTERS.toLocaleString('en')} characters. Read the data with Get Execution`;

/** Handles an event: a wanted one starts the workflow, also when another n8n workflow waits for the same execution. */
export async function handleEvent(
	triggerContext: TriggerContext,
	event: ServiceEvent,
): Promise<Handled> {
	const { connection, choice } = triggerContext;
	if (isOfOtherWorkflow(choice, event)) return ignored(event);
	if (connection !== undefined) return handleFromApi(triggerContext, connection, event);
	const known = executionIn(event);
	if (known === undefined || known.phase === 'running') return ignored(event);
	return start(triggerContext, known, event.isTooLarge);
}

async function handleFromApi(
	triggerContext: TriggerContext,
	connection: Connection,
	event: ServiceEvent,
): Promise<Handled> {
	const { logger } = triggerContext.context;
	const about = `Execution ${event.executionId} of workflow ${event.workflowId}`;
	const checked = await check(triggerContext, connection, event);
	if (!checked.ok) {
		const { refusal, lasting, status } = checked;
		if (refusal !== undefined) {
			const { message, advice } = refusal.words;
			logger.warn(`${about} could not be read: ${message}. ${advice}`);
		}
		return lasting ? { kind: 'never', status } : { kind: 'later' };
	}
	const { execution: known } = checked;
	if (known.phase !== 'running') return start(triggerContext, known, false);
	// Events of progress are ignored. An end that the API does not confirm yet must be sent again.
	if (event.phase === 'running') return ignored(event);
	logger.warn(
		`${about} was reported as finished, but the API returns the status "${known.status}"`,
	);
	return { kind: 'later' };
}

async function start(
	triggerContext: TriggerContext,
	known: Execution,
	isTooLarge: boolean,
): Promise<Handled> {
	const { choice } = triggerContext;
	const isWanted = choice.events.includes(known.phase) && !isOfOtherWorkflow(choice, known);
	const items = isWanted ? await itemsOf(triggerContext, known, isTooLarge) : [];
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
	{ context, fetching, result }: TriggerContext,
	execution: Execution,
	isTooLarge: boolean,
): Promise<OutputItem[]> {
	const resultContext = { context, connection: fetching, inputs: [] };
	const beside = isTooLarge ? { dataNotRead: TOO_LARGE } : {};
	const made = await resultOf(resultContext, [], execution, result, beside);
	if (made.ok) return made.items;
	// n8n cannot store the report. Otherwise the event would be lost.
	const about = { ...made.json, needsReview: true, dataNotRead: made.error.message };
	return itemWithoutData([], [], about, result);
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

/** What the checks of one call have in common. */
interface Checks {
	/** Set when the service was too busy for longer than one call may wait. */
	isTooBusy: boolean;
	/** Until when unknown executions are retried, in milliseconds since 1970. */
	unknownUntil: number | undefined;
}

type Checked =
	| { ok: true; execution: Execution }
	/** No refusal: the service was too busy to be asked. `lasting`: calling again does not help. */
	| { ok: false; refusal: Refusal | undefined; lasting: boolean; status: number };

/**
 * Reads the execution from the service, because only the identifiers of a notification are trusted. When the service is too busy, all
 * events of a call wait as long as it asks; if that is too long, no further event is read.
 */
async function check(
	checks: Checks,
	{ send, pause }: Pick<Connection, 'send' | 'pause'>,
	{ workflowId, executionId }: ServiceEvent,
): Promise<Checked> {
	let askUntil: number | undefined;
	let unknownPause = FIRST_UNKNOWN_PAUSE_MILLISECONDS;
	while (!checks.isTooBusy) {
		const notAfter = askUntil ?? time.now() + MAX_QUEUED_MILLISECONDS;
		const found = await getExecution(send, workflowId, executionId, { notAfter: () => notAfter });
		if (found.ok) return found;
		const { refusal } = found;
		const busyMilliseconds = pauseForAll(refusal.reply, time.now());
		if (busyMilliseconds !== undefined) {
			askUntil ??= time.now() + MAX_RETRYING_MILLISECONDS;
			if (time.now() + busyMilliseconds < askUntil) {
				await pause(MIN_PAUSE_MILLISECONDS);
				continue;
			}
			checks.isTooBusy = true;
		}
		const status = statusOf(refusal.reply);
		if (status === 404) {
			checks.unknownUntil ??= time.now() + UNKNOWN_MILLISECONDS;
			if (time.now() + unknownPause < checks.unknownUntil) {
				await pause(unknownPause);
				unknownPause *= 2;
				continue;
			}
		}
		return { ok: false, refusal, lasting: isLasting(refusal.reply), status };
	}
	return { ok: false, refusal: undefined, lasting: false, status: 0 };
}

function statusOf(reply: Reply): number {
	return reply.kind === 'answer' ? reply.status : 0;
}

/** Whether calling again cannot help. False for what can be corrected here, such as a credential, and for the page of a gateway. */
function isLasting(reply: Reply): boolean {
	if (reply.kind !== 'answer' || !isRecord(reply.body)) return false;
	return reply.status >= 400 && ![401, 403].includes(reply.status) && !isPassing(reply);
}
