import type { IWebhookFunctions } from 'n8n-workflow';

import type { Execution } from '../../../service/contract';
import type { ServiceEvent } from '../../../service/events';
import { executionIn, MAX_VALUES } from '../../../service/events';
import type { ResultSettings } from '../results/choice';
import type { Fetching } from '../results/fetchSteps';
import type { OutputItem } from '../results/result';
import { itemWithoutData, resultOf } from '../results/result';
import type { Connection } from '../connection/connect';
import type { Checks } from './check';
import { check } from './check';
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
const TOO_LARGE = `The notification has more than ${MAX_VALUES.toLocaleString('en')} values. Read the data with Get Execution`;

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
