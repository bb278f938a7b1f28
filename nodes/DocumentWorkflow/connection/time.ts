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

export type ServiceContext = IExecuteFunctions | IWebhookFunctions;

export const STOPPED = 'The n8n execution was stopped';

/** The signal of n8n's Stop button; a webhook has none. */
function stopSignal(context: ServiceContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

export function isStopped(context: ServiceContext): boolean {
	return stopSignal(context)?.aborted === true;
}

/** @throws NodeOperationError when the n8n execution was stopped */
export function failIfStopped(context: IExecuteFunctions): void {
	if (isStopped(context)) throw new NodeOperationError(context.getNode(), STOPPED);
}

/** How soon a stop is noticed. One timer per wait is cheap: 1,000 waits take 9 ms of CPU a second. */
export const MAX_SLEEP_MILLISECONDS = 500;

/** The end of a run: n8n's Stop, or a reason of its own. */
export class RunEnd {
	/** The signal of n8n's Stop button. */
	readonly stopped: AbortSignal | undefined;

	private ended: string | undefined;

	constructor(private readonly context: ServiceContext) {
		this.stopped = stopSignal(context);
	}

	/** Why the run is over, if it is: nothing more is sent or waited for. */
	reason(): string | undefined {
		return this.stopped?.aborted === true ? STOPPED : this.ended;
	}

	end(reason: string): void {
		this.ended ??= reason;
	}

	/** @throws NodeOperationError when the run is over */
	readonly continueOrThrow = (): void => {
		const reason = this.reason();
		if (reason !== undefined) throw new NodeOperationError(this.context.getNode(), reason);
	};
}

/** In milliseconds. Meanwhile n8n answers nobody. */
const TURN = 50;

/** The turns that long work takes with other work of n8n. All long work shares them: results that arrive together take one turn. */
class Turns {
	/** Ends after the turns of all long work so far. */
	private last: Promise<void> = Promise.resolve();

	/** The age of this process when the first long work of this turn began. */
	private begun: number | undefined;

	isOver(): boolean {
		this.begun ??= this.begin();
		return performance.now() - this.begun >= TURN;
	}

	/** Lets other work of n8n go on. */
	readonly next = async (): Promise<void> => {
		await (this.last = this.last.then(async () => time.sleep(0)));
		this.begun = this.begin();
	};

	private begin(): number {
		// The turn ends as soon as other work of n8n has had its own.
		void time.sleep(0).then(() => (this.begun = undefined));
		return performance.now();
	}
}

export const turns = new Turns();

/** Maps rows, and lets other work of n8n go on between them. */
export async function mapRows<Row, T>(rows: readonly Row[], map: (row: Row, index: number) => T) {
	const mapped: T[] = [];
	// A step may have no rows, and there may be many such steps.
	if (turns.isOver()) await turns.next();
	for (const row of rows) {
		if (turns.isOver()) await turns.next();
		mapped.push(map(row, mapped.length));
	}
	return mapped;
}
