/** The log of requests and their outcomes. It holds no header values, tokens or queries. */
import type { Environment } from '../configuration';
import type { Authorization } from './tokens';

export type Route = 'token' | 'create' | 'get' | 'other';

export interface RequestEntry {
	number: number;
	environment: Environment;
	method: string;
	route: Route;
	path: string;
	/** null while it is in progress, and when the connection ended without an answer. */
	status: number | null;
	/** Milliseconds since 1970; `finishedAt` is null while the request is in progress. */
	startedAt: number;
	finishedAt: number | null;
	/** State of the bearer token when the headers arrived. */
	authorization: Authorization;
	/** Its state when the body had arrived; null when it was not checked again. */
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

/** Beyond this number the oldest entries are deleted, so that a long run does not fill the memory. */
const MOST_ENTRIES = 200_000;

export class RequestLog {
	private entries: RequestEntry[] = [];
	private last = 0;
	private readonly listeners: Array<(entry: RequestEntry) => void> = [];

	constructor(private readonly now: () => number) {}

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
			startedAt: this.now(),
			finishedAt: null,
			authorizationAtEnd: null,
			bodyBytes: 0,
		};
		this.entries.push(begun);
		if (this.entries.length > MOST_ENTRIES) this.entries.splice(0, MOST_ENTRIES / 10);
		return begun;
	}

	/** Logs how a request ended. Only the first call counts. */
	finish(entry: RequestEntry, status: number | null): void {
		if (entry.finishedAt !== null) return;
		entry.status = status;
		entry.finishedAt = this.now();
		for (const listener of this.listeners) listener(entry);
	}

	/** Calls `listener` for every request that ends. */
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
