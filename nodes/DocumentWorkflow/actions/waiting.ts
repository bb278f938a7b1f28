/** Waits for executions: while the node runs, and after a pause. The story is at the top of ../pausing/pause.ts. */
import { describeExecution } from '../../../service/executions';
import { PHASES, readMeaning } from '../../../service/status';
import { type Check, type Progress, type Wait, watch } from '../../../service/wait';
import { HOUR, time } from '../connection/time';
import { logProgress, readResult } from '../pausing/awaited';
import { SHORTEST_PAUSE, waitsOf } from '../pausing/pause';
import { type About, executionKey, idsOf } from '../about';
import { itemOfInput, resultOf } from '../results/items/result';
import { describeHeld, describeOpen } from '../results/words/toReview';
import type { WaitJob } from './fields/waiting';
import { failed, placeOf, refused, type Result, type Session } from './operation';

/** Checks an execution while the node runs, and then leaves its wait open, so that n8n pauses if it can. */
export async function waitFor(session: Session, job: WaitJob): Promise<Result> {
	const { connection, context, pause } = session;
	const begun = beginWait(job);
	const isSame = (other: Wait) => executionKey(other) === executionKey(begun);
	const { earlier, findings } = pause;
	const before = earlier && (waitsOf(earlier.jobs).find(isSame) ?? begun);
	const { wait, check } =
		before === undefined
			? await watchWhileRunning(session, job, begun)
			: await readResult(connection, context.logger, before, findings);
	if (check.kind === 'again') return { ok: true, items: [], about: {}, wait };
	const ended = { ...wait, endedAt: wait.endedAt ?? time.now() };
	const result = await resultOfEnded(session, job, check, ended);
	return result.ok ? { ...result, wait: ended } : result;
}

function beginWait({ execution, wait: { plan, endsWhenHeld } }: WaitJob): Wait {
	const since = time.now();
	return {
		...execution,
		...(execution.status !== undefined && { known: 'created' }),
		since,
		until: since + plan.timeoutMilliseconds,
		firstMilliseconds: plan.firstMilliseconds,
		longestMilliseconds: plan.longestMilliseconds,
		checks: 0,
		endsWhenHeld,
	};
}

async function watchWhileRunning(session: Session, job: WaitJob, begun: Wait): Promise<Progress> {
	const { context, connection, inputs, pause } = session;
	const { whileRunningMilliseconds } = job.wait;
	const isDueLater = begun.firstMilliseconds > whileRunningMilliseconds;
	// The time counts for the run, so that it pauses soon, however many creates there are.
	const pauseAt = isDueLater ? begun.since : session.startedAt + whileRunningMilliseconds;
	// Do not pause if less than one pause is left.
	const pausesInTime = begun.until > Math.max(pauseAt, time.now()) + SHORTEST_PAUSE;
	const canPause = pause.obstacle === undefined;
	return watch(
		{
			...{ send: connection.send, now: time.now, isBatch: inputs.length > 1 },
			pauseAt: pausesInTime && canPause ? pauseAt : Infinity,
			pause: async (milliseconds) => {
				await connection.pause(milliseconds);
				if (pausesInTime && !canPause && time.now() > pauseAt) pause.keepRunning();
			},
			tell: (before, progress) => logProgress(context.logger, before, progress),
		},
		begun,
	);
}

/** The output of a wait that has ended: the result, or an item or error that says why there is none. */
async function resultOfEnded(
	session: Session,
	{ itemIndexes, execution, wait, result, about: aboutSent }: WaitJob,
	check: Check,
	{ status, since, until, endedAt, checks }: Wait & { endedAt: number },
): Promise<Result> {
	if (check.kind === 'finished' && check.execution.phase !== 'running')
		return resultOf(session, itemIndexes, check.execution, result, aboutSent);
	const place = placeOf(session.context, { itemIndexes });
	// Over all runs of the wait.
	const watchedSeconds = Number(((endedAt - since) / 1000).toFixed(1));
	const ids = idsOf({ ...execution, status: status ?? 'unknown' });
	const about = { ...ids, watchedSeconds, checks, ...aboutSent };
	if (check.kind === 'lost') return refused(place, check.refusal, about);
	const inWords = describeExecution(execution);
	const goOn = (why: About): Result => {
		const aboutItem = { ...why, ...about, needsReview: true };
		const items = itemOfInput(session.inputs, itemIndexes, aboutItem, result);
		return { ok: true, items, about: aboutItem };
	};
	if (check.kind === 'finished')
		return goOn({
			held: true,
			message: `${describeHeld(status)}. ${inWords}`,
			advice:
				'To get the result afterwards, use Wait for Completion with the executionId. Get Execution returns what is available now',
		});
	const { refusal } = check;
	if (refusal !== undefined && PHASES[readMeaning(status ?? '', false)] !== 'running') {
		const { reply, fault } = refusal;
		const advice = `${fault.advice}. Use Get Execution to read the result later. ${inWords}`;
		const failure = refused(place, { reply, fault: { ...fault, advice } }, about);
		return { ...failure, namesExecution: true };
	}
	const hours = Number(((until - since) / HOUR).toPrecision(3));
	const message = `No result after ${hours} ${hours === 1 ? 'hour' : 'hours'}: ${describeOpen(status)}`;
	const lastCheck = refusal && `Last failed check: ${refusal.fault.message}`;
	const advice = [TIMED_OUT, lastCheck, inWords].filter(Boolean).join('. ');
	if (wait.ifTimedOut === 'fail')
		return { ...failed(place, message, advice, about), namesExecution: true };
	return goOn({ timedOut: true, message, advice });
}

const TIMED_OUT =
	"The execution may continue in the service. Use Wait for Completion or Get Execution with its ID, or increase 'Maximum Wait (Hours)' under 'Waiting'";
