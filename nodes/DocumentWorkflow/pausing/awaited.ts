import type { Logger } from 'n8n-workflow';

import { describeExecution, getExecution, getWithRetries } from '../../../service/executions';
import { NOT_SENT_IN_TIME, type Send } from '../../../service/http';
import { isHeld } from '../../../service/status';
import { type Check, judgeReply, type Progress, type Wait } from '../../../service/wait';
import { type Connection, MAX_PARALLEL_CHECKS } from '../connection/connect';
import { MINUTE, SECOND, time } from '../connection/time';

/** What a run after a pause has found out. */
export class Findings {
	/** What its checks have shown of waits that have ended. */
	readonly shown = new Map<Wait, Check>();

	/** Since when no result could be read; Infinity where the last could. */
	failingSince = Infinity;

	/** Nothing more is read in this run. */
	isOver = false;
}

/** n8n waits 30 s for what runs when it is to end, and then breaks it off. */
const SHORT_CHECK = 20 * SECOND;

/** The waits that neither have ended nor are over. */
export function openWaits(waits: Wait[]): Wait[] {
	return waits.filter(({ endedAt, until }) => endedAt === undefined && until > time.now());
}

/** Checks some waits at a time, up to the first of which is certain that it has not ended, and records in them what it sees. */
export async function checkWaits(send: Send, logger: Logger, waits: Wait[], { shown }: Findings) {
	const checkWait = async (wait: Wait) => {
		const { isSlow = false } = wait;
		const limits = isSlow ? {} : { timeoutMilliseconds: SHORT_CHECK };
		const sentAt = time.now();
		const found = await getExecution(send, wait, limits);
		const progress = judgeReply(wait, found, sentAt, time.now());
		logProgress(logger, wait, progress);
		const isSilent = !found.ok && found.refusal.reply.kind === 'noAnswer';
		Object.assign(wait, progress.wait, { isSlow: isSilent && !isSlow });
		if (wait.endedAt !== undefined) shown.set(wait, progress.check);
	};
	for (let start = 0; start < waits.length; start += MAX_PARALLEL_CHECKS) {
		const some = waits.slice(start, start + MAX_PARALLEL_CHECKS);
		await Promise.all(some.map(checkWait));
		if (openWaits(some).some(({ doubtedSince }) => doubtedSince === undefined)) return;
	}
}

/**
 * Returns what the checks of this run have shown of a wait, or else reads its result: once a result cannot be read and
 * there is time left, n8n pauses once more anyway, so no other is read. At the time limit all are, until the service has
 * been silent for a minute.
 */
export async function readResult(
	{ send, pause }: Pick<Connection, 'send' | 'pause'>,
	logger: Logger,
	before: Wait,
	findings: Findings,
): Promise<Progress> {
	const shown = findings.shown.get(before);
	if (shown !== undefined) return { wait: before, check: shown };
	const sentAt = time.now();
	const found = findings.isOver
		? await getExecution(async () => Promise.resolve(NOT_SENT_IN_TIME), before)
		: await getWithRetries({ send, pause, now: time.now }, before);
	const progress = judgeReply(before, found, sentAt, time.now());
	const { kind } = progress.check;
	const isRead = found.ok || kind === 'lost';
	findings.failingSince = isRead ? Infinity : Math.min(findings.failingSince, sentAt);
	const isSilent = time.now() - findings.failingSince >= MINUTE;
	findings.isOver ||= isSilent || (!isRead && kind === 'again');
	logProgress(logger, before, progress);
	return progress;
}

/** Says in n8n's log what a person may have to mend while the wait goes on. */
export function logProgress(logger: Logger, before: Wait, { wait, check }: Progress): void {
	const execution = describeExecution(wait);
	const { status, doubtedSince } = wait;
	const isNews = before.known !== 'found' || before.status !== status;
	if (wait.known === 'found' && isNews && isHeld(status))
		logger.warn(
			`${execution} has the status "${status}": it goes on once a person acts in the service`,
		);
	const isDoubtful = doubtedSince !== undefined && before.doubtedSince === undefined;
	if (isDoubtful && check.kind === 'again')
		logger.warn(
			`${execution} could not be read, and is checked again: ${check.refusal?.fault.message}`,
		);
}
