import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { ServiceEvent } from '../../../service/events';
import { readEvents } from '../../../service/events';
import { Lane } from '../../../service/pace';
import { messageOf } from '../../../service/text';
import type { ReadParameter } from '../panel/options';
import { readResultChoice } from '../results/choice';
import { connect, MAX_PARALLEL_CHECKS } from '../transport';
import { readBody, rejectCall } from '../webhook';
import type { Accepted } from './duplicates';
import { eventKey, openAccepted } from './duplicates';
import { readTriggerChoice } from './fields';
import type { Handled, TriggerContext } from './handle';
import { handleEvent } from './handle';
import { isAuthenticCall } from './isAuthenticCall';

/**
 * Answers a call of the service, which may report several events. 2xx means that all are accepted, 5xx makes the service call again,
 * 4xx does not (published). So when one event cannot be processed now, the whole call gets 503 and starts nothing.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const rawBody = await readBody(context);
	if ('reason' in rawBody) return rejectCall(context, rawBody.status, rawBody.reason);
	if (!(await isAuthenticCall(context, rawBody))) return rejectCall(context, 401, 'Unauthorized');
	const read = readEvents(rawBody.toString('utf8'));
	if (!read.ok) return rejectCall(context, 400, read.reason);
	const triggerContext = await openTriggerContext(context);
	if (triggerContext === undefined) return rejectCall(context, 503, 'The trigger is not ready');
	const { duplicateMilliseconds } = triggerContext.choice;
	const accepted =
		context.getMode() === 'manual' || duplicateMilliseconds === 0
			? ALWAYS_NEW
			: openAccepted(context, duplicateMilliseconds);
	const lane = new Lane(MAX_PARALLEL_CHECKS);
	const handled = await Promise.all(
		read.events.map(async (event) =>
			lane.run(async () => handleOnce(triggerContext, accepted, event)),
		),
	);
	return answerTo(context, accepted, handled);
}

async function openTriggerContext(context: IWebhookFunctions): Promise<TriggerContext | undefined> {
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
			fetching: connection?.fetching ?? new Lane(MAX_PARALLEL_CHECKS),
		};
	} catch (error) {
		context.logger.error(`Notifications cannot be processed: ${messageOf(error)}`);
		return undefined;
	}
}

type HandledOnce = { keys: string[]; event: ServiceEvent } & (Handled | { kind: 'duplicate' });

async function handleOnce(
	triggerContext: TriggerContext,
	accepted: Accepted,
	event: ServiceEvent,
): Promise<HandledOnce> {
	const { logger } = triggerContext.context;
	const key = eventKey(event);
	const state = accepted.state(key);
	if (state === 'accepted') return { keys: [], event, kind: 'duplicate' };
	if (state === 'processing') {
		logger.info(
			`Execution ${event.executionId} was reported while the same notification was being processed`,
		);
		return { keys: [], event, kind: 'later' };
	}
	accepted.take(key);
	let keys: string[] = [];
	try {
		const handled = await handleEvent(triggerContext, event);
		keys = handled.kind === 'start' || handled.kind === 'done' ? [key] : [];
		if (handled.kind !== 'start') return { keys, event, ...handled };
		// The API's status counts: a late notification of progress and the one of the end are the same event.
		const trueKey = eventKey({ ...event, phase: handled.phase });
		if (trueKey === key) return { keys, event, ...handled };
		if (accepted.state(trueKey) !== 'new') return { keys, event, kind: 'duplicate' };
		accepted.take(trueKey);
		keys.push(trueKey);
		return { keys, event, ...handled };
	} catch (error) {
		logger.error(`Execution ${event.executionId} could not be processed: ${messageOf(error)}`);
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
	// Resumed and ignored events are accepted. Events that would have started this workflow are sent again.
	const isKept = ({ kind }: HandledOnce) => kind !== 'start' || !isLater;
	accepted.accept(handled.filter(isKept).flatMap(({ keys }) => keys));
	for (const { keys } of handled.filter((each) => !isKept(each))) keys.forEach(accepted.release);
	if (isLater) return rejectCall(context, 503, 'Not possible at the moment: please send it again');
	if (handled.length > 0 && handled.every(({ kind }) => kind === 'never'))
		return rejectCall(context, 404, 'The service knows no such execution');
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

/** In a test run, or without a time for duplicates, every event is new. */
const ALWAYS_NEW: Accepted = {
	state: () => 'new',
	take: () => undefined,
	release: () => undefined,
	accept: () => undefined,
};
