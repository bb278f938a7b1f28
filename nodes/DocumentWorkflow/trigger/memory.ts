/** What this process remembers of triggers: to start no n8n workflow twice, and to answer many calls at once. n8n stores only the accepted events. */
import type { Authentication } from '../../../credentials/webhook/method';

/** A call that has events in hand. */
export interface Hand {
	/** Resolves when the call has accepted its events, or does not. */
	ended: Promise<void>;
	/** In milliseconds since 1970. */
	until: number;
	/** Whether n8n could not start the workflow. */
	isRejected: () => boolean;
}

/** All events that this process has accepted or loaded: n8n keeps only what the last of simultaneous calls stores. */
export interface Memory {
	/** By event, in milliseconds since 1970. */
	accepted: Map<string, number>;
	/** As it is stored: one string, because n8n observes each property of an object, which would take longer than everything here. */
	text: string;
	inHand: Map<string, Hand>;
}

/** By trigger. */
export const memories = new Map<string, Memory>();

/** The settings with which the calls of a trigger are authenticated. */
export interface CallSettings {
	credentialId: string | null | undefined;
	/** In milliseconds since 1970. */
	readAt: number;
	/** Undefined when they cannot be read or used. */
	authentication: Promise<Authentication | undefined>;
	/** Why calls were rejected, and when n8n's log said so. */
	said: { what: string; at: number } | undefined;
}

/** By trigger. */
export const callSettings = new Map<string, CallSettings>();

/** The calls that are not answered yet, of all triggers. */
export const callsInHand = new Set<object>();
