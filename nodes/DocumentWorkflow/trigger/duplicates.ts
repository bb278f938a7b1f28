import { createHash } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import type { ServiceEvent } from '../../../service/events';
import { onceAnswered } from './answers';
import { identityOf } from './identity';

/**
 * What was accepted is kept in n8n's database with the workflow, and so is known after a restart and to other processes. n8n stores it
 * just before it answers; until then this process remembers what it has in hand. It also remembers what it has answered: n8n stores all
 * that it keeps of a workflow at once, so that of two calls at the same moment the later one overwrites what the earlier one stored.
 */
export interface Accepted {
	/** Whether it was accepted before, or is in hand: then whoever sent it must come again to know. */
	state: (key: string) => 'new' | 'accepted' | 'inHand';
	take: (key: string) => void;
	/** It came to nothing: when it comes again it is new. */
	release: (key: string) => void;
	accept: (keys: string[]) => void;
}

/** Workflow, execution and status (published: what duplicates have in common). */
export function keyOf({ workflowId, executionId, phase }: ServiceEvent): string {
	return createHash('sha256')
		.update(JSON.stringify([workflowId, executionId, phase ?? '']))
		.digest('base64url')
		.slice(0, 16);
}

const MEMORY = 'accepted';

/** All of it is written each time; this is about 50 kB. */
const MOST_KEPT = 2_000;

/** As one text: n8n watches each property of an object for changes, which takes longer than all that is done with it here. */
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

/** How long n8n takes at most to store what it was handed. */
const STORING_MILLISECONDS = 10_000;

/** When what is in hand is taken for stored, or lost, by the trigger and key; milliseconds since 1970. */
const inHand = new Map<string, number>();

/** When what this process has answered was accepted, by the trigger and then by key. */
const answered = new Map<string, Map<string, number>>();

export function openAccepted(context: IWebhookFunctions, windowMilliseconds: number): Accepted {
	const now = Date.now();
	const isWithin = ([, at]: [string, number]): boolean => at > now - windowMilliseconds;
	const stored = context.getWorkflowStaticData('node');
	const accepted = new Map(entriesOf(stored[MEMORY]).filter(isWithin));
	const trigger = identityOf(context);
	const place = (key: string) => `${trigger} ${key}`;
	const recent = () => [...(answered.get(trigger) ?? [])].filter(isWithin);
	for (const [taken, until] of inHand) if (until < now) inHand.delete(taken);
	return {
		state: (key) => {
			if (accepted.has(key) || isWithin([key, answered.get(trigger)?.get(key) ?? 0]))
				return 'accepted';
			return (inHand.get(place(key)) ?? 0) > Date.now() ? 'inHand' : 'new';
		},
		take: (key) => void inHand.set(place(key), Infinity),
		release: (key) => void inHand.delete(place(key)),
		accept: (keys) => {
			const at = Date.now();
			for (const key of keys) inHand.set(place(key), at + STORING_MILLISECONDS);
			stored[MEMORY] = textOf(
				[...new Map([...accepted, ...recent(), ...keys.map((key) => [key, at] as const)])].slice(
					-MOST_KEPT,
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
		// The newest stand last.
		known.delete(key);
		known.set(key, at);
	}
	for (const key of [...known.keys()].slice(0, -MOST_KEPT)) known.delete(key);
}
