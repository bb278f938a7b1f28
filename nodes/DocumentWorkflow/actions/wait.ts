import type { IDataObject } from 'n8n-workflow';

import type { Execution, StartedExecution } from '../../../service/contract';
import type { PollingPlan } from '../../../service/polling';
import type { Watched } from '../../../service/watching';
import { watchExecution } from '../../../service/watching';
import { optionsField, parametersOf } from '../panel/options';
import type { ResultChoice } from '../results/choice';
import { readResultChoice } from '../results/choice';
import { outputFields, shapingOptions } from '../results/fields';
import { inputBeside, resultOf } from '../results/result';
import { idsOf } from '../results/shape';
import { time } from '../time';
import { failed, refused } from './failures';
import { executionIdField, readExecutionId, readWorkflowId, workflowField } from './fields/ids';
import type { WaitChoice } from './fields/waiting';
import { howToWaitField, readWaitChoice, waitingOptions } from './fields/waiting';
import { jobPerItem } from './jobs';
import type { Operation, Result, Session } from './operation';

export const wait: Operation = {
	option: {
		name: 'Wait for Completion',
		value: 'wait',
		description: 'Wait until an execution has ended, and output its data',
		action: 'Wait for completion of execution',
	},
	fields: [
		workflowField,
		executionIdField,
		howToWaitField,
		...outputFields,
		optionsField([...waitingOptions, ...shapingOptions]),
	],
	prepare: async (session) =>
		jobPerItem(session, (itemIndex) => {
			const { context } = session;
			const execution = {
				workflowId: readWorkflowId(context, itemIndex),
				executionId: readExecutionId(context, itemIndex),
				status: 'running',
			};
			const choice = readWaiting(session, itemIndex);
			// n8n counts a retry in its list as another n8n execution than the one that created.
			const leadsBack = context.getMode() !== 'retry';
			return async () =>
				waitFor(session, {
					itemIndexes: [itemIndex],
					execution,
					choice,
					leadsBack,
					isFresh: false,
					beside: {},
				});
		}),
};

export type Waiting = WaitChoice & ResultChoice;

/** @throws NodeOperationError when a time or the minimum confidence is none */
export function readWaiting({ context }: Session, itemIndex: number): Waiting {
	return {
		...readWaitChoice(context, itemIndex),
		...readResultChoice(context.getNode(), parametersOf(context, itemIndex), itemIndex),
	};
}

interface WaitFor {
	itemIndexes: number[];
	execution: StartedExecution;
	choice: Waiting;
	/** Whether a notification of its end can find this n8n execution. */
	leadsBack: boolean;
	/** Whether the execution was created just now. */
	isFresh: boolean;
	/** What else the output tells, such as the documents that were sent. */
	beside: IDataObject;
}

/** Waits for an execution that was started: by looking at it again and again, or by asking for a pause until it has ended. */
export async function waitFor(session: Session, wanted: WaitFor): Promise<Result> {
	if (wanted.choice.how === 'poll') return pollFor(session, wanted);
	return wanted.leadsBack
		? pauseFor(session, wanted)
		: pollFor(session, { ...wanted, choice: inPlaceOfPause(wanted.choice) });
}

/** Where nothing would end the pause n8n looks instead, up to the same limit, after which the item goes on as well. */
function inPlaceOfPause(choice: Waiting): Waiting {
	return {
		...choice,
		plan: { ...choice.plan, timeoutMilliseconds: choice.longestPauseMilliseconds },
		ifTimedOut: 'continue',
	};
}

/** What was created just now is running. Of all else it must be seen before the pause: it may be known to nobody, or have ended already. */
async function pauseFor(session: Session, wanted: WaitFor): Promise<Result> {
	const { execution, isFresh, beside, choice } = wanted;
	const { resumedUntil } = session;
	const until = time.now() + choice.longestPauseMilliseconds;
	const awaits = (seen: StartedExecution): Result => ({
		ok: true,
		items: [{ json: { ...idsOf(seen), ...beside } }],
		awaits: { execution: seen, since: time.now(), look, until },
	});
	const look = async (): Promise<Result> => {
		const seen = await watch(session, wanted, UNTIL_SEEN);
		const watched =
			seen.end === 'timeout' && resumedUntil !== undefined
				? await watch(session, wanted, untilLimit(resumedUntil))
				: seen;
		return watched.end === 'timeout'
			? awaits({ ...execution, status: watched.last?.status ?? execution.status })
			: resultOfWatch(session, wanted, watched);
	};
	return isFresh && resumedUntil === undefined ? awaits(execution) : look();
}

