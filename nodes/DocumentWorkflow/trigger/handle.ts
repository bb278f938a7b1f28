import type { IWebhookFunctions } from 'n8n-workflow';

import type { Execution } from '../../../service/contract';
import type { ServiceEvent } from '../../../service/events';
import { executionIn } from '../../../service/events';
import { getExecution } from '../../../service/executions';
import type { Reply } from '../../../service/http';
import { holdBackAfter } from '../../../service/pace';
import { isPassing } from '../../../service/retry';
import { notify } from '../pausing/notify';
import type { ResultChoice } from '../results/choice';
import type { OutputItem } from '../results/result';
import { resultOf } from '../results/result';
import { time } from '../time';
import type { Connection } from '../transport';
import type { TriggerChoice } from './fields';

/**
 * The outcome of an event. `start`: items for this workflow. `done`: accepted, nothing to start. `later`: the service must call again.
 * `never`: the execution does not exist, and calling again does not help.
 */
export type Handled =
	| { kind: 'start'; items: OutputItem[]; phase: Execution['phase'] }
	| { kind: 'done'; as: 'ignored' | 'woken' }
	| { kind: 'later' }
	| { kind: 'never' };

/** One call of the trigger. */
export interface TriggerContext {
	context: IWebhookFunctions;
	/** Undefined where the data is read from the notification instead of the API. */
	connection: Connection | undefined;
	fetching: Connection['fetching'];
	choice: TriggerChoice;
	result: ResultChoice;
	/** Set when the service was too busy for longer than one call may wait. */
	isTooBusy: boolean;
}

/** How long a check may wait for its turn. */
const MAX_QUEUED_MILLISECONDS = 60_000;

/** How long one event is retried while the service is too busy. After that the caller may give up. */
const MAX_RETRYING_MILLISECONDS = 20_000;

/** The pause before a retry when the service asks for none. */
const MIN_PAUSE_MILLISECONDS = 250;

/** Whether an event starts this workflow. These filters do not apply to notifying paused n8n executions. */
function isWanted(
	{ choice: { events, onlyWorkflows } }: TriggerContext,
	{ workflowId, phase }: Execution,
): boolean {
	return (
		events.includes(phase) && (onlyWorkflows.length === 0 || onlyWorkflows.includes(workflowId))
	);
}

export async function handleEvent(
	triggerContext: TriggerContext,
	event: ServiceEvent,
): Promise<Handled> {
	const { context, connection, choice } = triggerContext;
	const known =
		connection === undefined
			? executionIn(event)
			: await readFromApi(triggerContext, connection, event);
	if (known === undefined) return { kind: 'done', as: 'ignored' };
	if ('kind' in known) return known;
	// Events of progress are ignored. An end that the API does not confirm yet must be sent again.
	if (known.phase === 'running') {
		if (event.phase === 'running') return { kind: 'done', as: 'ignored' };
		context.logger.warn(
			`Execution ${event.executionId} of workflow ${event.workflowId} was reported as ended, but the API returns the status "${known.status}"`,
		);
		return { kind: 'later' };
	}
	if (connection !== undefined && choice.resume !== 'off' && known.reference !== undefined) {
		const result = await notify(context, known, connection.sealer);
		if (result === 'later') return { kind: 'later' };
		if (choice.resume === 'on')
			return { kind: 'done', as: result === 'notified' ? 'woken' : 'ignored' };
	}
	if (!isWanted(triggerContext, known)) return { kind: 'done', as: 'ignored' };
	const items = await itemsOf(triggerContext, known);
	return items.length === 0
		? { kind: 'done', as: 'ignored' }
		: { kind: 'start', items, phase: known.phase };
}

/**
 * Reads the execution from the service, because only the identifiers of a notification are trusted. When the service is too busy, all
 * events of a call wait as long as it asks; if that is too long, no further event is read.
 */
async function readFromApi(
	triggerContext: TriggerContext,
	connection: Connection,
	event: ServiceEvent,
	askUntil?: number,
): Promise<Execution | Handled> {
	const { context } = triggerContext;
	if (triggerContext.isTooBusy) return { kind: 'later' };
	const { workflowId, executionId } = event;
	const found = await getExecution(connection.send, workflowId, executionId, {
		notAfter: askUntil ?? time.now() + MAX_QUEUED_MILLISECONDS,
	});
	if (found.ok) return found.execution;
	const { words, reply } = found.refusal;
	const holdBack = holdBackAfter(reply, time.now());
	if (holdBack !== undefined) {
		const until = askUntil ?? time.now() + MAX_RETRYING_MILLISECONDS;
		if (time.now() + holdBack.milliseconds < until) {
			await connection.pause(MIN_PAUSE_MILLISECONDS);
			return readFromApi(triggerContext, connection, event, until);
		}
		triggerContext.isTooBusy = true;
	}
	context.logger.warn(
		`Execution ${executionId} of workflow ${workflowId} could not be read: ${words.message}. ${words.advice}`,
	);
	return { kind: isLasting(reply) ? 'never' : 'later' };
}

/** Whether calling again cannot help. False for errors that can be corrected here, such as a wrong credential. */
function isLasting(reply: Reply): boolean {
	return (
		reply.kind === 'answer' &&
		reply.status >= 400 &&
		![401, 403].includes(reply.status) &&
		!isPassing(reply)
	);
}

/** When the data cannot be fetched from its address, the event starts the workflow without it; otherwise it would be lost. */
async function itemsOf(
	triggerContext: TriggerContext,
	execution: Execution,
): Promise<OutputItem[]> {
	const { context, fetching, result } = triggerContext;
	const resultContext = { context, connection: { fetching }, inputs: [] };
	const first = await resultOf(
		resultContext,
		[],
		execution,
		isDataMissing(triggerContext, execution) ? unfiltered(result) : result,
	);
	if (first.ok) return first.items;
	const second = await resultOf(
		resultContext,
		[],
		execution,
		{ ...unfiltered(result), fetchData: false },
		{ dataNotFetched: first.error.message },
	);
	if (second.ok) return second.items;
	return [{ json: { ...second.json, dataNotFetched: second.error.message } }];
}

/** Whether data is missing: it is at an address that is not fetched, or it was too large for the notification. */
function isDataMissing({ connection, result }: TriggerContext, { steps }: Execution): boolean {
	return (
		(connection === undefined && steps.length === 0) ||
		(!result.fetchData && steps.some(({ address }) => address !== undefined))
	);
}

/** Without 'only what needs review': missing data must not count as good data. */
function unfiltered({ shaping, ...rest }: ResultChoice): ResultChoice {
	return {
		...rest,
		shaping: { ...shaping, below: shaping.below === 'only' ? 'mark' : shaping.below },
	};
}
