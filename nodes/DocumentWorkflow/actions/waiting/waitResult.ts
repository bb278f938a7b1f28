import type { IDataObject } from 'n8n-workflow';

import type { StartedExecution } from '../../../../service/contract';
import { meaningOfStatus } from '../../../../service/status';
import type { Watched } from '../../../../service/watching';
import { encryptedIn } from '../../documents/sent';
import type { StoredWait } from '../../pausing/awaited';
import { executionInWords, idsOf } from '../../results/outputs';
import { itemOfInput, resultOf } from '../../results/result';
import { HOUR, MINUTE, SECOND } from '../../connection/time';
import { failed, placeOf, refused } from '../operation';
import type { WaitSettings } from '../fields/waiting';
import type { Result, Session } from '../operation';

/** A wait for an execution. */
export interface WaitJob extends WaitSettings {
	itemIndexes: number[];
	execution: StartedExecution;
	/** Whether the execution was created just now. */
	isFresh: boolean;
	/** Other output fields, such as the sent documents. */
	beside: IDataObject;
}

/** The output of a wait that has ended, or is over. */
export async function resultOfWait(
	session: Session,
	job: WaitJob,
	watched: Watched,
	seen: StoredWait,
): Promise<Result> {
	const { itemIndexes, wait, result, beside } = job;
	if (watched.end !== 'finished') return resultOfUnfinished(session, job, watched, seen);
	const { execution } = watched;
	if (execution.phase !== 'failed')
		return resultOf(session, itemIndexes, execution, result, beside);
	const { status, metadata, failureReason } = execution;
	const why = failureReason === '' ? ` (status "${status}")` : `: ${failureReason}`;
	const message = `The service could not process the documents${why.replace(/\.$/, '')}`;
	const cure =
		failureReason === ''
			? 'The service gives no reason. Open the execution in its dashboard'
			: 'Correct the documents or the workflow, then run again';
	const advice = [cure, encryptedIn(beside.documents), executionInWords(job.execution)]
		.filter(Boolean)
		.join('. ');
	const checked = checkedFor(seen);
	if (wait.ifFailed === 'continue') {
		const about = { ...checked, advice, ...beside };
		return {
			...(await resultOf(session, itemIndexes, execution, result, about)),
			hasFailed: true,
		};
	}
	const known = { ...idsOf(execution), metadata, failureReason, ...checked, ...beside };
	return { ...failed(placeOf(session.context, job), message, advice, known), hasFailed: true };
}

function resultOfUnfinished(
	session: Session,
	job: WaitJob,
	watched: Exclude<Watched, { end: 'finished' }>,
	seen: StoredWait,
): Result {
	const { itemIndexes, execution, wait, result, beside } = job;
	const { status } = seen;
	const ids = idsOf({ ...execution, status: status ?? 'unknown' });
	const known = { ...ids, ...checkedFor(seen), ...beside };
	if (watched.end === 'lost') return refused(placeOf(session.context, job), watched.refusal, known);
	if (seen.isUnread && watched.lastRefusal !== undefined) {
		const { reply, words } = watched.lastRefusal;
		const advice = `${words.advice}. Use Get Execution to read the result later. ${executionInWords(execution)}`;
		return refused(placeOf(session.context, job), { reply, words: { ...words, advice } }, known);
	}
	const message = `No result after ${inWords(seen.until - seen.since)}: ${lastSeen(status)}`;
	const lastCheck =
		watched.lastRefusal && `Last failed check: ${watched.lastRefusal.words.message}`;
	const advice = [
		"The execution continues in the service. Use Wait for Completion or Get Execution with its ID, or increase 'Maximum Wait (Hours)' under 'Waiting'",
		lastCheck,
		executionInWords(execution),
	]
		.filter(Boolean)
		.join('. ');
	if (wait.ifTimedOut === 'stop')
		return failed(placeOf(session.context, job), message, advice, known);
	const about = { timedOut: true, message, advice, ...known, needsReview: true };
	const items = itemOfInput(session.inputs, itemIndexes, about, result, result.shaping);
	return { ok: true, items, about };
}

function lastSeen(status: string | undefined): string {
	if (status === undefined) return 'no check of the execution succeeded';
	if (status === 'running') return 'the execution is still running';
	if (meaningOfStatus(status) === 'held')
		return `the service waits for a person (status "${status}")`;
	return status === 'unknown' || meaningOfStatus(status) !== undefined
		? `the execution is still running (status "${status}")`
		: `the status "${status}" is unknown to this node`;
}

/** Over all runs of the wait. */
function checkedFor({ since, endedAt = since, checks }: StoredWait): IDataObject {
	return { watchedSeconds: Number(((endedAt - since) / 1000).toFixed(1)), checks };
}

const UNITS = Object.entries({ hour: HOUR, minute: MINUTE, second: SECOND });

function inWords(milliseconds: number): string {
	const found = UNITS.find(([, least]) => milliseconds >= least);
	const [unit, size] = found ?? ['second', SECOND];
	const count = Number((milliseconds / size).toFixed(1));
	return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}
