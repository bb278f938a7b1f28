import type { IWebhookFunctions } from 'n8n-workflow';

import type { Execution } from '../../../service/contract';
import type { ServiceEvent } from '../../../service/events';
import { executionIn } from '../../../service/events';
import { getExecution } from '../../../service/executions';
import type { Reply } from '../../../service/http';
import { holdBackAfter } from '../../../service/pace';
import { isPassing } from '../../../service/retry';
import type { OutputItem } from '../actions/operation';
import type { ResultChoice } from '../actions/fields/shaping';
import { resultOf } from '../actions/result';
import type { Connection } from '../transport';
import type { TriggerChoice } from './fields';
import { wake } from './wake';

/**
 * What becomes of an event. `start`: items for this workflow. `done`: accepted, with nothing to start. `later`: the service must come
 * again. `never`: there is no such execution, and coming again does not help.
 */
export type Handled =
	| { kind: 'start'; items: OutputItem[]; phase: Execution['phase'] }
	| { kind: 'done'; as: 'ignored' | 'woken' }
	| { kind: 'later' }
	| { kind: 'never' };

export interface Desk {
	context: IWebhookFunctions;
	/** Undefined where there is no credential for the API, because its data is not wanted. */
	connection: Connection | undefined;
	fetching: Connection['fetching'];
	choice: TriggerChoice;
	result: ResultChoice;
	/** The service was too busy for longer than it is waited for within one call. */
	isTooBusy: boolean;
}

/** For how long a look waits for its turn. */
const WAITING_MILLISECONDS = 60_000;

/** For how long a service that is too busy is asked again for one event: later, whoever calls may have given up. */
const ASKING_MILLISECONDS = 20_000;

/** Also where the service asks to come again at once. */
const SHORTEST_PAUSE_MILLISECONDS = 250;

/** Whether to look at an event any further; a waiting workflow is woken whatever starts this one. */
function isWanted(
	{ choice: { events, onlyWorkflows } }: Desk,
	{ workflowId, phase }: Execution,
): boolean {
	return (
		events.includes(phase) && (onlyWorkflows.length === 0 || onlyWorkflows.includes(workflowId))
	);
}

export async function handleEvent(desk: Desk, event: ServiceEvent): Promise<Handled> {
	const { context, connection, choice } = desk;
	const known =
		connection === undefined ? executionIn(event) : await readFromApi(desk, connection, event);
	if (known === undefined) return { kind: 'done', as: 'ignored' };
	if ('kind' in known) return known;
	// News of progress is ignored; what is said to have ended, and is not seen to have, comes again.
	if (known.phase === 'running') {
		if (event.phase === 'running') return { kind: 'done', as: 'ignored' };
		context.logger.warn(
			`Execution ${event.executionId} of workflow ${event.workflowId} is said to have ended, but the service shows it with status "${known.status}"`,
		);
		return { kind: 'later' };
	}
	if (connection !== undefined && choice.wake !== 'off' && known.reference !== undefined) {
		const waking = await wake(context, known, connection.sealer);
		if (waking === 'later') return { kind: 'later' };
		if (choice.wake === 'on') return { kind: 'done', as: waking === 'told' ? 'woken' : 'ignored' };
	}
	if (!isWanted(desk, known)) return { kind: 'done', as: 'ignored' };
	const items = await itemsOf(desk, known);
	return items.length === 0
		? { kind: 'done', as: 'ignored' }
		: { kind: 'start', items, phase: known.phase };
}

/**
 * Of the notification only the identifiers are believed. All events of a call hold back together as long as the service asks for; when
 * that is too long, none is asked for any more.
 */
async function readFromApi(
	desk: Desk,
	connection: Connection,
	event: ServiceEvent,
	askUntil?: number,
): Promise<Execution | Handled> {
	const { context } = desk;
	if (desk.isTooBusy) return { kind: 'later' };
	const { workflowId, executionId } = event;
	const found = await getExecution(connection.sendLook, workflowId, executionId, {
		notAfter: askUntil ?? Date.now() + WAITING_MILLISECONDS,
	});
	if (found.ok) return found.execution;
	const { words, reply } = found.refusal;
	const holdBack = holdBackAfter(reply, Date.now());
	if (holdBack !== undefined) {
		const until = askUntil ?? Date.now() + ASKING_MILLISECONDS;
		if (Date.now() + holdBack.milliseconds < until) {
			await connection.pause(SHORTEST_PAUSE_MILLISECONDS);
			return readFromApi(desk, connection, event, until);
		}
		desk.isTooBusy = true;
	}
	context.logger.warn(
		`Execution ${executionId} of workflow ${workflowId} could not be read: ${words.message}. ${words.advice}`,
	);
	return { kind: isLasting(reply) ? 'never' : 'later' };
}

/** What somebody can mend here, such as a credential, is no reason to lose the event. */
function isLasting(reply: Reply): boolean {
	return (
		reply.kind === 'answer' &&
		reply.status >= 400 &&
		![401, 403].includes(reply.status) &&
		!isPassing(reply)
	);
}

/** An event whose data cannot be fetched from its address starts the workflow without it: it would be lost for good otherwise. */
async function itemsOf(desk: Desk, execution: Execution): Promise<OutputItem[]> {
	const { context, fetching, result } = desk;
	const workbench = { context, connection: { fetching }, inputs: [] };
	const first = await resultOf(
		workbench,
		[],
		execution,
		isDataMissing(desk, execution) ? notJudged(result) : result,
	);
	if (first.ok) return first.items;
	const second = await resultOf(
		workbench,
		[],
		execution,
		{ ...notJudged(result), fetchData: false },
		{ dataNotFetched: first.error.message },
	);
	if (second.ok) return second.items;
	return [{ json: { ...second.json, dataNotFetched: second.error.message } }];
}

/** Whether the data is somewhere else: at an address that is not to be fetched, or left out of a notification for its size. */
function isDataMissing({ connection, result }: Desk, { steps }: Execution): boolean {
	return (
		(connection === undefined && steps.length === 0) ||
		(!result.fetchData && steps.some(({ address }) => address !== undefined))
	);
}

/** What nobody can judge is not left out for needing no review. */
function notJudged({ shaping, ...rest }: ResultChoice): ResultChoice {
	return {
		...rest,
		shaping: { ...shaping, below: shaping.below === 'only' ? 'mark' : shaping.below },
	};
}
