import { randomUUID } from 'crypto';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { StartedExecution } from '../../../service/contract';

/** An execution whose end a paused n8n execution waits for. */
export type AwaitedId = Pick<StartedExecution, 'workflowId' | 'executionId'>;

/** What n8n keeps of a pause with the n8n execution. */
export interface KeptPause {
	/** Tells it from other pauses of the same n8n execution. */
	id: string;
	execution: string;
	runIndex: string;
	/** When n8n goes on without the result, in milliseconds since 1970. */
	until: number;
	awaited: AwaitedId[];
	/** What had not succeeded when the pause began, by job. */
	failures: Record<string, KeptFailure>;
}

/** A failure as it can be stored. */
export interface KeptFailure {
	message: string;
	description: string;
	json: IDataObject;
}

/** Where the pause is kept in the memory of the node. */
export const PAUSE = 'documentWorkflowPause';

/** Where the input of the node is kept beside what goes on when the time limit is reached. */
export const INPUT = 'documentWorkflowInput';

export interface Pause {
	/** Where this run goes on after a pause: its time limit, and what had not succeeded before it. */
	earlier: Pick<KeptPause, 'until' | 'failures'> | undefined;
	/** Puts the n8n execution aside until it is notified, or until the time is over; then n8n lets `items` through. */
	begin: (
		pause: Pick<KeptPause, 'awaited' | 'until' | 'failures'>,
		items: INodeExecutionData[],
	) => Promise<void>;
}

/**
 * What this run of the node put out when it began its pause; undefined when it did not. n8n runs a node again, as Retry On Fail asks for, when
 * its first item has a field `error`, be it of the input, and gives it what it has put out.
 */
export function putOutAlready(context: IExecuteFunctions): INodeExecutionData[] | undefined {
	const { data } = context.getExecuteData();
	return data[INPUT] === undefined ? undefined : [...(data.main?.[0] ?? [])];
}

/**
 * The pause of this run of the node. When it is over n8n runs the node again: what was started is known then, and what did not succeed is
 * not tried again, so that all that is to be done is to look. That holds for each further try of the same run. The time limit of a run
 * stays that of its first pause.
 */
export function openPause(context: IExecuteFunctions): Pause {
	const memory = context.getContext('node');
	const execution = context.getExecutionId();
	const runIndex = JSON.stringify(context.evaluateExpression('{{ $runIndex }}', 0)) ?? '';
	const stored = memory[PAUSE] as KeptPause | undefined;
	const earlier =
		stored?.execution === execution && stored.runIndex === runIndex ? stored : undefined;
	return {
		earlier,
		begin: async (pause, items) => {
			const until = earlier?.until ?? pause.until;
			const kept: KeptPause = { ...pause, id: randomUUID(), execution, runIndex, until };
			memory[PAUSE] = kept;
			const waiting = context.getExecuteData();
			// A list of its own: n8n empties the one that is put out when the node has an Error output.
			waiting.data = { main: [[...items]], [INPUT]: waiting.data.main ?? [] };
			await context.putExecutionToWait(new Date(until));
		},
	};
}
