import type { JsonRecord } from './contract';

/** Limit for answers that are short, and for the body of an error. */
export const SHORT_ANSWER_BYTES = 1_000_000;

/** What requests are for. How a request is sent and what its failure means follow from its kind. */
export const KINDS = {
	/** Starts an execution. Its answer is slow where the service reads all documents first, and needs only the new ID. */
	create: { method: 'POST', timeoutMilliseconds: 5 * 60_000, maxAnswerBytes: SHORT_ANSWER_BYTES },
	/** Reads an execution. It changes nothing, so it can always be sent again. */
	check: { method: 'GET', timeoutMilliseconds: 60_000, maxAnswerBytes: 100_000_000 },
} as const;

export type RequestKind = keyof typeof KINDS;

/** A request to the service, relative to its base address. */
export interface ServiceRequest {
	kind: RequestKind;
	path: string;
	/** Sent as JSON, or as multipart/form-data when it is FormData-shaped. */
	body?: JsonRecord | JsonShaped | FormDataShaped;
	/** How long the connection may be idle. */
	timeoutMilliseconds: number;
	/** The request is not sent after this time, in milliseconds since 1970. */
	notAfter?: number;
	record?: CreateRecord | undefined;
}

/** Where a create is recorded, so that a later try does not send it again. */
export interface CreateRecord {
	sent: () => void;
	refused: () => void;
}

export interface JsonShaped {
	toJSON(): JsonRecord;
}

/** What axios recognizes as a form. It calls `stream()` of each part in every attempt, between `begin` and `end`. */
export interface FormDataShaped extends Iterable<[string, FormPart]> {
	readonly [Symbol.toStringTag]: 'FormData';
	append(name: string, part: FormPart): void;
	entries(): IterableIterator<[string, FormPart]>;
	/** `whenComplete` is called when the last byte of the attempt has been handed over. */
	begin(whenComplete: () => void): void;
	/** Hands over nothing more. Returns whether the whole body had been handed over. */
	end(): boolean;
}

export type FormPart = string | FilePart;

export interface FilePart {
	readonly name: string;
	readonly type: string;
	readonly size: number;
	stream(): AsyncIterable<Uint8Array>;
}

interface RequestFacts {
	/** The body did not leave completely, so the request cannot have started anything. */
	isIncomplete?: true;
	/** Values that were sent with the request and are masked wherever the answer is quoted. */
	secrets?: readonly string[];
}

/** The service answered, or a proxy in between. */
export interface Answer extends RequestFacts {
	kind: 'answer';
	status: number;
	/** By name in lower case. */
	headers: Record<string, string>;
	body: unknown;
}

/** No answer arrived, because of the network, TLS or a time limit. */
export interface NoAnswer extends RequestFacts {
	kind: 'noAnswer';
	/** Error code of Node or axios, such as ECONNREFUSED; empty when there was none. */
	code: string;
	/** That of the service. */
	baseUrl?: string;
	/** The host name or port that could not be reached, where n8n tells it. */
	peer?: string | number | undefined;
	/** The beginning of an answer that broke off or is too large, if its status was a success. */
	received?: string;
}

export const TOO_LARGE = 'ANSWER_TOO_LARGE';

/** The reply to a request that was not answered in time. The code is that of a timeout of axios. */
export const NO_ANSWER_IN_TIME: NoAnswer = { kind: 'noAnswer', code: 'ECONNABORTED' };

export const NOT_SENT_IN_TIME: NoAnswer = { kind: 'noAnswer', code: 'NOT_SENT_IN_TIME' };

/** What went wrong, for a person: what happened, and what to do. */
export interface Fault {
	message: string;
	advice: string;
}

/** Nothing was sent, because there is no access token. */
export interface NoToken extends Fault {
	kind: 'noToken';
	/** Whether a later try may succeed with the same settings. */
	passing: boolean;
	/** What the token endpoint did, apart from refusing: a server error, no answer at all, or none within its time limit. */
	endpoint?: 'failed' | 'silent' | 'late' | undefined;
	retryAfterMilliseconds?: number | undefined;
}

export type Reply = Answer | NoAnswer | NoToken;

/** Sends a request with an access token. Rejects only when the run is over or was stopped. */
export type Send = (request: ServiceRequest) => Promise<Reply>;

export interface Time {
	sleep: (milliseconds: number) => Promise<void>;
	/** Milliseconds since 1970. */
	now: () => number;
}

/** Waits. Rejects when the run is over or was stopped. */
export type Pause = (milliseconds: number) => Promise<void>;

export function isSuccess(reply: Reply): reply is Answer {
	return reply.kind === 'answer' && reply.status >= 200 && reply.status < 300;
}

export function hasStatus(reply: Reply, status: number): boolean {
	return reply.kind === 'answer' && reply.status === status;
}

/** Whether the service accepted a create, even if its answer broke off. */
export function isAccepted(reply: Reply): boolean {
	return isSuccess(reply) || (reply.kind === 'noAnswer' && reply.received !== undefined);
}

/** A longer Retry-After is not waited for. */
export const MAX_RETRY_AFTER_MILLISECONDS = 5 * 60_000;

/** Longer Retry-After values are capped to this. */
const LONGEST_RETRY_AFTER_MILLISECONDS = 24 * 60 * 60_000;

const SECONDS = /^\d+(?:\.\d+)?(?:e\+?\d+)?$/i;

/** All three forms of an HTTP date start like this. `Date.parse` alone accepts almost any text with a number. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;

const httpDateOf = (text = '') => (HTTP_DATE.test(text) ? Date.parse(text) : NaN);

/** In milliseconds; undefined when absent or unreadable. */
export function retryAfterOf(reply: Reply, now: number): number | undefined {
	if (reply.kind === 'noToken') return reply.retryAfterMilliseconds;
	if (reply.kind === 'noAnswer') return undefined;
	const text = (reply.headers['retry-after'] ?? '').trim();
	// By the clock of the service, where it says its time: that of n8n may be wrong.
	const from = httpDateOf(reply.headers.date) || now;
	const asked = SECONDS.test(text)
		? Math.ceil(Number(text) * 1000)
		: Math.max(0, httpDateOf(text) - from);
	return Number.isNaN(asked) ? undefined : Math.min(asked, LONGEST_RETRY_AFTER_MILLISECONDS);
}
