/** Faults on demand: which requests they apply to, and what happens to these. */
import { setMaxListeners } from 'node:events';
import { z } from 'zod';
import { check } from '../configuration';
import type { Route } from './requests';

const count = z.number().int().positive();

/** The service carries the request out, and this answer takes the place of its own: a gateway in between has failed. */
const carriedOut = z.boolean().optional();

const action = z.discriminatedUnion('type', [
	z
		.object({
			type: z.literal('status'),
			status: z.number().int().min(200).max(599),
			body: z.unknown().optional(),
			headers: z.record(z.string()).optional(),
			/** Seconds, any text, or an HTTP date so many seconds after the answer. */
			retryAfter: z
				.union([z.number(), z.string(), z.object({ dateInSeconds: z.number() }).strict()])
				.optional(),
			carriedOut,
		})
		.strict(),
	/** Waits, then continues as usual. */
	z.object({ type: z.literal('delay'), milliseconds: z.number().min(0) }).strict(),
	/** Ends the connection: before the body is read, after a part of it, or after the request was handled. */
	z
		.object({
			type: z.literal('reset'),
			when: z.enum(['before', 'during', 'after']),
			afterBytes: count.optional(),
		})
		.strict(),
	/** Handles the request, announces more bytes than it sends, and ends the connection: by default after the last byte. */
	z.object({ type: z.literal('truncated'), afterBytes: count.optional() }).strict(),
	/** Handles the request, sends the beginning of the answer, and then a space at a time without an end. */
	z
		.object({
			type: z.literal('drip'),
			milliseconds: count.optional(),
			afterBytes: z.number().int().min(0).optional(),
		})
		.strict(),
	/** Handles the request, and appends this much white space to the answer, compressed. */
	z.object({ type: z.literal('gzipBomb'), megabytes: count }).strict(),
	z
		.object({
			type: z.literal('notJson'),
			body: z.string().optional(),
			contentType: z.string().optional(),
			carriedOut,
		})
		.strict(),
	z
		.object({
			type: z.literal('redirect'),
			location: z.string().min(1),
			status: z.number().int().min(300).max(399).optional(),
			carriedOut,
		})
		.strict(),
	/** Revokes the caller's token once this many bytes of the body have arrived; the answer at its end is 401. */
	z.object({ type: z.literal('revokeTokenDuringUpload'), afterBytes: count }).strict(),
]);

const fault = z
	.object({
		route: z.enum(['token', 'create', 'get', 'other', 'any']),
		workflowId: z.string().optional(),
		/** Requests are counted per fault, from 1, since it was added. */
		requests: z
			.object({ from: count.optional(), to: count.optional(), every: count.optional() })
			.strict()
			.optional(),
		/** Maximum number of requests that it applies to. */
		times: count.optional(),
		action,
	})
	.strict();

export type FaultAction = z.infer<typeof action>;
export type Fault = z.infer<typeof fault>;
export type FinalAction = Exclude<FaultAction, { type: 'delay' }>;

export interface AddedFault extends Fault {
	faultId: number;
	/** Requests that fit its route and workflow. */
	seen: number;
	/** Requests that it was applied to. */
	applied: number;
}

export interface DueFaults {
	/** One after the other; each ends early when its fault is removed. */
	delays: Array<{ milliseconds: number; removed: AbortSignal }>;
	action?: FinalAction;
}

export class Faults {
	private faults: AddedFault[] = [];
	private readonly removals = new Map<number, AbortController>();
	private last = 0;

	/** Adds a fault; raises a ConfigurationError that names each wrong field. */
	add(given: Fault): AddedFault {
		const added = {
			...check(fault, given, 'The fault'),
			faultId: ++this.last,
			seen: 0,
			applied: 0,
		};
		this.faults.push(added);
		const removal = new AbortController();
		setMaxListeners(Infinity, removal.signal); // each request that it delays listens
		this.removals.set(added.faultId, removal);
		return { ...added };
	}

	all(): AddedFault[] {
		return this.faults.map((entry) => ({ ...entry }));
	}

	/** Removes one fault, or all, and answers the requests that it delays. Returns how many. */
	clear(faultId?: number): number {
		const removed = this.faults.filter(
			(entry) => faultId === undefined || entry.faultId === faultId,
		);
		this.faults = this.faults.filter((entry) => !removed.includes(entry));
		for (const entry of removed) {
			this.removals.get(entry.faultId)?.abort();
			this.removals.delete(entry.faultId);
		}
		return removed.length;
	}

	/** The actions for this request: all delays that are due, and the first other action that is due. */
	next(request: { route: Route; workflowId: string | undefined }): DueFaults {
		const due: DueFaults = { delays: [] };
		for (const entry of this.faults.filter((candidate) => concerns(candidate, request))) {
			entry.seen++;
			if (!isDue(entry) || (entry.action.type !== 'delay' && due.action)) continue;
			entry.applied++;
			const { action: given, faultId } = entry;
			const removal = this.removals.get(faultId);
			if (given.type !== 'delay') due.action = given;
			else if (removal) due.delays.push({ ...given, removed: removal.signal });
		}
		return due;
	}
}

function concerns(
	entry: Fault,
	request: { route: Route; workflowId: string | undefined },
): boolean {
	return (
		(entry.route === 'any' || entry.route === request.route) &&
		(entry.workflowId === undefined || entry.workflowId === request.workflowId)
	);
}

function isDue({ requests = {}, times = Infinity, seen, applied }: AddedFault): boolean {
	const { from = 1, to = Infinity, every = 1 } = requests;
	return applied < times && seen >= from && seen <= to && (seen - from) % every === 0;
}
