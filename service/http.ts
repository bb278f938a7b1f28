import type { JsonRecord } from './contract';

/** A request to the service, relative to its base address. */
export interface ServiceRequest {
	method: 'GET' | 'POST';
	path: string;
	/** A JSON object, or a FormData-shaped object that is sent as multipart/form-data. */
	body?: JsonRecord | FormDataShaped;
	/** How long the connection may be silent. */
	timeoutMilliseconds: number;
	/** A time, in milliseconds since 1970, after which the request is not to leave any more. */
	notAfter?: number;
}

/**
 * What axios takes for a form: it is sent as multipart/form-data with a Content-Length, each part streamed
 * from `stream()`, which is called each time the request is sent.
 */
export interface FormDataShaped extends Iterable<[string, FormPart]> {
	readonly [Symbol.toStringTag]: 'FormData';
	append(name: string, part: FormPart): void;
	entries(): IterableIterator<[string, FormPart]>;
}

export type FormPart = string | FilePart;

export interface FilePart {
	readonly name: string;
	readonly type: string;
	/** Bytes. */
	readonly size: number;
	stream(): AsyncIterable<Uint8Array>;
}

/** The service, or something in between, answered. */
export interface Answer {
	kind: 'answer';
	status: number;
	/** Names in lower case. */
	headers: Record<string, string>;
	body: unknown;
}

/** No answer arrived: the network, TLS or a time limit came in between. */
export interface NoAnswer {
	kind: 'noAnswer';
	/** Code of Node or axios, for example ECONNREFUSED; empty when there was none. */
	code: string;
}

/** No access token could be had, so nothing was sent. */
export interface NoToken {
	kind: 'noToken';
	message: string;
	advice: string;
	/** Whether a later try may succeed without anybody changing a setting. */
	passing: boolean;
	/** Whether the token endpoint gave no answer at all. */
	unreachable: boolean;
	retryAfterMilliseconds: number | undefined;
}

export type Reply = Answer | NoAnswer | NoToken;

/** Sends a request with the credential's token. Rejects only when nothing more is to be sent: n8n was stopped, or the run is over. */
export type Send = (request: ServiceRequest) => Promise<Reply>;

/** How time passes; in tests it passes faster. */
export interface Time {
	sleep: (milliseconds: number) => Promise<void>;
	/** Milliseconds since 1970. */
	now: () => number;
}

/** Waits; rejects when there is nothing to wait for any more: n8n was stopped, or the run is over. */
export type Pause = (milliseconds: number) => Promise<void>;

export function isSuccess(reply: Reply): reply is Answer {
	return reply.kind === 'answer' && reply.status >= 200 && reply.status < 300;
}
