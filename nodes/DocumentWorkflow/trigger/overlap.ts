/**
 * A caller that gives up and calls again does not end its earlier call: n8n goes on with it. So overlapping calls handle each event once,
 * and what was read for a call that got 503 is kept for the next one. May be lost at any time.
 */
import { createHash } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import { time } from '../time';
import { identityOf } from '../webhook';
import type { Handled } from './handle';

/** How long a call may wait for work of another call. Then the caller may have given up. */
const MAX_JOINED_MILLISECONDS = 20_000;

const KEPT_MILLISECONDS = 120_000;
const MAX_KEPT = 1_000;

/** Characters of all kept items as JSON. */
const MAX_KEPT_CHARACTERS = 20_000_000;

interface Kept {
	handled: Extract<Handled, { kind: 'start' }>;
	/** Milliseconds since 1970. */
	until: number;
	characters: number;
}

/** Until the call that began the work has ended. */
const underWay = new Map<string, Promise<Handled>>();

/** The oldest first. */
const kept = new Map<string, Kept>();

/** The events of one call. */
export interface Overlap {
	/** The outcome of an event: one that is kept, one that another call is working on, or that of `work`. */
	handle: (key: string, work: () => Promise<Handled>) => Promise<Handled>;
	/** Resolves when this call has waited for others for long enough. */
	patience: () => Promise<Handled>;
	isImpatient: () => boolean;
	/** Ends the work of this call. Where the service has to call again, what is to start the workflow is kept for that. */
	end: (isLater: boolean) => void;
}

export function openOverlap(context: IWebhookFunctions): Overlap {
	const place = placeOf(context);
	const begun = new Map<string, Handled | undefined>();
	const used: string[] = [];
	let impatient: Promise<Handled> | undefined;
	let isImpatient = false;
	const wait = async (): Promise<Handled> => {
		await time.sleep(MAX_JOINED_MILLISECONDS);
		isImpatient = true;
		return { kind: 'later' };
	};
	const patience = async () => (impatient ??= wait());
	const begin = async (key: string, work: () => Promise<Handled>) => {
		const handled = await work();
		begun.set(key, handled);
		return handled;
	};
	forgetOld();
	return {
		patience,
		isImpatient: () => isImpatient,
		handle: async (key, work) => {
			const earlier = kept.get(place + key);
			if (earlier !== undefined) {
				used.push(key);
				return earlier.handled;
			}
			const joined = underWay.get(place + key);
			if (joined !== undefined) return Promise.race([joined, patience()]);
			begun.set(key, undefined);
			const handled = begin(key, work);
			underWay.set(place + key, handled);
			return handled;
		},
		end: (isLater) => {
			if (!isLater) for (const key of used) kept.delete(place + key);
			for (const [key, handled] of begun) {
				underWay.delete(place + key);
				if (isLater && handled?.kind === 'start') keep(place + key, handled);
			}
			forgetOld();
		},
	};
}

/** A call of which each event is new. */
export const ALONE: Overlap = {
	handle: async (_key, work) => work(),
	patience: async () => Promise.resolve({ kind: 'later' }),
	isImpatient: () => true,
	end: () => undefined,
};

function keep(place: string, handled: Kept['handled']): void {
	const characters = JSON.stringify(handled.items).length;
	kept.set(place, { handled, until: time.now() + KEPT_MILLISECONDS, characters });
}

/** Other settings of the trigger make other items. */
function placeOf(context: IWebhookFunctions): string {
	const { parameters, credentials } = context.getNode();
	const settings = createHash('sha256').update(JSON.stringify([parameters, credentials]));
	return `${identityOf(context)} ${settings.digest('base64url')} `;
}

function forgetOld(): void {
	let characters = 0;
	for (const entry of kept.values()) characters += entry.characters;
	for (const [place, entry] of kept) {
		const isTooMuch = kept.size > MAX_KEPT || characters > MAX_KEPT_CHARACTERS;
		if (!isTooMuch && entry.until > time.now()) return;
		kept.delete(place);
		characters -= entry.characters;
	}
}
