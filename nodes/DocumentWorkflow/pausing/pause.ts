/**
 * The story of a long wait. docs/waiting.md describes what users see of it.
 *
 * 1. A run checks its executions for some seconds while the node runs (actions/waiting.ts): shorter than n8n waits for it at a planned restart.
 * 2. Then the run stores its jobs and requests a pause (`begin`): n8n runs this same node once more, as an action, and the action puts
 *    the n8n execution to wait until the next check (`storePause`). n8n stores it in its database; no process works for it.
 * 3. At the time of the check n8n drops the action and runs the node again, with its input. The node finds the stored jobs (`earlier`)
 *    and checks the executions that had not ended (awaited.ts), by the rule that counts while the node runs too (service/wait.ts).
 *    If one still runs and there is time left, it pauses again (actions/run.ts), a little longer.
 * 4. Otherwise the node runs as a whole. Stored jobs and journal say what was started, so no document is read or sent. The node outputs
 *    what this check has shown, and reads only what had ended before.
 *
 * Nothing from outside resumes a pause.
 */
import type {
	EngineRequest,
	IExecuteFunctions,
	INodeExecutionData,
	ITaskDataConnectionsSource,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { timeOfNextCheck } from '../../../service/polling';
import type { Fault } from '../../../service/http';
import { messageOf } from '../../../service/text';
import type { Wait } from '../../../service/wait';
import type { About } from '../about';
import { SECOND, time } from '../connection/time';
import { Findings, openWaits } from './awaited';

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
	/** What it reported. For a wait, the journal has it. */
	about?: About;
	/** How it failed before the pause. It is not tried again. */
	fault?: Fault;
	wait?: Wait;
}

/** When this process began: its name. */
export const PROCESS: number = performance.timeOrigin;

const PAUSE = 'documentWorkflowPause';

/** In the memory that all nodes share: the n8n execution that retries a pause. */
const RETRIED = 'documentWorkflowRetriedPause';

/** Whether this n8n execution retries one of which n8n stored nothing after a pause, such as one that crashed. */
export function isBehindRetriedPause(context: IExecuteFunctions): boolean {
	return context.getContext('flow')[RETRIED] === context.getExecutionId();
}

/** n8n checks once a minute which pauses end, so a shorter pause would hardly end earlier. */
export const SHORTEST_PAUSE = 30 * SECOND;

export class RunPause {
	/** The pause after which this run continues; undefined in a first run. */
	readonly earlier: StoredPause | undefined;

	readonly findings = new Findings();

	/** Why n8n cannot pause here; undefined when it can. */
	readonly obstacle: string | undefined;

	/** What was said of a wait that lasts so long that n8n would pause if it could. */
	keptRunning: string | undefined;

	/** Until when n8n pauses after this run; undefined when it does not. */
	checkAt: number | undefined;

	constructor(private readonly context: IExecuteFunctions) {
		this.obstacle = obstacleIn(context);
		const execution = context.getExecutionId();
		const stored = context.getContext('node')[PAUSE] as StoredPause | undefined;
		if (stored?.runIndex !== runIndexOf(context)) return;
		// n8n stores nothing of a run that it crashes in, so a retry of it finds the pause before.
		if (stored.execution !== execution) {
			if (context.getMode() !== 'retry' || openWaits(waitsOf(stored.jobs)).length === 0) return;
			context.getContext('flow')[RETRIED] = execution;
		}
		this.earlier = { ...stored, execution };
		// n8n has taken the list already, so it is changed in place.
		Object.assign(context.getExecuteData().source?.main ?? {}, stored.source?.main);
	}

	/** Says once in n8n's log, and at the end above the items, that a long wait keeps the n8n execution running. */
	keepRunning(): void {
		if (this.keptRunning !== undefined) return;
		this.keptRunning = `n8n cannot pause this n8n execution, so the node keeps it running while it waits. Reason: ${this.obstacle}`;
		this.context.logger.info(this.keptRunning);
	}

	/** Returns the request by which n8n pauses until the next check of the jobs whose wait is open. */
	begin(jobs: StoredJob[]): EngineRequest {
		const waits = waitsOf(jobs).filter(({ endedAt }) => endedAt === undefined);
		const execution = this.context.getExecutionId();
		const { source } = this.context.getExecuteData();
		const runIndex = runIndexOf(this.context);
		return this.repeat({ execution, runIndex, jobs, source }, timeOfCheck(waits));
	}

