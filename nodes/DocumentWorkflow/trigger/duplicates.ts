import { createHash } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import type { ServiceEvent } from '../../../service/events';

/**
 * What was accepted is kept in n8n's database with the workflow, and so is known after a restart and to other processes. n8n stores it
 * just before it answers; until then this process remembers what it has in hand.
 */
export interface Accepted {
	/** Whether it was accepted before, or is in hand: then whoever sent it must come again to know. */
	state: (key: string) => 'new' | 'accepted' | 'inHand';
	take: (key: string) => void;
	/** It came to nothing: when it comes again it is new. */
	release: (key: string) => void;
	accept: (key: string) => void;
}

/** Workflow, execution and status (published: what duplicates have in common). */
export function keyOf({ workflowId, executionId, told }: ServiceEvent): string {
	return createHash('sha256').update(JSON.stringify([workflowId, executionId, told?.phase ?? ''])).digest('base64url').slice(0, 16);
}

const MEMORY = 'accepted';

/** All of it is written each time; this is about 60 kB. */
const MOST_KEPT = 2_000;

/** How long n8n takes at most to store what it was handed. */
const STORING_MILLISECONDS = 10_000;

/** When what is in hand is taken for stored, or lost, by the trigger and key; milliseconds since 1970. */
const inHand = new Map<string, number>();

export function openAccepted(context: IWebhookFunctions, windowMilliseconds: number): Accepted {
	const now = Date.now();
	const stored = context.getWorkflowStaticData('node');
	const kept = Object.entries((stored[MEMORY] as Record<string, number> | undefined) ?? {}).filter(([, at]) => at > now - windowMilliseconds);
	const accepted = new Map(kept);
	const trigger = `${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
	const place = (key: string) => `${trigger} ${key}`;
	for (const [taken, until] of inHand) if (until < now) inHand.delete(taken);
	return {
		state: (key) => (accepted.has(key) ? 'accepted' : (inHand.get(place(key)) ?? 0) > Date.now() ? 'inHand' : 'new'),
		take: (key) => void inHand.set(place(key), Infinity),
		release: (key) => void inHand.delete(place(key)),
		accept: (key) => {
			inHand.set(place(key), Date.now() + STORING_MILLISECONDS);
			accepted.set(key, Date.now());
			stored[MEMORY] = Object.fromEntries([...accepted].slice(-MOST_KEPT));
		},
	};
}
