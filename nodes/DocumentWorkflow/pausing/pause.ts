/**
 * The story of a pause. docs/waiting.md describes what users see of it, and why it is made like this.
 *
 * 1. Create, or Create and Wait, adds a reference to the metadata of each execution it starts: the address at which this n8n
 *    execution resumes (resumeAddress.ts), sealed so that only the same client can read it (reference.ts).
 * 2. When all items are sent, the run begins its pause (below). n8n stores the n8n execution in its database with what it waits for,
 *    the input of the node, and the time limit.
 * 3. The service notifies the trigger that an execution has ended. The trigger reads the execution, opens the reference and calls
 *    the address in it. It retries while the pause is not stored yet (notify.ts).
 * 4. n8n passes that call to the webhook of the paused node. It asks the service whether all executions have ended (resume.ts); if
 *    so, n8n runs the node again with its stored input. Simultaneous notifications resume a pause once (pauseCache.ts).
 * 5. The second run knows what the first one started, and sends nothing. It reads all executions and returns their results. If one
 *    runs after all, it is polled until the time limit.
 *
 * At the time limit n8n does not run the node again: it passes on the items that the run returned when it began the pause, which are
 * the input with the IDs beside it. Shortly before the limit no notification resumes the pause.
 */
import { randomUUID } from 'crypto';
import * as n8nWorkflow from 'n8n-workflow';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IRunExecutionData,
} from 'n8n-workflow';

import type { StartedExecution } from '../../../service/contract';

/** An execution that a paused n8n execution waits for. */
export type AwaitedId = Pick<StartedExecution, 'workflowId' | 'executionId'>;

/** What n8n stores of a pause in the n8n execution. */
export interface StoredPause {
	/** Unique among all pauses. */
	id: string;
	execution: string;
	runIndex: string;
	/** The time limit, in milliseconds since 1970. */
	until: number;
	awaited: AwaitedId[];
	/** What had failed when the pause began, by job. */
	failures: Record<string, StoredFailure>;
}

export interface StoredFailure {
	message: string;
	description: string;
	json: IDataObject;
}

/** The key of the pause in the node's context data. */
export const PAUSE = 'documentWorkflowPause';

/** The key of the node's input in its execute data, beside the items for the time limit. */
export const INPUT = 'documentWorkflowInput';

export interface Pause {
	/** The pause after which this run resumes; undefined in a first run. */
	earlier: Pick<StoredPause, 'until' | 'failures'> | undefined;
	/** Pauses the n8n execution until it is notified, or until the time limit, when n8n passes on `items`. */
	begin: (
		pause: Pick<StoredPause, 'awaited' | 'until' | 'failures'>,
		items: INodeExecutionData[],
	) => Promise<void>;
}

/**
 * The items that this run returned when it began its pause; undefined when it has not. n8n runs a node again at once, as for Retry On
 * Fail, when its first item has a field `error`, even one of the input.
 */
export function itemsWhenPaused(context: IExecuteFunctions): INodeExecutionData[] | undefined {
	const { data } = context.getExecuteData();
	return data[INPUT] === undefined ? undefined : [...(data.main?.[0] ?? [])];
}

/** The pause of this run of the node. When a run pauses again, the time limit of its first pause stays. */
export function openPause(context: IExecuteFunctions): Pause {
	const memory = context.getContext('node');
	const execution = context.getExecutionId();
	const runIndex = JSON.stringify(context.evaluateExpression('{{ $runIndex }}', 0)) ?? '';
	const stored = memory[PAUSE] as StoredPause | undefined;
	const earlier =
		stored?.execution === execution && stored.runIndex === runIndex ? stored : undefined;
	return {
		earlier,
		begin: async (pause, items) => {
			const until = earlier?.until ?? pause.until;
			const toStore: StoredPause = { ...pause, id: randomUUID(), execution, runIndex, until };
			memory[PAUSE] = toStore;
			const waiting = context.getExecuteData();
			// A copy: n8n empties the returned list when the node has an Error output.
			waiting.data = { main: [[...items]], [INPUT]: waiting.data.main ?? [] };
			await context.putExecutionToWait(new Date(until));
		},
	};
}

/**
 * Whether a pause of this n8n execution loses its result: on n8n 1 a workflow that waits for a sub-workflow gets back what it has passed
 * to it, as soon as that has paused and resumed. Only n8n 1 exports the type of the Start node, which n8n 2 has removed.
 */
export function losesResultOfPause(
	context: IExecuteFunctions & { runExecutionData?: IRunExecutionData },
): boolean {
	const parent = context.runExecutionData?.parentExecution;
	return 'START_NODE_TYPE' in n8nWorkflow && parent !== undefined && parent.shouldResume !== false;
}