	/** Makes n8n run this node as an action, which pauses up to a time, and then once more. */
	repeat(pause: Omit<StoredPause, 'process' | 'checkAt'>, checkAt: number): EngineRequest {
		const stored: StoredPause = { ...pause, process: PROCESS, checkAt, isRequested: true };
		this.context.getContext('node')[PAUSE] = stored;
		this.checkAt = checkAt;
		return {
			actions: [
				{
					actionType: 'ExecutionNodeAction',
					nodeName: this.context.getNode().name,
					type: NodeConnectionTypes.Main,
					id: 'pause',
					input: {},
					metadata: {},
				},
			],
			metadata: {},
		};
	}
}

/** Without an expression, for which n8n may have to make an isolate. */
export function runIndexOf(context: IExecuteFunctions): string {
	return JSON.stringify(context.getWorkflowDataProxy(0).$runIndex) ?? '';
}

/** In the action of a pause: puts the n8n execution to wait, and returns the empty output. Undefined in any other run. */
export async function storePause(
	context: IExecuteFunctions,
): Promise<INodeExecutionData[][] | undefined> {
	const pause = context.getContext('node')[PAUSE] as StoredPause | undefined;
	if (!pause?.isRequested || pause.execution !== context.getExecutionId()) return undefined;
	delete pause.isRequested;
	const entry = context.getExecuteData();
	// When n8n continues, it disables the node of this entry and passes its data on.
	entry.node = { ...entry.node, alwaysOutputData: false, retryOnFail: false };
	entry.data = { main: [null] };
	await context.putExecutionToWait(new Date(pause.checkAt)).catch((error: unknown) => {
		// n8n 1 may continue a pause twice. If the first run has ended, it throws this after it has noted the pause of the second.
		if (messageOf(error) !== 'No active execution found') throw error;
	});
	return [[]];
}

export function waitsOf(jobs: StoredJob[]): Wait[] {
	return jobs.flatMap(({ wait }) => wait ?? []);
}

/** By the rule for checks while the node runs, as of one wait that began first and ends last. */
function timeOfCheck(waits: Wait[]): number {
	const first = Math.min(...waits.map(({ firstMilliseconds }) => firstMilliseconds));
	// A wait that was checked may be checked again at any time.
	const dueAt = waits.map(({ checks, since, firstMilliseconds }) =>
		checks === 0 ? since + firstMilliseconds : 0,
	);
	const longest = Math.min(...waits.map(({ longestMilliseconds }) => longestMilliseconds));
	const schedule = {
		since: Math.min(...waits.map(({ since }) => since)),
		until: Math.max(...waits.map(({ until }) => until)),
		firstMilliseconds: Math.max(first, SHORTEST_PAUSE),
		longestMilliseconds: Math.max(longest, SHORTEST_PAUSE),
		isBatch: false,
		notBefore: Math.max(Math.min(...dueAt), ...waits.map(({ notBefore = 0 }) => notBefore)),
		doubtedSince: waits.find(({ doubtedSince }) => doubtedSince !== undefined)?.doubtedSince,
	};
	return timeOfNextCheck(schedule, time.now(), Math.random());
}

export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

/** Why n8n cannot pause here, in words; undefined where it can. */
function obstacleIn(context: IExecuteFunctions): string | undefined {
	const { executionOrder, engineType } = context.getWorkflowSettings();
	const [source] = context.getExecuteData().source?.main ?? [];
	// A tool has no items to run again.
	if (isTool(context)) return 'the node is a tool of an AI agent';
	// n8n would reject the pause only after the node has run.
	if (engineType === 'v2') return 'its n8n workflow uses Engine 2.0';
	if (context.getMode() === 'integrated')
		return 'its n8n workflow was called by another n8n workflow';
	// The legacy order would run the node again before its action.
	if (executionOrder !== 'v1') return "its n8n workflow uses the legacy 'Execution Order' (v0)";
	if (isAnsweredAtTheEnd(context))
		return 'its n8n workflow answers a webhook, form or chat when the last node finishes';
	return source ? undefined : 'no previous node ran before it, as with pinned data';
}

/** At a pause n8n would answer the caller with the error "No item to return was found", and end a stream. */
function isAnsweredAtTheEnd(context: IExecuteFunctions): boolean {
	if (!['webhook', 'manual', 'chat'].includes(context.getMode())) return false;
	const parents = context.getParentNodes(context.getNode().name, { includeNodeParameters: true });
	return parents.some(({ disabled, type, parameters = {} }) => {
		// n8n's chat has its mode among its options, and does not store the default.
		const ofChat = Object.assign({ responseMode: 'lastNode' }, parameters.options);
		const { responseMode } = type.endsWith('.chatTrigger') ? ofChat : parameters;
		return !disabled && ['lastNode', 'streaming'].includes(responseMode as string);
	});
}
