import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { ServiceEvent } from '../../../service/events';
import { MAX_EVENTS, readEvents } from '../../../service/events';
import { Lane } from '../../../service/pace';
import { messageOf } from '../../../service/text';
import type { ReadParameter } from '../panel/options';
import { readOutputSettings } from '../results/choice';
import { connect, MAX_PARALLEL_CHECKS } from '../transport';
import { readBody, rejectCall } from '../webhook';
import { authenticate } from './authenticate';
import type { Accepted } from './duplicates';
import { eventKey, NOTHING_ACCEPTED, openAccepted } from './duplicates';
import { readTriggerChoice } from './fields';
import type { Handled, TriggerContext } from './handle';
import { handleEvent } from './handle';
import type { Overlap } from './overlap';
import { ALONE, openOverlap } from './overlap';

/** Where calls are not authenticated, anybody can make n8n send a request for each event. */
const MAX_EVENTS_OF_ANYBODY = 20;

/**
 * Answers a call of the service, which may report several events. 2xx means that all are accepted, 5xx makes the service call again,
 * 4xx does not (published). So when one event cannot be processed now, the whole call gets 503 and starts nothing.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const rawBody = await readBody(context);
	if ('reason' in rawBody) return rejectCall(context, rawBody.status, rawBody.reason);
	const authentication = await authenticate(context, rawBody);
	if (authentication === undefined) return rejectCall(context, 401, 'Unauthorized');
	const maxEvents = authentication.required === undefined ? MAX_EVENTS_OF_ANYBODY : MAX_EVENTS;
	const read = readEvents(rawBody.toString('utf8'), maxEvents);
	if (!read.ok) return rejectCall(context, 400, read.reason);
	const triggerContext = await openTriggerContext(context);
	if (triggerContext === undefined) return rejectCall(context, 503, 'The trigger is not ready');
	const { duplicateMilliseconds } = triggerContext.choice;
	const isAnyNew = context.getMode() === 'manual' || duplicateMilliseconds === 0;
	const accepted = isAnyNew ? NOTHING_ACCEPTED : openAccepted(context, duplicateMilliseconds);
	const overlap = isAnyNew ? ALONE : openOverlap(context);
	const handled = await handleAll(triggerContext, accepted, overlap, read.events);
	const keys = handled.flatMap(keysOf);
	while (keys.some(accepted.isStarting) && !overlap.isImpatient())
		await Promise.race([accepted.untilStarted(keys), overlap.patience()]);
	// Nothing is awaited from here to the answer, so that of overlapping calls one starts the workflow.
	return answerTo(context, accepted, overlap, outcomesOf(handled, accepted));
}

async function openTriggerContext(context: IWebhookFunctions): Promise<TriggerContext | undefined> {
	const read: ReadParameter = (name, fallback) => context.getNodeParameter(name, fallback);
	try {
		const choice = readTriggerChoice(read);
		const shown = readOutputSettings(context.getNode(), read, 0);
		const result = {
			...shown,
			includeInput: false,
			includeFiles: false,
			shaping: { ...shown.shaping, onlyReview: choice.onlyReview },
			fetchData: read('outputOptions.skipDownload', null) !== true,
		};
		const connection =
			choice.dataFrom === 'api' ? await connect(context, 1, () => undefined) : undefined;
		return {
			isTooBusy: false,
			unknownUntil: undefined,
			context,
			choice,
			result,
			connection,
			fetching: {
				fetching: connection?.fetching ?? new Lane(MAX_PARALLEL_CHECKS),
				// Anybody may have written the addresses in a notification.
				isLocal: connection?.isLocal ?? false,
			},
		};
	} catch (error) {
		context.logger.error(`Notifications cannot be processed: ${messageOf(error)}`);
		return undefined;
	}
}

/** An event with its outcome; undefined when another call was already starting the workflow with it. */
interface HandledEvent {
	event: ServiceEvent;
	key: string;
	handled: Handled | undefined;
}

/** Begins the work for all events before it waits for any, so that an overlapping call finds all of them in hand. */
async function handleAll(
	triggerContext: TriggerContext,
	accepted: Accepted,
	overlap: Overlap,
	events: ServiceEvent[],
): Promise<HandledEvent[]> {
	const lane = new Lane(MAX_PARALLEL_CHECKS);
	return Promise.all(
		events.map(async (event): Promise<HandledEvent> => {
			const key = eventKey(event);
			if (accepted.has(key) || accepted.isStarting(key)) return { event, key, handled: undefined };
			const work = async () => lane.run(async () => handleSafely(triggerContext, event));
			return { event, key, handled: await overlap.handle(key, work) };
		}),
	);
}

async function handleSafely(triggerContext: TriggerContext, event: ServiceEvent): Promise<Handled> {
	try {
		return await handleEvent(triggerContext, event);
	} catch (error) {
		triggerContext.context.logger.error(
			`Execution ${event.executionId} could not be processed: ${messageOf(error)}`,
		);
		return { kind: 'later' };
	}
}

/** The API's statement counts: other spellings of an ID, and a late notification of progress, are the same event. */
function keysOf({ key, handled }: HandledEvent): string[] {
	const stated = handled !== undefined && 'stated' in handled ? handled.stated : undefined;
	return stated === undefined ? [key] : [...new Set([key, eventKey(stated)])];
}

type Outcome = { keys: string[]; event: ServiceEvent } & (Handled | { kind: 'duplicate' });

function outcomesOf(events: HandledEvent[], accepted: Accepted): Outcome[] {
	const inThisCall = new Set<string>();
	return events.map((each): Outcome => {
		const { event, handled } = each;
		const keys = keysOf(each);
		if (keys.some((key) => accepted.has(key) || inThisCall.has(key)))
			return { keys: [], event, kind: 'duplicate' };
		if (handled === undefined || keys.some(accepted.isStarting))
			return { keys: [], event, kind: 'later' };
		if (handled.kind !== 'start' && handled.kind !== 'done') return { keys: [], event, ...handled };
		for (const key of keys) inThisCall.add(key);
		return { keys, event, ...handled };
	});
}

function answerTo(
	context: IWebhookFunctions,
	accepted: Accepted,
	overlap: Overlap,
	outcomes: Outcome[],
): IWebhookResponseData {
	const isLater = outcomes.some(({ kind }) => kind === 'later');
	const starting = outcomes.filter((each) => each.kind === 'start');
	overlap.end(isLater);
	// Resumed and ignored events are accepted in any case.
	accepted.accept(outcomes.filter(({ kind }) => kind === 'done').flatMap(({ keys }) => keys));
	if (isLater) return rejectCall(context, 503, 'Not possible at the moment. Send the event again');
	const never = outcomes.filter((each) => each.kind === 'never');
	if (never.length > 0 && never.length === outcomes.length) return rejectNever(context, never);
	const webhookResponse = {
		started: starting.length > 0,
		events: outcomes.map(({ event: { executionId }, kind, ...rest }) => ({
			executionId,
			outcome: 'as' in rest ? rest.as : kind,
		})),
	};
	if (starting.length === 0) return { webhookResponse };
	return accepted.start(
		starting.flatMap(({ keys }) => keys),
		{ webhookResponse, workflowData: [starting.flatMap(({ items }) => items)] },
	);
}

function rejectNever(
	context: IWebhookFunctions,
	never: Array<Extract<Handled, { kind: 'never' }>>,
): IWebhookResponseData {
	const { status = 404 } = never.find((each) => each.status !== 404) ?? {};
	return status === 404
		? rejectCall(context, 404, 'The service does not know this execution')
		: rejectCall(context, 422, `The service rejected the check with status ${status}`);
}
