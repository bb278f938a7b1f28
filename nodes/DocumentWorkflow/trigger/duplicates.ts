import { createHash } from 'crypto';
import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import type { ServiceEvent } from '../../../service/events';
import { time } from '../time';
import { identityOf, onceAnswered } from '../webhook';

/**
 * Accepted events are kept in the workflow's static data. n8n loads it with each call and stores it when it answers, so they survive a
 * restart and other processes know them. It stores all of it at once: of simultaneous calls the last one wins. So this process remembers
 * all events that it has accepted or loaded, and each call that starts the workflow stores all of them.
 */
export interface Accepted {
	has: (key: string) => boolean;
	/** Whether another call is starting the workflow with this event. */
	isStarting: (key: string) => boolean;
	/** Waits until other calls have started the workflow with these events, or could not. */
	untilStarted: (keys: string[]) => Promise<unknown>;
	/** Accepts events that start nothing. They are not stored: a repeated one starts nothing again, and storing takes long in a burst. */
	accept: (keys: string[]) => void;
	/** What n8n has to return from a call that starts the workflow. The events are accepted once n8n has done so. */
	start: (
		keys: string[],
		started: { webhookResponse: object; workflowData: INodeExecutionData[][] },
	) => IWebhookResponseData;
}

/** Duplicates have workflow, execution and status in common (published). */
export function eventKey({
	workflowId,
	executionId,
	phase,
}: Pick<ServiceEvent, 'workflowId' | 'executionId' | 'phase'>): string {
	return createHash('sha256')
		.update(JSON.stringify([workflowId, executionId, phase ?? '']))
		.digest('base64url')
		.slice(0, 16);
}

const MEMORY = 'accepted';

/** About 50 kB, all of which is written with each call that starts the workflow. */
const MAX_KEPT = 2_000;

/** After this time without an answer n8n has not started the workflow. A repeated event gets 503 until then. */
const STARTING_MILLISECONDS = 60_000;

/** An accepted event: when, in milliseconds since 1970, and as it is stored. */
interface Entry {
	key: string;
	at: number;
	text: string;
}

/** What this process knows of a trigger. */
interface Memory {
	/** By event, the oldest first. */
	accepted: Map<string, Entry>;
	/**
	 * All entries as they are stored. One string, because n8n observes each property of an object, which would take
	 * longer than everything here.
	 */
	text: string;
	/** The stored entries that were read last. */
	read: IDataObject[string];
	starting: Map<string, { started: Promise<void>; until: number }>;
}

const memories = new Map<string, Memory>();

export function openAccepted(context: IWebhookFunctions, windowMilliseconds: number): Accepted {
	const now = Date.now();
	const oldest = now - windowMilliseconds;
	const stored = context.getWorkflowStaticData('node');
	const memory = memoryOf(identityOf(context));
	if (stored[MEMORY] !== memory.text && stored[MEMORY] !== memory.read) {
		memory.read = stored[MEMORY];
		add(memory, entriesIn(memory.read), oldest);
	}
	const accept = (keys: string[]) => {
		if (keys.length > 0) add(memory, entriesAt(keys, Date.now()), oldest);
	};
	return {
		has: (key) => (memory.accepted.get(key)?.at ?? 0) > oldest,
		isStarting: (key) => memory.starting.has(key),
		untilStarted: async (keys) =>
			Promise.all(keys.flatMap((key) => memory.starting.get(key)?.started ?? [])),
		accept,
		start: (keys, { webhookResponse, workflowData }) => {
			const end = begin(memory, keys);
			let isAccepted = false;
			onceAnswered(context, (answer) => {
				if (answer === 'rejected') end();
			});
			return {
				workflowData,
				// n8n reads this when it has started the workflow, right before it stores the static data. What was written to that earlier is
				// lost on n8n 2, which makes a second object of it in between. n8n notices a change only by an assignment.
				get webhookResponse(): object {
					if (!isAccepted) accept(keys);
					isAccepted = true;
					stored[MEMORY] = memory.text;
					end();
					return webhookResponse;
				},
			};
		},
	};
}

/** In a test run, or without a time for duplicates, every event is new. */
export const NOTHING_ACCEPTED: Accepted = {
	has: () => false,
	isStarting: () => false,
	untilStarted: async () => Promise.resolve(),
	accept: () => undefined,
	start: (_keys, started) => started,
};

function memoryOf(trigger: string): Memory {
	const memory: Memory = memories.get(trigger) ?? {
		accepted: new Map(),
		text: '',
		read: undefined,
		starting: new Map(),
	};
	memories.set(trigger, memory);
	for (const [key, { until }] of memory.starting)
		if (until <= time.now()) memory.starting.delete(key);
	return memory;
}

/** Notes that a call starts the workflow with these events; returns how to end that. */
function begin({ starting }: Memory, keys: string[]): () => void {
	let settle = (): void => undefined;
	const started = new Promise<void>((resolve) => (settle = resolve));
	const entry = { started, until: time.now() + STARTING_MILLISECONDS };
	for (const key of keys) starting.set(key, entry);
	return () => {
		for (const key of keys) if (starting.get(key) === entry) starting.delete(key);
		settle();
	};
}

/** Keeps the newest events, and of each the latest time. Nearly all entries are known, or newer than all others. */
function add(memory: Memory, entries: Entry[], oldest: number): void {
	const { accepted } = memory;
	for (const entry of entries) {
		const isNewer = entry.at > (accepted.get(entry.key)?.at ?? oldest); // false for a time that cannot be read
		if (!isNewer) continue;
		accepted.delete(entry.key);
		accepted.set(entry.key, entry);
	}
	const all = [...accepted.values()];
	const isInOrder = all.every(({ at }, index) => at >= (all[index - 1]?.at ?? 0));
	if (!isInOrder) {
		accepted.clear();
		for (const entry of all.sort((one, other) => one.at - other.at)) accepted.set(entry.key, entry);
	}
	for (const { key, at } of accepted.values()) {
		if (at > oldest && accepted.size <= MAX_KEPT) break;
		accepted.delete(key);
	}
	memory.text = Array.from(accepted.values(), ({ text }) => text).join(' ');
}

function entriesAt(keys: string[], at: number): Entry[] {
	return keys.map((key) => ({ key, at, text: `${key}.${at.toString(36)}` }));
}

function entriesIn(text: IDataObject[string]): Entry[] {
	if (typeof text !== 'string' || text === '') return [];
	return text.split(' ').map((entry) => {
		const [key = '', at = ''] = entry.split('.');
		return { key, at: parseInt(at, 36), text: entry };
	});
}
