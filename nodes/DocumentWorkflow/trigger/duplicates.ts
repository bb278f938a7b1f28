import { createHash } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import type { ServiceEvent } from '../../../service/events';
import { identityOf, onceAnswered } from '../webhook';

/**
 * Accepted events are kept in the workflow's static data, and so survive a restart and are known to other processes. n8n stores these
 * just before it answers a call; until then this process remembers the events it is processing. It also remembers the events it has
 * accepted: n8n stores all static data of a workflow at once, so of two simultaneous calls the later one overwrites the earlier one.
 */
export interface Accepted {
	/** When an event is being processed, the service has to call again to get the outcome. */
	state: (key: string) => 'new' | 'accepted' | 'processing';
	take: (key: string) => void;
	/** Makes an event new again when it was not accepted. */
	release: (key: string) => void;
	accept: (keys: string[]) => void;
}

/** Duplicates have workflow, execution and status in common (published). */
export function eventKey({ workflowId, executionId, phase }: ServiceEvent): string {
	return createHash('sha256')
		.update(JSON.stringify([workflowId, executionId, phase ?? '']))
		.digest('base64url')
		.slice(0, 16);
}

const MEMORY = 'accepted';

/** About 50 kB, all of which is written with each call. */
const MAX_KEPT = 2_000;

/** One string, because n8n observes each property of an object, which would be slower than everything here. */
function textOf(entries: Array<[string, number]>): string {
	return entries.map(([key, at]) => `${key}.${at.toString(36)}`).join(' ');
}

function entriesOf(text: unknown): Array<[string, number]> {
	if (typeof text !== 'string' || text === '') return [];
	return text.split(' ').map((entry) => {
		const [key = '', at = ''] = entry.split('.');
		return [key, parseInt(at, 36)];
	});
}

/** The time within which n8n stores what a webhook returned. */
const STORING_MILLISECONDS = 10_000;

/** Until when events count as being processed, by trigger and key, in milliseconds since 1970. Then they are stored, or lost. */
const processing = new Map<string, number>();

/** When this process accepted events, by trigger and then by key. */
const answered = new Map<string, Map<string, number>>();

export function openAccepted(context: IWebhookFunctions, windowMilliseconds: number): Accepted {
	const now = Date.now();
	const isWithin = ([, at]: [string, number]): boolean => at > now - windowMilliseconds;
	const stored = context.getWorkflowStaticData('node');
	const accepted = new Map(entriesOf(stored[MEMORY]).filter(isWithin));
	const trigger = identityOf(context);
	const place = (key: string) => `${trigger} ${key}`;
	const recent = () => [...(answered.get(trigger) ?? [])].filter(isWithin);
	for (const [taken, until] of processing) if (until < now) processing.delete(taken);
	return {
		state: (key) => {
			if (accepted.has(key) || isWithin([key, answered.get(trigger)?.get(key) ?? 0]))
				return 'accepted';
			return (processing.get(place(key)) ?? 0) > Date.now() ? 'processing' : 'new';
		},
		take: (key) => void processing.set(place(key), Infinity),
		release: (key) => void processing.delete(place(key)),
		accept: (keys) => {
			const at = Date.now();
			for (const key of keys) processing.set(place(key), at + STORING_MILLISECONDS);
			stored[MEMORY] = textOf(
				[...new Map([...accepted, ...recent(), ...keys.map((key) => [key, at] as const)])].slice(
					-MAX_KEPT,
				),
			);
			onceAnswered(context, (answer) => {
				if (answer === 'accepted') remember(trigger, keys, at);
			});
		},
	};
}

function remember(trigger: string, keys: string[], at: number): void {
	const known = answered.get(trigger) ?? new Map<string, number>();
	answered.set(trigger, known);
	for (const key of keys) {
		// Moved to the end, so that the oldest are forgotten first.
		known.delete(key);
		known.set(key, at);
	}
	for (const key of [...known.keys()].slice(0, -MAX_KEPT)) known.delete(key);
}
