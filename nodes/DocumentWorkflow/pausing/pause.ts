/**
 * The story of a long wait. docs/waiting.md describes what users see of it.
 *
 * 1. A run checks its executions for some seconds while the node runs (actions/waiting.ts): shorter than n8n waits for it at a planned restart.
 * 2. Then the run stores its jobs and requests a pause (`begin`): n8n runs this same node once more, as an action, and the action puts
 *    the n8n execution to wait until the next check (`storePause`). n8n stores it in its database; no process works for it.
 * 3. At the time of the check n8n drops the action and runs the node again, with its input. The node finds the stored jobs (`openPause`)
 *    and checks the executions that had not ended (awaited.ts), by the rule that counts while the node runs too (service/wait.ts).
 *    If one still runs and there is time left, it pauses again (actions/run.ts), a little longer.
 * 4. Otherwise the node runs as a whole. Stored jobs and journal say what was started, so no document is read or sent. The node outputs
 *    what this check has shown, and reads only what had ended before.
 *
 * Nothing from outside resumes a pause.
 */
import type {
	EngineRequest,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	ITaskDataConnectionsSource,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { timeOfNextCheck } from '../../../service/polling';
import { messageOf } from '../../../service/text';
import { MINUTE, SECOND, time } from '../connection/time';
import { PROCESS } from './afterStart';
import { isPending, Reading, type StoredWait } from './awaited';
import { obstacleIn } from './obstacle';

/** What n8n stores of a pause: its own identifiers, times, and what each job reported before it. */
export interface StoredPause {
	execution: string;
	runIndex: string;
	jobs: StoredJob[];
	/** Where the input of the node came from. n8n replaces it with something less exact. */
	source: ITaskDataConnectionsSource | null;
	/** The process that stored it. */
	process: number;
	/** When the node runs again, in milliseconds since 1970. */
	checkAt: number;
	/** Until the action puts the n8n execution to wait. */
	isRequested?: true;
}

/** A job of the run that began the pause. */
export interface StoredJob {
	key: string;
	itemIndexes: number[];
	fieldNames?: string[] | undefined;
	/** How it failed before the pause. It is not tried again. */
	failure?: StoredFailure;
	/** What it reported about its documents, if it started no execution. */
	beside?: IDataObject;
	/** The wait for its execution. */
	wait?: StoredWait;
}

export interface StoredFailure {
	message: string;
	description: string;
	json: IDataObject;
}

/** The key of the pause in the node's context data. */
const PAUSE = 'documentWorkflowPause';

/** n8n queries once a minute which pauses end, so half of these end later. Shorter ones would find no result earlier. */
export const SHORTEST_PAUSE = 30 * SECOND;

export interface Pause {
	/** The pause after which this run continues; undefined in a first run. */
	earlier: StoredPause | undefined;
	reading: Reading;
	/** Why n8n cannot pause here; undefined when it can. */
	obstacle: string | undefined;
	/**
	 * Returns the request by which n8n pauses the n8n execution and runs the node again at the next check, but not before a given time
	 * (in milliseconds since 1970). Undefined when all waits of the jobs have ended.
	 */
	begin: (jobs: StoredJob[], notBefore: number) => EngineRequest | undefined;
	/** Returns the request for a pause that is as the earlier one, up to another time. */
	repeat: (earlier: StoredPause, checkAt: number) => EngineRequest;
}

/** The pause of this run of the node. */
export function openPause(context: IExecuteFunctions): Pause {
	const memory = context.getContext('node');
	const execution = context.getExecutionId();
	const runIndex = runIndexOf(context);
	const stored = memory[PAUSE] as StoredPause | undefined;
	const isOwn =
		stored?.execution === execution || (context.getMode() === 'retry' && hasOpenWait(stored));
	const earlier = isOwn && stored?.runIndex === runIndex ? { ...stored, execution } : undefined;
	const entry = context.getExecuteData();
	// n8n has taken the list already, so it is changed in place.
	if (earlier?.source) Object.assign(entry.source?.main ?? {}, earlier.source.main);
	const request = (pause: Omit<StoredPause, 'process'>) => {
		memory[PAUSE] = { ...pause, process: PROCESS, isRequested: true };
		return requestFor(context, pause.checkAt);
	};
	return {
		earlier,
		reading: new Reading(),
		obstacle: obstacleIn(context),
		begin: (jobs, notBefore) => {
			const waits = waitsOf(jobs).filter(isPending);
			if (waits.length === 0) return undefined;
			const { source } = entry;
			return request({ execution, runIndex, checkAt: nextCheck(waits, notBefore), jobs, source });
		},
		repeat: (pause, checkAt) => request({ ...pause, checkAt }),
	};
}

/** n8n stores nothing of a run that it crashes in, so a retry of it finds the pause before with waits that have not ended. */
function hasOpenWait({ jobs = [] }: Partial<StoredPause> = {}): boolean {
	return waitsOf(jobs).some((wait) => isPending(wait) && wait.until > time.now());
}

/** Without an expression, for which n8n may have to make an isolate. */
export function runIndexOf(context: IExecuteFunctions): string {
	return JSON.stringify(context.getWorkflowDataProxy(0).$runIndex) ?? '';
}

/**
 * In the action of a pause: puts the n8n execution to wait, and returns the empty output. Undefined in any other run. When n8n
 * continues, it disables the node of this entry and passes its data on; so the entry gets a node of its own, and no data.
 */
export async function storePause(
	context: IExecuteFunctions,
): Promise<INodeExecutionData[][] | undefined> {
	const pause = context.getContext('node')[PAUSE] as StoredPause | undefined;
	if (!pause?.isRequested || pause.execution !== context.getExecutionId()) return undefined;
	delete pause.isRequested;
	const entry = context.getExecuteData();
	entry.node = { ...entry.node, alwaysOutputData: false, retryOnFail: false };
	entry.data = { main: [null] };
	await context.putExecutionToWait(new Date(pause.checkAt)).catch(unlessPaused);
	return [[]];
}

/**
 * n8n 1 may continue a pause twice at the same time. If the first run has ended, n8n throws this after it has noted the
 * pause of the second one.
 */
function unlessPaused(error: unknown): void {
	if (messageOf(error) !== 'No active execution found') throw error;
}

export function waitsOf(jobs: StoredJob[]): StoredWait[] {
	return jobs.flatMap(({ wait }) => wait ?? []);
}

/** By the rule for checks while the node runs, counted from the wait that began first; soon after a doubtful reply. */
function nextCheck(waits: StoredWait[], notBefore: number): number {
	const since = Math.min(...waits.map((wait) => wait.since));
	const longest = Math.min(...waits.map(({ longestMilliseconds }) => longestMilliseconds));
	const at = time.now() - since;
	const plan = {
		firstMilliseconds: SHORTEST_PAUSE,
		longestMilliseconds: Math.max(longest, SHORTEST_PAUSE),
		timeoutMilliseconds: Math.max(...waits.map(({ until }) => until)) - since,
	};
	const isDoubtful = waits.some(({ doubtedSince }) => doubtedSince !== undefined);
	const dueBy = isDoubtful ? at + MINUTE : Infinity;
	const last = { at, isBatch: false, notBefore: notBefore - since, dueBy, random: Math.random() };
	return since + timeOfNextCheck(plan, last);
}

/** Makes n8n run this node as an action, and then once more. */
function requestFor(context: IExecuteFunctions, checkAt: number): EngineRequest {
	return {
		actions: [
			{
				actionType: 'ExecutionNodeAction',
				nodeName: context.getNode().name,
				input: {},
				type: NodeConnectionTypes.Main,
				id: 'pause',
				metadata: {},
			},
		],
		metadata: { checkAt },
	};
}
