import type { IWebhookFunctions } from 'n8n-workflow';

import type { Execution } from '../../../service/contract';
import type { ServiceEvent } from '../../../service/events';
import { executionIn, MAX_VALUES } from '../../../service/events';
import { notify } from '../pausing/notify';
import type { ResultChoice } from '../results/choice';
import type { Fetching } from '../results/fetchSteps';
import type { OutputItem } from '../results/files';
import { resultOf } from '../results/result';
import type { Connection } from '../transport';
import type { Checks } from './check';
import { check } from './check';
import type { TriggerChoice } from './fields';

/** An event as the API states it: IDs may be spelled in another way there, and the status may be newer. */
type Stated = Pick<Execution, 'workflowId' | 'executionId' | 'phase'>;

/**
 * The outcome of an event. `start`: items for this workflow. `done`: accepted, nothing to start. `later`: the service must call again.
 * `never`: the API rejects the check with this status, and calling again does not help.
 */
export type Handled =
	| { kind: 'start'; items: OutputItem[]; stated: Stated }
	| { kind: 'done'; as: 'ignored' | 'resumed'; stated?: Stated }
	| { kind: 'later' }
	| { kind: 'never'; status: number };

/** One call of the trigger. */
export interface TriggerContext extends Checks {
	context: IWebhookFunctions;
	/** Undefined where the data is read from the notification instead of the API. */
	connection: Connection | undefined;
	fetching: Fetching;
	choice: TriggerChoice;
	result: ResultChoice;
}

/** The item says so instead of its data. */
const TOO_LARGE = `The notification has more than ${MAX_VALUES.toLocaleString('en')} values. Read the data with Get Execution`;

const IGNORED = { kind: 'done', as: 'ignored' } as const;

/** Handles an event. The filters do not apply to notifying paused n8n executions. */
export async function handleEvent(
	triggerContext: TriggerContext,
	event: ServiceEvent,
): Promise<Handled> {
	const { connection, choice } = triggerContext;
	const isFiltered = isOfOtherWorkflow(choice, event);
	if (isFiltered && (connection === undefined || choice.resume === 'off')) return IGNORED;
	if (connection !== undefined) return handleFromApi(triggerContext, connection, event, isFiltered);
	const known = executionIn(event);
	if (known === undefined || known.phase === 'running') return IGNORED;
	return start(triggerContext, known, event.isTooLarge);
}

async function handleFromApi(
	triggerContext: TriggerContext,
	connection: Connection,
	event: ServiceEvent,
	isFiltered: boolean,
): Promise<Handled> {
	const { context, choice } = triggerContext;
	const { workflowId, executionId } = event;
	const about = `Execution ${executionId} of workflow ${workflowId}`;
	const checked = await check(triggerContext, connection, event);
	if (!checked.ok) {
		const { refusal, lasting, status } = checked;
		// No paused n8n execution waits for what this credential cannot read.
		if (isFiltered && (lasting || status === 403)) return IGNORED;
		if (refusal !== undefined) {
			const { message, advice } = refusal.words;
			context.logger.warn(`${about} could not be read: ${message}. ${advice}`);
		}
		return lasting ? { kind: 'never', status } : { kind: 'later' };
	}
	const { execution: known } = checked;
	// Events of progress are ignored. An end that the API does not confirm yet must be sent again.
	if (known.phase === 'running') {
		if (event.phase === 'running') return IGNORED;
		context.logger.warn(
			`${about} was reported as finished, but the API returns the status "${known.status}"`,
		);
		return { kind: 'later' };
	}
	if (choice.resume !== 'off' && known.reference !== undefined) {
		const result = await notify(context, known, connection.sealer);
		if (result === 'later') return { kind: 'later' };
		// A test event is always shown to the user who listens for it.
		if (choice.resume === 'on' && context.getMode() !== 'manual')
			return {
				kind: 'done',
				as: result === 'notified' ? 'resumed' : 'ignored',
				stated: statedOf(known),
			};
	}
	return start(triggerContext, known, false);
}

async function start(
	triggerContext: TriggerContext,
	known: Execution,
	isTooLarge: boolean,
): Promise<Handled> {
	const { choice } = triggerContext;
	const stated = statedOf(known);
	const isWanted = choice.events.includes(known.phase) && !isOfOtherWorkflow(choice, known);
	const items = isWanted ? await itemsOf(triggerContext, known, isTooLarge) : [];
	return items.length === 0 ? { ...IGNORED, stated } : { kind: 'start', items, stated };
}

/** Whether Only Workflows leaves out an event. Not case-sensitive, because the API may not be. */
function isOfOtherWorkflow(
	{ onlyWorkflows }: TriggerChoice,
	{ workflowId }: Pick<ServiceEvent, 'workflowId'>,
): boolean {
	const isNamed = (name: string) => name.toLowerCase() === workflowId.toLowerCase();
	return onlyWorkflows.length > 0 && !onlyWorkflows.some(isNamed);
}

function statedOf({ workflowId, executionId, phase }: Execution): Stated {
	return { workflowId, executionId, phase };
}

/** When the data cannot be fetched from its address, the event starts the workflow without it; otherwise it would be lost. */
async function itemsOf(
	triggerContext: TriggerContext,
	execution: Execution,
	isTooLarge: boolean,
): Promise<OutputItem[]> {
	const { context, fetching, result } = triggerContext;
	const resultContext = { context, connection: fetching, inputs: [] };
	const first = await resultOf(
		resultContext,
		[],
		execution,
		isDataMissing(triggerContext, execution) ? unfiltered(result) : result,
		isTooLarge ? { dataNotFetched: TOO_LARGE } : {},
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
	return { ...rest, shaping: { ...shaping, onlyReview: false } };
}
