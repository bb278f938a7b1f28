import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { ServiceEvent } from '../../../service/events';
import { readEvents } from '../../../service/events';
import { Lane } from '../../../service/pace';
import type { ReadParameter } from '../actions/fields/parameters';
import { readResultChoice } from '../actions/fields/shaping';
import { connect } from '../transport';
import { refuseCall } from './answers';
import { readBody } from './body';
import type { Accepted } from './duplicates';
import { keyOf, openAccepted } from './duplicates';
import { readTriggerChoice } from './fields';
import type { Desk, Handled } from './handle';
import { handleEvent } from './handle';
import { isFromService } from './proof/isFromService';

/** How many events of one call are worked on at the same time. */
const MOST_AT_ONCE = 8;

/**
 * Takes a notification. What the service does with an answer (published): 2xx means accepted for good, 5xx comes again, any other 4xx
 * never does. So a call of which one event cannot be dealt with at the moment is answered 503 as a whole, and starts nothing.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const rawBody = await readBody(context);
	if ('reason' in rawBody) return refuseCall(context, rawBody.status, rawBody.reason);
	if (!(await isFromService(context, rawBody))) return refuseCall(context, 401, 'Unauthorized');
	const read = readEvents(rawBody.toString('utf8'));
	if (!read.ok) return refuseCall(context, 400, read.reason);
	const desk = await openDesk(context);
	if (desk === undefined) return refuseCall(context, 503, 'The trigger is not ready');
	const { duplicateMilliseconds } = desk.choice;
	const accepted =
		context.getMode() === 'manual' || duplicateMilliseconds === 0
			? NOTHING_KEPT
			: openAccepted(context, duplicateMilliseconds);
	const lane = new Lane(MOST_AT_ONCE);
	const handled = await Promise.all(
		read.events.map(async (event) => lane.run(async () => handleOnce(desk, accepted, event))),
	);
	return answerTo(context, accepted, handled);
}

async function openDesk(context: IWebhookFunctions): Promise<Desk | undefined> {
	const read: ReadParameter = (name, fallback) => context.getNodeParameter(name, fallback);
	try {
		const choice = readTriggerChoice(read);
		const shown = readResultChoice(context.getNode(), read, 0);
		const result = {
			...shown,
			shaping: { ...shown.shaping, ...(choice.onlyReview ? { below: 'only' as const } : {}) },
			fetchData: read('options.fetchData', true) !== false,
		};
		const connection =
			choice.dataFrom === 'api' ? await connect(context, 1, () => undefined) : undefined;
		return {
			isTooBusy: false,
			context,
			choice,
			result,
			connection,
			fetching: connection?.fetching ?? new Lane(MOST_AT_ONCE),
		};
	} catch (error) {
		context.logger.error(
			`Notifications cannot be taken: ${error instanceof Error ? error.message : String(error)}`,
		);
		return undefined;
	}
}

type HandledOnce = { keys: string[]; event: ServiceEvent } & (Handled | { kind: 'duplicate' });

async function handleOnce(
	desk: Desk,
	accepted: Accepted,
	event: ServiceEvent,
): Promise<HandledOnce> {
	const key = keyOf(event);
	const state = accepted.state(key);
	if (state === 'accepted') return { keys: [], event, kind: 'duplicate' };
	if (state === 'inHand') {
		desk.context.logger.info(
			`Execution ${event.executionId} was notified of while the same notification was in hand`,
		);
		return { keys: [], event, kind: 'later' };
	}
	accepted.take(key);
	let keys: string[] = [];
	try {
		const handled = await handleEvent(desk, event);
		keys = handled.kind === 'start' || handled.kind === 'done' ? [key] : [];
		if (handled.kind !== 'start') return { keys, event, ...handled };
		// What counts is what the service says when it is asked: a late word of progress and the word of the end are one event.
		const trueKey = keyOf({ ...event, phase: handled.phase });
		if (trueKey === key) return { keys, event, ...handled };
		if (accepted.state(trueKey) !== 'new') return { keys, event, kind: 'duplicate' };
		accepted.take(trueKey);
		keys.push(trueKey);
		return { keys, event, ...handled };
	} catch (error) {
		desk.context.logger.error(
			`Execution ${event.executionId} could not be taken: ${error instanceof Error ? error.message : String(error)}`,
		);
		return { keys, event, kind: 'later' };
	} finally {
		if (keys.length === 0) accepted.release(key);
	}
}

function answerTo(
	context: IWebhookFunctions,
	accepted: Accepted,
	handled: HandledOnce[],
): IWebhookResponseData {
	const isLater = handled.some(({ kind }) => kind === 'later');
	// What was woken, or is ignored, need not be looked at again; what would have started this workflow comes again.
	const isKept = ({ kind }: HandledOnce) => kind !== 'start' || !isLater;
	accepted.accept(handled.filter(isKept).flatMap(({ keys }) => keys));
	for (const { keys } of handled.filter((each) => !isKept(each))) keys.forEach(accepted.release);
	if (isLater) return refuseCall(context, 503, 'Not possible at the moment: please send it again');
	if (handled.length > 0 && handled.every(({ kind }) => kind === 'never'))
		return refuseCall(context, 404, 'The service knows no such execution');
	const items = handled.flatMap((each) => (each.kind === 'start' ? each.items : []));
	const webhookResponse = {
		started: items.length > 0,
		events: handled.map(({ event: { executionId }, kind, ...rest }) => ({
			executionId,
			outcome: 'as' in rest ? rest.as : kind,
		})),
	};
	return items.length === 0 ? { webhookResponse } : { webhookResponse, workflowData: [items] };
}

/** A test event is never a duplicate, and nothing is where all are let through. */
const NOTHING_KEPT: Accepted = {
	state: () => 'new',
	take: () => undefined,
	release: () => undefined,
	accept: () => undefined,
};
