/**
 * The story of a long wait. docs/waiting.md describes what users see of it.
 *
 * 1. For its first minutes a wait checks its execution while the node runs (actions/wait.ts). Most executions end in that time.
 * 2. Then the run begins a pause. It returns a request to n8n to run this same node as an action, and that action puts the n8n
 *    execution to wait until the next check (below). n8n stores the n8n execution in its database; no process works for it.
 * 3. At the time of the check n8n drops the action and runs the node again, with its input. The node checks the executions that had
 *    not ended. If one runs and there is time left, it pauses again, a little longer. Otherwise it runs as a whole: the journal knows
 *    what was started, so nothing is sent, and all results are read and returned.
 * 4. Create, or Create and Wait, adds a reference to the metadata of each execution: the address at which this n8n execution resumes
 *    (resumeAddress.ts), sealed so that only the same client can read it (reference.ts). When the service notifies a trigger that an
 *    execution has ended, the trigger calls that address (notify.ts), and n8n passes the call to the webhook of the paused node
 *    (resume.ts). When all have ended, the node runs at once. A lost notification costs one interval.
 */
import type {
	EngineRequest,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	ITaskDataConnectionsSource,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import type { StartedExecution } from '../../../service/contract';
import { MINUTE, time } from '../time';

/** An execution that a paused n8n execution waits for. */
export type AwaitedId = Pick<StartedExecution, 'workflowId' | 'executionId'>;

/** What n8n stores of a pause: identifiers and times. */
export interface StoredPause {
	/** Of n8n. */
	execution: string;
	runIndex: string;
	/** When the wait began, in milliseconds since 1970. */
	since: number;
	/** The time limit of the wait. */
	until: number;
	/** The longest interval between checks. */
	longestMilliseconds: number;
	/** When the node runs again. */
	checkAt: number;
	/** Those that had not ended at the last check. */
	awaited: AwaitedId[];
	/** What had failed when the first pause began, by job. */
	failures: Record<string, StoredFailure>;
	/** Where the input of the node came from. n8n replaces it with something less exact. */
	source: ITaskDataConnectionsSource | null;
	/** The action that stores the pause has not run yet. */
	isBeingStored: boolean;
}

export interface StoredFailure {
	message: string;
	description: string;
	json: IDataObject;
}

/** The key of the pause in the node's context data. */
export const PAUSE = 'documentWorkflowPause';

/** n8n queries once a minute which pauses end, so a shorter one would be late. */
const SHORTEST_PAUSE = MINUTE;

/** Share of the time waited until the next check, as while the node runs. */
const GROWTH = 0.15;

type Wanted = Pick<StoredPause, 'awaited' | 'since' | 'until' | 'longestMilliseconds' | 'failures'>;

export interface Pause {
	/** The pause after which this run continues; undefined in a first run. */
	earlier: StoredPause | undefined;
	/** Whether n8n can pause here. */
	isPossible: boolean;
	/** The request by which n8n pauses the n8n execution and runs the node again at the next check. */
	begin: (pause: Wanted) => EngineRequest;
}

/** The pause of this run of the node. */
export function openPause(context: IExecuteFunctions): Pause {
	const memory = context.getContext('node');
	const execution = context.getExecutionId();
	const runIndex = JSON.stringify(context.evaluateExpression('{{ $runIndex }}', 0)) ?? '';
	const stored = memory[PAUSE] as StoredPause | undefined;
	const earlier =
		stored?.execution === execution && stored.runIndex === runIndex ? stored : undefined;
	const entry = context.getExecuteData();
	// n8n has taken the list already, so it is changed in place.
	if (earlier?.source != null) Object.assign(entry.source?.main ?? {}, earlier.source.main);
	return {
		earlier,
		isPossible: canPause(context),
		begin: (pause) => {
			const now = time.now();
			const interval = Math.min(GROWTH * (now - pause.since), pause.longestMilliseconds);
			const checkAt = Math.min(now + Math.max(interval, SHORTEST_PAUSE), pause.until);
			const toStore: StoredPause = {
				...{ ...pause, execution, runIndex, checkAt },
				source: entry.source,
				isBeingStored: true,
			};
			memory[PAUSE] = toStore;
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
				metadata: {},
			};
		},
	};
}

/** The legacy order of execution would run the node again before its action, and a tool of an AI agent has no items to run again. */
function canPause(context: IExecuteFunctions): boolean {
	return (
		context.getWorkflowSettings().executionOrder === 'v1' &&
		context.getMode() !== 'integrated' &&
		!context.getNode().type.endsWith('Tool') &&
		context.getExecuteData().source?.main?.[0] != null
	);
}

/**
 * In the action of a pause: puts the n8n execution to wait, and returns the empty output. Undefined in any other run. When n8n
 * continues, it disables the node of this entry and passes its data on; so the entry gets a node of its own, and no data.
 */
export async function storePause(
	context: IExecuteFunctions,
): Promise<INodeExecutionData[][] | undefined> {
	const pause = context.getContext('node')[PAUSE] as StoredPause | undefined;
	if (pause?.isBeingStored !== true || pause.execution !== context.getExecutionId())
		return undefined;
	pause.isBeingStored = false;
	const entry = context.getExecuteData();
	entry.node = { ...entry.node, alwaysOutputData: false, retryOnFail: false };
	entry.data = { main: [null] };
	await context.putExecutionToWait(new Date(pause.checkAt));
	return [[]];
}
