import type { JsonRecord } from './contract';
import { hasMoreValues, isObject, parseJson } from './json';

/** Limit for answers that are short, and for the body of an error. */
const SHORT_ANSWER_BYTES = 1_000_000;

/** Of an answer. With one row of so many fields n8n 2 grows by 600 MB. */
const MAX_VALUES = 500_000;

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

/** In milliseconds; undefined when absent or unreadable. */
export function retryAfterOf(reply: Reply, now: number): number | undefined {
	if (reply.kind === 'noToken') return reply.retryAfterMilliseconds;
	if (reply.kind === 'noAnswer') return undefined;
	const text = (reply.headers['retry-after'] ?? '').trim();
	const date = HTTP_DATE.test(text) ? Date.parse(text) : NaN;
	const asked = SECONDS.test(text) ? Math.ceil(Number(text) * 1000) : Math.max(0, date - now);
	return Number.isNaN(asked) ? undefined : Math.min(asked, LONGEST_RETRY_AFTER_MILLISECONDS);
}

/** An error and its nested causes. */
const MAX_CAUSES = 6;

/** Of an answer that breaks off, in characters. */
const MAX_RECEIVED = 10_000;

/** For `readAnswer`, which bounds an answer. Every status is a response, because n8n's errors lose headers and answers. */
export const STREAMED = {
	encoding: 'stream',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
} as const;

/** The result of the work, or `instead` when the signal aborts before. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>, instead: T) {
	let giveUp = (): void => undefined;
	const aborted = new Promise<T>((resolve) => (giveUp = () => resolve(instead)));
	signal.addEventListener('abort', giveUp);
	if (signal.aborted) giveUp();
	try {
		return await Promise.race([work, aborted]);
	} finally {
		signal.removeEventListener('abort', giveUp);
	}
}

/**
 * Reads a response to a `STREAMED` request. Its body is the parsed JSON, or the text when it is no JSON. Other work goes on in
 * `between`, before and after a long answer is read.
 */
export async function readAnswer(
	response: unknown,
	maxAnswerBytes = SHORT_ANSWER_BYTES,
	between = async (): Promise<void> => undefined,
): Promise<Answer | NoAnswer> {
	const answer = answerOf(response);
	// Where n8n simulates requests, the body is there already.
	if (!isStream(answer.body)) return answer;
	const most = isSuccess(answer) ? maxAnswerBytes : SHORT_ANSWER_BYTES;
	const { bytes, brokenOff } = await readBytes(answer.body, most);
	const isLong = bytes.length > SHORT_ANSWER_BYTES;
	if (isLong) await between();
	const text = decodeText(bytes, answer.headers['content-type']);
	const json = text ?? '';
	const end = brokenOff ?? (hasMoreValues(json, MAX_VALUES) ? TOO_MUCH : undefined);
	// For errors the status is enough.
	if (end === undefined || !isSuccess(answer)) {
		const body = parseJson(json) ?? text ?? bytes.toString();
		if (isLong) await between();
		return { ...answer, body };
	}
	return { ...end, received: bytes.toString('utf8', 0, 4 * MAX_RECEIVED).slice(0, MAX_RECEIVED) };
}

function isStream(body: unknown): body is AsyncIterable<Buffer> {
	return isObject(body) && Symbol.asyncIterator in body;
}

/** The text in the declared character set, or in UTF-8; undefined where the bytes are no text in it. */
function decodeText(bytes: Buffer, contentType = ''): string | undefined {
	const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(contentType) ?? [];
	try {
		return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

const TOO_MUCH: NoAnswer = { kind: 'noAnswer', code: TOO_LARGE };

/** `brokenOff`: why the bytes are not complete. */
async function readBytes(body: AsyncIterable<Buffer>, maxBytes: number) {
	const chunks: Buffer[] = [];
	const read = (brokenOff?: NoAnswer) => ({ bytes: Buffer.concat(chunks), brokenOff });
	let length = 0;
	try {
		for await (const chunk of body) {
			chunks.push(chunk);
			length += chunk.length;
			if (length > maxBytes) return read(TOO_MUCH);
		}
		return read();
	} catch (error) {
		return read(silenceOf(error));
	}
}

/** Reads a full response of n8n's HTTP helpers (`returnFullResponse`). */
export function answerOf(response: unknown): Answer {
	const given = Object.entries(Object(property(response, 'headers')) as object);
	const headers = given.map(([name, value]) => [name.toLowerCase(), String(value)] as const);
	return {
		kind: 'answer',
		status: Number(property(response, 'statusCode')),
		headers: Object.fromEntries(headers),
		body: property(response, 'body'),
	};
}

/** Reads an error of n8n's HTTP helpers, which keep the error code as `httpCode`, or the original error as cause. */
export function silenceOf(error: unknown): NoAnswer {
	const chain = [error];
	// A host with several addresses has an error for each.
	const within = (each: unknown) =>
		property(each, 'cause') ?? property(property(each, 'errors'), '0');
	while (chain.length < MAX_CAUSES) chain.push(within(chain.at(-1)));
	const codes = chain.flatMap((each) => [property(each, 'code'), property(each, 'httpCode')]);
	// For a truncated answer this is the status, not an error code.
	const isCode = (each: unknown): each is string => typeof each === 'string' && !/^\d*$/.test(each);
	const peers = chain.flatMap((each) => [property(each, 'hostname'), property(each, 'port')]);
	const peer = peers.find((each) => typeof each === 'string' || typeof each === 'number');
	return { kind: 'noAnswer', code: codes.find(isCode) ?? '', peer };
}

/** Also reads properties that are not enumerable, such as `cause`. */
function property(value: unknown, name: string): unknown {
	return Reflect.get(Object(value) as object, name);
}
