/** The log of requests: what arrived and what became of it. Holds no header value, no token, no query. */
import type { Environment } from '../configuration';
import type { Authorization } from './tokens';

export type Route = 'token' | 'create' | 'get' | 'other';

export interface RequestEntry {
	number: number;
	environment: Environment;
	method: string;
	route: Route;
	path: string;
	/** null while it is under way, and when the connection ended without an answer. */
	status: number | null;
	/** Milliseconds since 1970; `finishedAt` is null while the request is under way. */
	startedAt: number;
	finishedAt: number | null;
	/** What the bearer token was worth when the headers arrived. */
	authorization: Authorization;
	/** What it was worth when the body had arrived; null when nothing depended on it. */
	authorizationAtEnd: Authorization | null;
	clientId?: string;
	contentType: string | null;
	contentLength: number | null;
	transferEncoding: string | null;
	/** Bytes of the body that were read. */
	bodyBytes: number;
	faultApplied?: string;
	executionId?: string;
}

/** Older entries are dropped beyond this number, so that a long run does not fill the memory. */
const MOST_ENTRIES = 200_000;

export class RequestLog {
	private entries: RequestEntry[] = [];
	private last = 0;
	private readonly listeners: Array<(entry: RequestEntry) => void> = [];

	begin(
		entry: Omit<
			RequestEntry,
			'number' | 'status' | 'startedAt' | 'finishedAt' | 'authorizationAtEnd' | 'bodyBytes'
		>,
	): RequestEntry {
		const begun: RequestEntry = {
			number: ++this.last,
			...entry,
			status: null,
			startedAt: Date.now(),
			finishedAt: null,
			authorizationAtEnd: null,
			bodyBytes: 0,
		};
		this.entries.push(begun);
		if (this.entries.length > MOST_ENTRIES) this.entries.splice(0, MOST_ENTRIES / 10);
		return begun;
	}

	/** Notes how a request ended; what comes after the first time is not noted. */
	finish(entry: RequestEntry, status: number | null): void {
		if (entry.finishedAt !== null) return;
		entry.status = status;
		entry.finishedAt = Date.now();
		for (const listener of this.listeners) listener(entry);
	}

	/** Calls `listener` with every request that has ended. */
	onFinished(listener: (entry: RequestEntry) => void): void {
		this.listeners.push(listener);
	}

	/** The entries so far, in the order of arrival. */
	all(): RequestEntry[] {
		return this.entries.map((entry) => ({ ...entry }));
	}

	clear(): void {
		this.entries = [];
		this.last = 0;
	}
}
