import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { NodeOperationError, sleep } from 'n8n-workflow';

import type { Time } from '../../../service/http';

/** The clock for waits and their limits. Tests replace its members, so read them only when needed. */
export const time = {
	sleep,
	now: () => Date.now(),
	/** Of this process, in milliseconds. */
	age: () => performance.now(),
} satisfies Time & { age: () => number };

/** In milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** The longest wait that can be set in the panel. */
export const LONGEST_WAIT_HOURS = 720;

/** A signal that aborts when n8n's Stop does, or a time after `begin`. */
export class Deadline {
	private readonly controller = new AbortController();

	readonly signal: AbortSignal = this.controller.signal;

	private late: AbortSignal | undefined;

	constructor(private readonly stopped: AbortSignal | undefined) {
		stopped?.addEventListener('abort', this.end);
		if (stopped?.aborted === true) this.end();
	}

	/** Begins the time, instead of one that has begun before. */
	begin(milliseconds: number): void {
		this.suspend();
		this.late = AbortSignal.timeout(Math.ceil(milliseconds));
		this.late.addEventListener('abort', this.end);
	}

	suspend(): void {
		this.late?.removeEventListener('abort', this.end);
	}

	/** Without this n8n's signal would keep it until the n8n execution ends. */
	close(): void {
		this.suspend();
		this.stopped?.removeEventListener('abort', this.end);
	}

	private readonly end = (): void => this.controller.abort();
}

export type ServiceContext = IExecuteFunctions | IWebhookFunctions;

export const STOPPED = 'The n8n execution was stopped';

/** The signal of n8n's Stop button; a webhook has none. */
export function stopSignal(context: ServiceContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

export function isStopped(context: ServiceContext): boolean {
	return stopSignal(context)?.aborted === true;
}

/** @throws NodeOperationError when the n8n execution was stopped */
export function failIfStopped(context: IExecuteFunctions): void {
	if (isStopped(context)) throw new NodeOperationError(context.getNode(), STOPPED);
}

/** In milliseconds. Meanwhile n8n answers nobody. */
const TURN = 50;

/** After the turns of all long work so far. */
let lastTurn: Promise<void> = Promise.resolve();

/** The age of this process when the first long work of this turn began. All long work shares it: results that arrive together take one turn. */
let begun: number | undefined;

/** Lets other work of n8n go on when long work has taken its turn. */
export async function giveWay(): Promise<void> {
	if (!isTurnOver()) return;
	await (lastTurn = lastTurn.then(async () => sleep(0)));
	begun = undefined;
}

/** Maps rows, and lets other work of n8n go on between them. */
export async function mapRows<Row, T>(
	rows: readonly Row[],
	map: (row: Row, index: number) => T,
): Promise<T[]> {
	const mapped: T[] = [];
	for (const row of rows) {
		if (isTurnOver()) await giveWay();
		mapped.push(map(row, mapped.length));
	}
	return mapped;
}

function isTurnOver(): boolean {
	const now = performance.now();
	if (begun === undefined) {
		begun = now;
		// The turn ends as soon as other work of n8n has had its own.
		void sleep(0).then(() => (begun = undefined));
	}
	return now - begun >= TURN;
}
