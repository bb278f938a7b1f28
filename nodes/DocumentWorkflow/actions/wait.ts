import type { IDataObject } from 'n8n-workflow';

import type { StartedExecution } from '../../../service/contract';
import type { Pause } from '../../../service/http';
import { isHeld, meaningOfStatus } from '../../../service/status';
import { type Check, type Judged, type Wait, watch } from '../../../service/wait';
import { HOUR, time } from '../connection/time';
import { keyOf, readResult, type StoredWait, tell } from '../pausing/awaited';
import { ENGINE_2, SHORTEST_PAUSE, type StoredJob, waitsOf } from '../pausing/pause';
import { outputFields } from '../results/fields';
import { outputOptionsField } from '../results/optionFields';
import { executionInWords, idsOf, linkOf } from '../results/outputs';
import { itemOfInput, resultOf } from '../results/result';
import { executionIdField, readExecutionId, readWorkflowId, workflowField } from './fields/ids';
import { readWaitSettings, waitingField, type WaitSettings } from './fields/waiting';
import type { Result, Operation, Session } from './operation';
import { failed, jobPerItem, placeOf, refused } from './operation';

export const wait: Operation = {
	option: {
		name: 'Wait for Completion',
		value: 'wait',
		description: 'Wait until an execution is finished and return its data',
		action: 'Wait for completion of execution',
	},
	fields: [workflowField, executionIdField, ...outputFields, waitingField, outputOptionsField],
	prepare: async (session) => {
		announceObstacle(session);
		return jobPerItem(session, (itemIndex) => {
			const { context } = session;
			const place = { context, itemIndex };
			const ids = { workflowId: readWorkflowId(place), executionId: readExecutionId(place) };
			const wanted: WaitJob = {
				itemIndexes: [itemIndex],
				execution: { ...ids, status: 'running', ...session.connection.linkTo(ids) },
				...readWaitSettings(place),
				isFresh: false,
				beside: {},
			};
			return async () => waitFor(session, wanted);
		});
	},
};

/** Says before anything is sent that n8n would reject a pause. */
export function announceObstacle({ obstacle, keepsRunning }: Session): void {
	if (obstacle === ENGINE_2) keepsRunning();
}

interface WaitJob extends WaitSettings {
	itemIndexes: number[];
	execution: StartedExecution;
	/** Whether the execution was created just now. */
	isFresh: boolean;
	/** Other output fields, such as the sent documents. */
	beside: IDataObject;
}

/**
 * Waits for an execution: checks it while the node runs, and then leaves its wait open, so that n8n pauses and runs the node again.
 * Where n8n cannot pause, the node keeps checking up to the time limit.
 */
export async function waitFor(session: Session, job: WaitJob): Promise<Result> {
	const { wait, check } =
		session.earlier === undefined
			? await watchWhileRunning(session, job)
			: await readAfterPause(session, job, session.earlier);
	if (check.kind === 'again') return { ok: true, items: [], wait };
	const ended: StoredWait = { ...wait, endedAt: wait.endedAt ?? time.now() };
	const result =
		check.kind !== 'finished'
			? resultOfUnfinished(session, job, check, ended)
			: check.execution.phase === 'running'
				? resultOfHeld(session, job, ended)
				: await resultOf(session, job.itemIndexes, check.execution, job.result, {
						...linkOf(job.execution),
						...job.beside,
					});
	return result.ok ? { ...result, wait: { ...ended, isUnread: false } } : result;
}

function beginWait({ execution, isFresh, wait: { plan, endsWhenHeld } }: WaitJob): StoredWait {
	const { status, ...ids } = execution;
	const now = time.now();
	return {
		...ids,
		...(isFresh ? { known: 'created', status } : {}),
		since: now,
		until: now + plan.timeoutMilliseconds,
		longestMilliseconds: plan.longestMilliseconds,
		checks: 0,
		...(endsWhenHeld ? { endsWhenHeld } : {}),
	};
}

const UNCHECKED: Check = { kind: 'again', refusal: undefined, notBefore: 0, dueBy: Infinity };

async function watchWhileRunning(session: Session, job: WaitJob): Promise<Judged<StoredWait>> {
	const { context, connection, inputs, obstacle } = session;
	const { plan, whileRunningMilliseconds } = job.wait;
	const wait = beginWait(job);
	// The time counts for the run, so that it pauses soon, however many creates there are.
	const pauseAt = session.startedAt + whileRunningMilliseconds;
	// Do not pause if less than one pause is left.
	const pausesInTime = wait.until > Math.max(pauseAt, time.now()) + SHORTEST_PAUSE;
	const pauses = obstacle === undefined && pausesInTime;
	if (pauses && pauseAt <= time.now()) return { wait, check: UNCHECKED };
	const pause: Pause = async (milliseconds) => {
		await connection.pause(milliseconds);
		if (!pauses && pausesInTime && time.now() > pauseAt) session.keepsRunning();
	};
	const watching = {
		...{ send: connection.send, pause, now: time.now, plan, isBatch: inputs.length > 1 },
		pauseAt: pauses ? pauseAt : Infinity,
		tell: (before: Wait, judged: Judged) => tell(context.logger, before, judged),
	};
	return watch(watching, wait);
}

/** What the check after the pause has shown, or else another check. */
async function readAfterPause(
	{ connection, context, reading }: Session,
	job: WaitJob,
	earlier: StoredJob[],
): Promise<Judged<StoredWait>> {
	const begun = beginWait(job);
	const before = waitsOf(earlier).find((each) => keyOf(each) === keyOf(begun)) ?? begun;
	const shown = reading.shown.get(keyOf(before));
	if (shown !== undefined) return { wait: before, check: shown };
	const judged = await readResult(connection, before, reading);
	tell(context.logger, before, judged);
	return judged;
}

/** What an item has of a wait that ended without the result. */
function knownOf({ execution, beside }: WaitJob, ended: StoredWait): IDataObject {
	const { status = 'unknown', since, endedAt = since, checks } = ended;
	// Over all runs of the wait.
	const watchedSeconds = Number(((endedAt - since) / 1000).toFixed(1));
	return { ...idsOf({ ...execution, status }), watchedSeconds, checks, ...beside };
}

/** The item of an execution that goes on only once a person acts in the service. */
function resultOfHeld({ inputs }: Session, job: WaitJob, ended: StoredWait): Result {
	const { itemIndexes, execution, result } = job;
	const message = `A person must act in the document service, where the status is "${ended.status}". ${executionInWords(execution)}`;
	const advice = 'To get the result afterwards, use Wait for Completion with the executionId';
	const about = { held: true, message, advice, ...knownOf(job, ended), needsReview: true };
	return {
		ok: true,
		items: itemOfInput(inputs, itemIndexes, about, result, result.shaping),
		about,
	};
}

/** The output of a wait that is over before its execution has ended. */
function resultOfUnfinished(
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
	const items = itemOfInput(session.inputs, itemIndexes, about, result, result.shaping);
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
