/**
 * What n8n does wrong when it continues pauses, and how a run answers.
 *
 * n8n 1 may continue a pause more than once when many are due, or when parallel runs are limited. So this process remembers
 * how it has continued a pause: another run of it waits as the first does, or outputs nothing.
 *
 * When n8n starts, it continues all pauses that fell due meanwhile, and at the same time marks one after the other
 * what runs as crashed. A pause that a run stores between the two steps of its own mark is lost. So runs that another
 * process had paused wait until n8n's start is over, and then pause once more for about a minute, without a check.
 */
import type {
	EngineRequest,
	IExecuteData,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { messageOf } from '../../../service/text';
import { refusedSetting } from '../../../service/tokenWords';
import { connect } from '../connection/connect';
import { MINUTE, SECOND, time } from '../connection/time';
import { checkWaits, openWaits } from './awaited';
import { PROCESS, type RunPause, type StoredPause, waitsOf } from './pause';

export type RunOutput = INodeExecutionData[] | EngineRequest;

/** By pause: until when the run of an entry pauses, if it does. Weak, because the entry has the input with its files. */
const continuations = new Map<
	string,
	{ entry: WeakRef<IExecuteData>; next: Promise<number | undefined> }
>();

const MAX_REMEMBERED = 10_000;

/** Does the work of a run after a pause, unless this process has continued the same pause before. */
export async function runOnce(
	context: IExecuteFunctions,
	pause: RunPause,
	earlier: StoredPause,
	work: () => Promise<RunOutput>,
): Promise<RunOutput> {
	const keyOf = (checkAt: number) =>
		[earlier.execution, context.getNode().id, earlier.runIndex, checkAt].join(' ');
	const entry = context.getExecuteData();
	let { checkAt } = earlier;
	for (;;) {
		const known = continuations.get(keyOf(checkAt));
		if (known === undefined || known.entry.deref() === entry) break;
		const next = await known.next;
		if (next === undefined) return [];
		checkAt = next;
	}
	if (checkAt !== earlier.checkAt) return pause.repeat(earlier, checkAt);
	const output = work();
	const next = output.then(() => pause.checkAt).catch(() => undefined);
	continuations.set(keyOf(checkAt), { entry: new WeakRef(entry), next });
	const [oldest = ''] = continuations.keys();
	if (continuations.size > MAX_REMEMBERED) continuations.delete(oldest);
	return output;
}

/** The request for the next pause, when an execution still runs and there is time left. A crash rarely interrupts so short a check. */
export async function pauseAgain(
	context: IExecuteFunctions,
	pause: RunPause,
	earlier: StoredPause,
): Promise<EngineRequest | undefined> {
	const later = await afterStart(earlier.process);
	if (later !== undefined) return pause.repeat(earlier, later);
	const waits = openWaits(waitsOf(earlier.jobs));
	// A credential that cannot be read now is a doubtful reply.
	const { send } = await connect(context).catch((error: unknown) => ({
		send: async () => Promise.resolve(refusedSetting(messageOf(error), '')),
	}));
	try {
		await checkWaits(send, context.logger, waits, pause.findings);
	} catch {
		// It was stopped.
		return undefined;
	}
	return openWaits(waits).length === 0 ? undefined : pause.begin(earlier.jobs);
}

/** When n8n has continued no pause by then, its start is over. */
const LONGEST_START = 5 * MINUTE;

/** On a busy machine it took n8n a minute to begin 250 runs. */
const LONGEST_UNREST = 90 * SECOND;

/** All runs have begun after so long without a new one or a late timer. n8n waits less for its database. */
const QUIET = 2 * SECOND;

/** Then n8n marks one run after the other. On a busy machine it needs 35 ms for each. */
const MARK = 50;
const LONGEST_MARKING = MINUTE;

const [INTERVAL, LATE] = [100, 50];

/** What this process has seen of n8n's start. */
class Start {
	isOver = false;
	runs = 0;
	/** When the last run came, or a timer was late, by the age of the process. */
	disturbedAt = 0;
	/** Undefined until the first pause of another process is continued. */
	over: Promise<void> | undefined;
}

const start = new Start();

/** When to continue a pause of a process instead of now, in milliseconds since 1970; undefined for now. */
export async function afterStart(pausedBy: number): Promise<number | undefined> {
	start.isOver ||= start.over === undefined && time.age() > LONGEST_START;
	if (start.isOver || pausedBy === PROCESS) return undefined;
	start.runs++;
	start.disturbedAt = time.age();
	await (start.over ??= waitUntilOver());
	start.isOver = true;
	const earliest = Math.max(75 * SECOND - time.age(), 20 * SECOND);
	return time.now() + earliest + Math.random() * 75 * SECOND;
}

async function waitUntilOver(): Promise<void> {
	const end = time.age() + LONGEST_UNREST;
	for (let now = time.age(); now < end && now - start.disturbedAt < QUIET;) {
		await time.sleep(INTERVAL);
		const isLate = time.age() - now > INTERVAL + LATE;
		now = time.age();
		if (isLate) start.disturbedAt = now;
	}
	await time.sleep(Math.min(start.runs * MARK, LONGEST_MARKING));
}
