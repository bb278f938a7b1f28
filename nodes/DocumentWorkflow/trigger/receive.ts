import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { ServiceEvent } from '../../../service/events';
import { MAX_EVENTS, readEvents } from '../../../service/events';
import { Queue } from '../../../service/rateLimit';
import { messageOf } from '../../../service/text';
import type { ReadParameter } from '../panel/options';
import { readOutputSettings } from '../results/choice';
import { connect, MAX_PARALLEL_CHECKS } from '../connection/connect';
import { readBody, rejectCall } from '../connection/incomingCall';
import { authenticate } from './authenticate';
import type { EventsOfCall } from './duplicates';
import { EACH_IS_NEW, eventKey, openEvents } from './duplicates';
import { readTriggerChoice } from './fields';
import type { Handled, TriggerContext } from './handle';
import { handleEvent } from './handle';

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
	const isEachNew = context.getMode() === 'manual' || duplicateMilliseconds === 0;
	const events = isEachNew ? EACH_IS_NEW : openEvents(context, duplicateMilliseconds);
	return answerTo(context, events, await handleAll(triggerContext, events, read.events));
}

async function openTriggerContext(context: IWebhookFunctions): Promise<TriggerContext | undefined> {
	const read: ReadParameter = (name, fallback) => context.getNodeParameter(name, fallback);
	try {
		const choice = readTriggerChoice(read);
		const settings = readOutputSettings(context.getNode(), read, 0);
		const result = { ...settings, includeInput: false, includeFiles: false };
		const connection = await connect(context, { maxInParallel: 1 }, () => undefined);
		return { context, choice, result, connection };
	} catch (error) {
		context.logger.error(`Notifications cannot be processed: ${messageOf(error)}`);
		return undefined;
	}
}

interface HandledEvent {
	event: ServiceEvent;
	/** Those that the call has taken. */
	keys: string[];
	outcome: Handled | { kind: 'duplicate' };
}

/** Takes the events of a call in hand before it waits for any, so that calls do not wait for each other. */
async function handleAll(
	triggerContext: TriggerContext,
	events: EventsOfCall,
	given: ServiceEvent[],
): Promise<HandledEvent[]> {
	const queue = new Queue(MAX_PARALLEL_CHECKS);
	return Promise.all(
		given.map(async (event): Promise<HandledEvent> => {
			const key = eventKey(event);
			const taken = await events.take(key);
			if (taken !== 'taken') return { event, keys: [], outcome: { kind: taken } };
			const outcome = await queue.run(async () => handleSafely(triggerContext, event));
			const statedKey = 'stated' in outcome ? eventKey(outcome.stated) : key;
			if (statedKey === key) return { event, keys: [key], outcome };
			// The API's statement counts: another spelling of an ID, or a late notification of progress, may be an event that is known.
			const takenAsStated = await events.take(statedKey);
			return takenAsStated === 'taken'
				? { event, keys: [key, statedKey], outcome }
				: { event, keys: [], outcome: { kind: takenAsStated } };
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

function answerTo(
	context: IWebhookFunctions,
	events: EventsOfCall,
	handled: HandledEvent[],
): IWebhookResponseData {
	const outcomes = handled.map(({ outcome }) => outcome);
	const items = outcomes.flatMap((outcome) => (outcome.kind === 'start' ? outcome.items : []));
	const isLater = outcomes.some(({ kind }) => kind === 'later');
	if (!isLater && items.length > 0)
		return events.start(keysOf(handled, ['start', 'ignored']), {
			webhookResponse: answerAbout(handled, true),
			workflowData: [items],
		});
	events.end(keysOf(handled, ['ignored']));
	if (isLater) return rejectCall(context, 503, 'Not possible at the moment. Send the event again');
	const isNever = outcomes.length > 0 && outcomes.every(({ kind }) => kind === 'never');
	return isNever
		? rejectCall(context, 404, 'The service does not know this execution')
		: { webhookResponse: answerAbout(handled, false) };
}

function keysOf(handled: HandledEvent[], kinds: string[]): string[] {
	return handled.flatMap(({ keys, outcome }) => (kinds.includes(outcome.kind) ? keys : []));
}

function answerAbout(handled: HandledEvent[], started: boolean): object {
	const events = handled.map(({ event: { executionId }, outcome: { kind } }) => ({
		executionId,
		outcome: kind,
	}));
	return { started, events };
}
