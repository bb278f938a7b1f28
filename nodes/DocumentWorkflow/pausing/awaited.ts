import type { Logger } from 'n8n-workflow';

import { getExecution, getWithRetries } from '../../../service/executions';
import { NOT_SENT_IN_TIME, type Send } from '../../../service/http';
import { isHeld } from '../../../service/status';
import { refusedSetting } from '../../../service/tokenWords';
import { type Check, judge, type Judged, type Wait } from '../../../service/wait';
import { type Connection, MAX_PARALLEL_CHECKS } from '../connection/connect';
import { MINUTE, SECOND, time } from '../connection/time';

/** A wait as it is stored with a pause. */
export interface StoredWait extends Wait {
	/** The longest interval between checks. */
	longestMilliseconds: number;
	/** When the execution was seen to have ended, or was given up. It is not checked again. */
	endedAt?: number | undefined;
	/** The service was silent when the result was to be read, so the n8n execution pauses once more. */
	isUnread?: boolean;
	/** The last check took too long for a planned restart of n8n, so the next one may take longer. */
	isSlow?: boolean;
}

/** What a run after a pause has read. */
export class Reading {
	/** What its checks have shown of waits that have ended, by `keyOf`. */
	readonly shown = new Map<string, Check>();

	/** Since when no result could be read. */
	failingSince: number | undefined;

	/** Nothing more is read in this run. */
	isOver = false;
}

export function keyOf({ workflowId, executionId }: Wait): string {
	return JSON.stringify([workflowId, executionId]);
}

/** n8n waits 30 s for what runs when it is to end, and then breaks it off. */
const SHORT_CHECK = 20 * SECOND;

/** Whether the execution has not ended, or its result was not read. */
export function isPending({ endedAt, isUnread = false }: StoredWait): boolean {
	return endedAt === undefined || isUnread;
}

/** The waits that neither have ended nor are over. */
export function openWaits(waits: StoredWait[]): StoredWait[] {
	return waits.filter(({ endedAt, until }) => endedAt === undefined && until > time.now());
}

/**
 * Checks some waits at a time, up to the first that has not ended, because all are waited for: a check of many waits usually costs
 * a few requests. Records in them what it sees. Returns when the service may be asked again (0: at any time).
 */
export async function checkWaits(
	send: Send,
	logger: Logger,
	waits: StoredWait[],
	{ shown }: Reading,
): Promise<number> {
	for (let start = 0; start < waits.length; start += MAX_PARALLEL_CHECKS) {
		const some = waits.slice(start, start + MAX_PARALLEL_CHECKS);
		const checks = await Promise.all(some.map(async (wait) => checkWait(send, logger, wait)));
		checks.forEach((check, index) => {
			const wait = some[index];
			if (wait?.endedAt !== undefined) shown.set(keyOf(wait), check);
		});
		if (openWaits(some).length > 0)
			return Math.max(...checks.map((check) => (check.kind === 'again' ? check.notBefore : 0)));
	}
	return 0;
}

async function checkWait(send: Send, logger: Logger, wait: StoredWait): Promise<Check> {
	const { workflowId, executionId, isSlow = false } = wait;
	const limits = isSlow ? {} : { timeoutMilliseconds: SHORT_CHECK };
	const sentAt = time.now();
	const found = await getExecution(send, workflowId, executionId, limits);
	const judged = judge(wait, found, sentAt, time.now());
	tell(logger, wait, judged);
	const isSilent = !found.ok && found.refusal.reply.kind === 'noAnswer';
	record(wait, judged, isSilent && !isSlow);
	return judged.check;
}

/** Records that an execution could not be checked, because its credential could not be read. */
export function doubt(wait: StoredWait, message: string): void {
	const { checks } = wait;
	const refusal = { words: { message, advice: '' }, reply: refusedSetting(message, '') };
	const now = time.now();
	const judged = judge(wait, { ok: false, refusal }, now, now);
	record(wait, { ...judged, wait: { ...judged.wait, checks } }, false);
}

function record(wait: StoredWait, { wait: seen, check }: Judged, isSlow: boolean): void {
	Object.assign(wait, seen, { isSlow });
	if (check.kind === 'finished' || check.kind === 'lost') wait.endedAt = time.now();
}

/**
 * Reads the result of a wait that had ended before this run, or checks a wait for the last time. When a result stays open, n8n pauses again,
 * so the others need not be read; and none is when the service was silent for a minute.
 */
export async function readResult(
	{ send, pause }: Pick<Connection, 'send' | 'pause'>,
	before: StoredWait,
	reading: Reading,
): Promise<Judged<StoredWait>> {
	const { workflowId, executionId } = before;
	const sentAt = time.now();
	const found = reading.isOver
		? await getExecution(async () => Promise.resolve(NOT_SENT_IN_TIME), workflowId, executionId)
		: await getWithRetries({ send, pause, now: time.now }, workflowId, executionId);
	const { wait, check } = judge(before, found, sentAt, time.now());
	const isUnread = !found.ok && check.kind !== 'lost';
	reading.failingSince = isUnread ? (reading.failingSince ?? sentAt) : undefined;
	const isSilent = time.now() - (reading.failingSince ?? Infinity) >= MINUTE;
	reading.isOver ||= isSilent || (isUnread && check.kind === 'again');
	const endedAt = found.ok && check.kind !== 'finished' ? undefined : before.endedAt;
	return { wait: { ...wait, endedAt, isUnread: isUnread && endedAt !== undefined }, check };
}

/** Says in n8n's log what a person may have to mend while the wait goes on. */
export function tell(logger: Logger, before: Wait, { wait, check }: Judged): void {
	const { workflowId, executionId, executionUrl, status = '' } = wait;
	const link = executionUrl === undefined ? '' : ` (${executionUrl})`;
	const execution = `Execution ${executionId} of workflow ${workflowId}${link}`;
	const isNews = before.known !== 'found' || before.status !== status;
	if (wait.known === 'found' && isNews && isHeld(status))
		logger.warn(
			`${execution} has the status "${status}": it goes on once a person acts in the service`,
		);
	const isDoubtful = wait.doubtedSince !== undefined && before.doubtedSince === undefined;
	if (isDoubtful && check.kind === 'again' && check.refusal !== undefined)
		logger.warn(
			`${execution} could not be read, and is checked again: ${check.refusal.words.message}`,
		);
}