/** How a look before a pause is repeated where it does not succeed; then n8n pauses without having seen the execution. */
const UNTIL_SEEN: PollingPlan = {
	firstMilliseconds: 2_000,
	longestMilliseconds: 5_000,
	timeoutMilliseconds: 60_000,
};

/** What has woken n8n saw that all have ended. Nothing wakes it again, so it looks until it sees that as well. */
function untilLimit(limit: number): PollingPlan {
	return {
		firstMilliseconds: 5_000,
		longestMilliseconds: 60_000,
		timeoutMilliseconds: Math.max(0, limit - time.now()),
	};
}

async function watch(
	{ connection, inputs }: Session,
	{ execution, isFresh }: WaitFor,
	plan: PollingPlan,
): Promise<Watched> {
	const { workflowId, executionId } = execution;
	const { sendLook: send, pause } = connection;
	return watchExecution({
		send,
		pause,
		now: time.now,
		plan,
		workflowId,
		executionId,
		isFresh,
		isBatch: inputs.length > 1,
		untilSeen: plan === UNTIL_SEEN,
	});
}

async function pollFor(session: Session, wanted: WaitFor): Promise<Result> {
	return resultOfWatch(session, wanted, await watch(session, wanted, wanted.choice.plan));
}

async function resultOfWatch(
	session: Session,
	{ itemIndexes, execution: started, choice, isFresh, beside }: WaitFor,
	watched: Watched,
): Promise<Result> {
	const { context } = session;
	const [itemIndex = 0] = itemIndexes;
	const place = { context, itemIndex };
	const { executionId } = started;
	const watchedFor = {
		watchedSeconds: Number((watched.watchedMilliseconds / 1000).toFixed(1)),
		checks: watched.checks,
	};
	if (watched.end !== 'finished') {
		// What was not created just now may be anything until a look has shown it.
		const status = watched.last?.status ?? (isFresh ? started.status : undefined);
		const known = {
			...idsOf({ ...started, status: status ?? 'unknown' }),
			...watchedFor,
			...beside,
		};
		if (watched.end === 'lost') return refused(place, watched.refusal, known);
		const seen =
			status === undefined
				? 'its status is not known, because no look at it succeeded'
				: `its status is "${status}"`;
		const message = `Execution ${executionId} has not ended after ${inWords(choice.plan.timeoutMilliseconds)}; ${seen}`;
		const advice = adviceAfterTimeout(watched, choice);
		if (choice.ifTimedOut === 'continue') {
			const json = {
				...known,
				timedOut: true,
				message,
				advice,
				...inputBeside(session.inputs, itemIndexes, choice),
			};
			return { ok: true, items: [{ json }] };
		}
		return failed(place, message, advice, known);
	}
	const { execution } = watched;
	if (execution.phase !== 'failed')
		return resultOf(session, itemIndexes, execution, choice, beside);
	const advice = adviceAfterFailure(execution);
	if (choice.ifFailed === 'continue')
		return resultOf(session, itemIndexes, execution, choice, { ...watchedFor, advice, ...beside });
	const known = {
		...idsOf(execution),
		metadata: execution.metadata,
		failureReason: execution.failureReason,
		...watchedFor,
		...beside,
	};
	return {
		...failed(
			place,
			`Execution ${executionId} ended with status "${execution.status}"`,
			advice,
			known,
		),
		hasFailed: true,
	};
}

function adviceAfterTimeout(
	{ lastRefusal }: Watched & { end: 'timeout' },
	{ how }: Waiting,
): string {
	const limit = how === 'pause' ? 'Time Limit (Hours)' : 'Timeout (Minutes)';
	const lastLook =
		lastRefusal === undefined
			? ''
			: ` The last look that did not succeed: ${lastRefusal.words.message}.`;
	return `It goes on in the service. Use Wait for Completion or Get with this ID, or raise '${limit}' under Options.${lastLook}`;
}

function adviceAfterFailure({ failureReason }: Execution): string {
	return failureReason === ''
		? 'The service gives no reason. Look at the execution in its dashboard'
		: `The service said: "${failureReason}"`;
}

function inWords(milliseconds: number): string {
	const minutes = Number((milliseconds / 60_000).toFixed(1));
	if (minutes < 1) return `${Math.round(milliseconds / 1000)} seconds`;
	return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
