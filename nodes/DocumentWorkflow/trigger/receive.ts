import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { readEvent, type ServiceEvent } from '../../../service/reading';
import { messageOf } from '../../../service/text';
import { connect } from '../connection/connect';
import { readBody, rejectCall } from '../connection/incomingCall';
import { judgeCall } from './authenticate';
import { EACH_IS_NEW, eventKey, type EventsOfCall, openEvents } from './duplicates';
import { readTriggerFields } from './fields';
import { callsInHand } from './memory';
import { type EventOutcome, handleEvent, type TriggerContext } from './handle';

const NOT_READY = 'The trigger is not ready';

/** Of all triggers of this process. n8n 2 holds about 10 MB for each call until it is answered. */
const MAX_CALLS_IN_HAND = 50;

/** Answers a call: 2xx accepts the event, 5xx makes the service call again, 4xx does not (published). */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	if (callsInHand.size >= MAX_CALLS_IN_HAND)
		return rejectCall(context, 503, 'Too many calls at once');
	callsInHand.add(context);
	return answerCall(context).finally(() => callsInHand.delete(context));
}

async function answerCall(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	// Before the body, which may never end.
	const verdict = await judgeCall(context);
	if (verdict === 'unknown') return rejectCall(context, 503, NOT_READY);
	if (verdict === 'rejected') return rejectCall(context, 401, 'Unauthorized');
	const rawBody = await readBody(context);
	if ('reason' in rawBody) return rejectCall(context, rawBody.status, rawBody.reason);
	const read = readEvent(rawBody.toString('utf8'));
	if (!read.ok) return rejectCall(context, 400, read.reason);
	const triggerContext = await openTriggerContext(context, verdict === 'authentic');
	if (triggerContext === undefined) return rejectCall(context, 503, NOT_READY);
	const events = context.getMode() === 'manual' ? EACH_IS_NEW : openEvents(context);
	const { keys, outcome } = await handleOnce(triggerContext, events, read.event);
	const { kind } = outcome;
	const webhookResponse = { executionId: read.event.executionId, outcome: kind };
	if (kind === 'start')
		return events.start(keys, { webhookResponse, workflowData: [outcome.items] });
	events.end();
	if (kind === 'later')
		return rejectCall(context, 503, 'Not possible at the moment. Send the event again');
	return { webhookResponse };
}

async function openTriggerContext(context: IWebhookFunctions, isAuthenticated: boolean) {
	try {
		const fields = readTriggerFields((name, fallback) => context.getNodeParameter(name, fallback));
		const connection = await connect(context);
		return { context, ...fields, connection, isAuthenticated };
	} catch (error) {
		context.logger.error(`Notifications cannot be processed: ${messageOf(error)}`);
		return undefined;
	}
}

/** Handles the event, unless another call has accepted it or has it in hand. `keys`: those to remember. */
async function handleOnce(
	triggerContext: TriggerContext,
	events: EventsOfCall,
	event: ServiceEvent,
): Promise<{ keys: string[]; outcome: EventOutcome | { kind: 'duplicate' } }> {
	const key = eventKey(event);
	const taken = await events.take(key);
	if (taken !== 'taken') return { keys: [], outcome: { kind: taken } };
	const outcome = await handleEvent(triggerContext, event).catch((error: unknown): EventOutcome => {
		triggerContext.context.logger.error(
			`Execution ${event.executionId} could not be processed: ${messageOf(error)}`,
		);
		return { kind: 'later' };
	});
	const statedKey = 'stated' in outcome ? eventKey(outcome.stated) : key;
	// An end that is reported by an unknown word has the key of a progress.
	const keys = event.phase === 'running' ? [] : [key];
	if (statedKey === key) return { keys, outcome };
	// The API's statement counts: another spelling of an ID, or a late notification of progress, may be an event that is known.
	const takenAsStated = await events.take(statedKey);
	return takenAsStated === 'taken'
		? { keys: [...keys, statedKey], outcome }
		: { keys: [], outcome: { kind: takenAsStated } };
}
