import type { Logger } from 'n8n-workflow';

import { linkInLog } from '../../../service/contract';
import { getExecution, getWithRetries } from '../../../service/executions';
import { NOT_SENT_IN_TIME, type Send } from '../../../service/http';
import { isHeld } from '../../../service/status';
import { refusedSetting } from '../../../service/tokenWords';
import { type Check, judge, type Judged, type Wait } from '../../../service/wait';
import { type Connection, MAX_PARALLEL_CHECKS } from '../connection/connect';
import { MINUTE, SECOND, time } from '../connection/time';

/** What a run after a pause has read. */
export class Reading {
	/** What its checks have shown of waits that have ended. */
	readonly shown = new Map<Wait, Check>();

	/** Since when no result could be read. */
	failingSince: number | undefined;

	/** Nothing more is read in this run. */
	isOver = false;
}

/** n8n waits 30 s for what runs when it is to end, and then breaks it off. */
const SHORT_CHECK = 20 * SECOND;

/** Whether the execution has not ended, or its result was not read. */
export function isPending({ endedAt, isUnread = false }: Wait): boolean {
	return endedAt === undefined || isUnread;
}

/** The waits that neither have ended nor are over. */
export function openWaits(waits: Wait[]): Wait[] {
	return waits.filter(({ endedAt, until }) => endedAt === undefined && until > time.now());
}

/** Checks some waits at a time, up to the first that has not ended, and records in them what it sees. */
export async function checkWaits(
	send: Send,
	logger: Logger,
	waits: Wait[],
	{ shown }: Reading,
): Promise<void> {
	const checkWait = async (wait: Wait) => {
		const { workflowId, executionId, isSlow = false } = wait;
		const limits = isSlow ? {} : { timeoutMilliseconds: SHORT_CHECK };
		const sentAt = time.now();
		const found = await getExecution(send, workflowId, executionId, limits);
		const judged = judge(wait, found, sentAt, time.now());
		tell(logger, wait, judged);
		const isSilent = !found.ok && found.refusal.reply.kind === 'noAnswer';
		Object.assign(wait, judged.wait, { isSlow: isSilent && !isSlow });
		if (wait.endedAt !== undefined) shown.set(wait, judged.check);
	};
	for (let start = 0; start < waits.length; start += MAX_PARALLEL_CHECKS) {
		const some = waits.slice(start, start + MAX_PARALLEL_CHECKS);
		await Promise.all(some.map(checkWait));
		if (openWaits(some).length > 0) return;
	}
}

/** Records that an execution could not be checked, because its credential could not be read. */
export function doubt(wait: Wait, message: string): void {
	const refusal = { words: { message, advice: '' }, reply: refusedSetting(message, '') };
	const judged = judge(wait, { ok: false, refusal }, time.now(), time.now());
	Object.assign(wait, judged.wait, { checks: wait.checks, isSlow: false });
}

/** Reads the result of a wait, unless an earlier one of this run stayed open or the service was silent for a minute. */
export async function readResult(
	{ send, pause }: Pick<Connection, 'send' | 'pause'>,
	before: Wait,
	reading: Reading,
): Promise<Judged> {
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
	return { wait: { ...wait, isUnread: isUnread && wait.endedAt !== undefined }, check };
}

/** Says in n8n's log what a person may have to mend while the wait goes on. */
export function tell(logger: Logger, before: Wait, { wait, check }: Judged): void {
	const { workflowId, executionId, status = '', doubtedSince } = wait;
	const execution = `Execution ${executionId} of workflow ${workflowId}${linkInLog(wait)}`;
	const isNews = before.known !== 'found' || before.status !== status;
	if (wait.known === 'found' && isNews && isHeld(status))
		logger.warn(
			`${execution} has the status "${status}": it goes on once a person acts in the service`,
		);
	const isDoubtful = doubtedSince !== undefined && before.doubtedSince === undefined;
	if (isDoubtful && check.kind === 'again' && check.refusal !== undefined)
		logger.warn(
			`${execution} could not be read, and is checked again: ${check.refusal.words.message}`,
		);
}
