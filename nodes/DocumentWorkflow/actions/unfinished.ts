/** Items and errors of waits that ended before their executions had. */
import type { IDataObject } from 'n8n-workflow';

import { isHeld, meaningOfStatus } from '../../../service/status';
import type { Check } from '../../../service/wait';
import { HOUR } from '../connection/time';
import type { StoredWait } from '../pausing/awaited';
import { executionInWords, idsOf } from '../results/items/ids';
import { itemOfInput } from '../results/items/result';
import type { Result, Session } from './operation';
import { failed, placeOf, refused } from './operation';
import type { WaitJob } from './fields/waiting';

/** What an item has of a wait that ended without the result. */
function knownOf({ execution, beside }: WaitJob, ended: StoredWait): IDataObject {
	const { status = 'unknown', since, endedAt = since, checks } = ended;
	// Over all runs of the wait.
	const watchedSeconds = Number(((endedAt - since) / 1000).toFixed(1));
	return { ...idsOf({ ...execution, status }), watchedSeconds, checks, ...beside };
}

/** The item of an execution that goes on only once a person acts in the service. */
export function resultOfHeld({ inputs }: Session, job: WaitJob, ended: StoredWait): Result {
	const { itemIndexes, execution, result } = job;
	const message = `A person must act in the document service, where the status is "${ended.status}". ${executionInWords(execution)}`;
	const advice = 'To get the result afterwards, use Wait for Completion with the executionId';
	const about = { held: true, message, advice, ...knownOf(job, ended), needsReview: true };
	return {
		ok: true,
		items: itemOfInput(inputs, itemIndexes, about, result),
		about,
	};
}

/** The output of a wait that is over before its execution has ended. */
export function resultOfUnfinished(
	session: Session,
	job: WaitJob,
	check: Extract<Check, { kind: 'lost' | 'over' }>,
	ended: StoredWait,
): Result {
	const { itemIndexes, execution, wait, result } = job;
	const place = placeOf(session.context, job);
	const { status, since, until } = ended;
	const { refusal } = check;
	const known = knownOf(job, ended);
	if (check.kind === 'lost') return refused(place, check.refusal, known);
	if (ended.isUnread && refusal !== undefined) {
		const { reply, words } = refusal;
		const advice = `${words.advice}. Use Get Execution to read the result later. ${executionInWords(execution)}`;
		return refused(place, { reply, words: { ...words, advice } }, known);
	}
	const hours = Number(((until - since) / HOUR).toPrecision(3));
	const message = `No result after ${hours} ${hours === 1 ? 'hour' : 'hours'}: ${lastSeen(status)}`;
	const lastCheck = refusal && `Last failed check: ${refusal.words.message}`;
	const advice = [
		"The execution continues in the service. Use Wait for Completion or Get Execution with its ID, or increase 'Maximum Wait (Hours)' under 'Waiting'",
		lastCheck,
		executionInWords(execution),
	]
		.filter(Boolean)
		.join('. ');
	if (wait.ifTimedOut === 'stop') return failed(place, message, advice, known);
	const about = { timedOut: true, message, advice, ...known, needsReview: true };
	const items = itemOfInput(session.inputs, itemIndexes, about, result);
	return { ok: true, items, about };
}

function lastSeen(status: string | undefined): string {
	if (status === undefined) return 'no check of the execution succeeded';
	if (status === 'running') return 'the execution is still running';
	if (isHeld(status)) return `the service waits for a person (status "${status}")`;
	return status === 'unknown' || meaningOfStatus(status) !== undefined
		? `the execution is still running (status "${status}")`
		: `the status "${status}" is unknown to this node`;
}
