import { createHash } from 'crypto';
import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { ServiceEvent } from '../../../service/reading';
import { HOUR, time } from '../connection/time';
import { identityOf, isRejected } from '../connection/incomingCall';
import { type Hand, memories, type Memory } from './memory';

/** The keys of a call: that of the event it reports, and that of the execution as the API returns it. */
export interface EventsOfCall {
	/** Takes an event in hand. `later`: another call has it in hand, and has not accepted it within some seconds. */
	take: (key: string) => Promise<'taken' | 'duplicate' | 'later'>;
	/** Ends a call that starts nothing. Its event is new when it is sent again: *Events* may have changed. */
	end: () => void;
	/** What n8n has to return from a call that starts the workflow. The events are accepted once n8n has done so. */
	start: (
		accepted: string[],
		started: { webhookResponse: object; workflowData: INodeExecutionData[][] },
	) => IWebhookResponseData;
}

/** What duplicates have in common (published). */
export type EventIdentity = Pick<ServiceEvent, 'workflowId' | 'executionId' | 'meaning'>;

export function eventKey({ workflowId, executionId, meaning }: EventIdentity): string {
	return createHash('sha256')
		.update(JSON.stringify([workflowId, executionId, meaning ?? '']))
		.digest('base64url')
		.slice(0, 16);
}

/** The field of the static data. */
const FIELD = 'accepted';

/** About 50 kB, all of which is written with each call that starts the workflow. */
const MAX_ACCEPTED = 2_000;

/** How long an accepted event is a duplicate. */
const WINDOW_MILLISECONDS = 24 * HOUR;

/** How long a call waits for another one. Then its caller may have given up. */
const MAX_WAIT_MILLISECONDS = 20_000;

/** After this time without an answer n8n has not started the workflow. With a limit on parallel runs, n8n 2 answers late. */
const STARTING_MILLISECONDS = HOUR;

export function openEvents(context: IWebhookFunctions): EventsOfCall {
	const oldest = Date.now() - WINDOW_MILLISECONDS;
	const stored = context.getWorkflowStaticData('node');
	const trigger = identityOf(context);
	const unknown: Memory = { accepted: new Map(), text: '', inHand: new Map() };
	const memory = memories.get(trigger) ?? unknown;
	memories.set(trigger, memory);
	for (const [key, other] of memory.inHand)
		if (other.isRejected() || other.until <= time.now()) memory.inHand.delete(key);
	if (stored[FIELD] !== memory.text) remember(memory, entriesIn(stored[FIELD]), oldest);
	let release = (): void => undefined;
	const hand: Hand = {
		ended: new Promise((resolve) => (release = resolve)),
		until: Infinity,
		isRejected: () => isRejected(context),
	};
	const isAccepted = (key: string) => (memory.accepted.get(key) ?? 0) > oldest;
	const end = () => {
		for (const [key, other] of memory.inHand) if (other === hand) memory.inHand.delete(key);
		release();
	};
	return {
		take: async (key) => {
			const other = memory.inHand.get(key);
			if (isAccepted(key)) return 'duplicate';
			if (other === undefined) {
				memory.inHand.set(key, hand);
				return 'taken';
			}
			await Promise.race([other.ended, time.sleep(MAX_WAIT_MILLISECONDS)]);
			return isAccepted(key) ? 'duplicate' : 'later';
		},
		end,
		start: (accepted, { webhookResponse, workflowData }) => {
			hand.until = time.now() + STARTING_MILLISECONDS;
			return {
				workflowData,
				// n8n reads this when it has started the workflow, right before it stores the static data. What was written to that earlier is
				// lost on n8n 2, which makes a second object of it in between. n8n notices a change only by an assignment.
				get webhookResponse(): object {
					const now = Date.now();
					const entries = accepted.map((key) => [key, now] as const);
					remember(memory, entries, oldest);
					end();
					stored[FIELD] = memory.text;
					return webhookResponse;
				},
			};
		},
	};
}

/** In a test run every event is new. */
export const EACH_IS_NEW: EventsOfCall = {
	take: async () => Promise.resolve('taken'),
	end: () => undefined,
	start: (_accepted, started) => started,
};

/** Keeps the newest events, and of each the latest time. */
function remember(memory: Memory, entries: Array<readonly [string, number]>, oldest: number): void {
	for (const [key, at] of entries) {
		const isNewer = at > (memory.accepted.get(key) ?? oldest); // false for a time that cannot be read
		if (isNewer) memory.accepted.set(key, at);
	}
	const kept = [...memory.accepted]
		.filter(([, at]) => at > oldest)
		.sort(([, one], [, other]) => one - other)
		.slice(-MAX_ACCEPTED);
	memory.accepted = new Map(kept);
	memory.text = kept.map(([key, at]) => `${key}.${at.toString(36)}`).join(' ');
}

function entriesIn(text: unknown): Array<readonly [string, number]> {
	const entries = String(text).split(' ');
	return entries.map((entry) => {
		const [key = '', at = ''] = entry.split('.');
		return [key, parseInt(at, 36)];
	});
}
