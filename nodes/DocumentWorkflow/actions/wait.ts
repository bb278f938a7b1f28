import type { StartedExecution } from '../../../service/contract';
import type { PollingPlan } from '../../../service/polling';
import { watchExecution } from '../../../service/watching';
import type { Output } from '../results/shapes';
import { idsOf, shapeExecution } from '../results/shapes';
import { failed, refused } from './failures';
import {
	executionIdField,
	outputField,
	readExecutionId,
	readOutput,
	readPlan,
	readWorkflowId,
	waitOptions,
	workflowField,
} from './fields';
import type { Call, Operation, Result } from './operation';

export const wait: Operation = {
	option: {
		name: 'Wait for Completion',
		value: 'wait',
		description: 'Wait until an execution has ended, and output its data',
		action: 'Wait for completion of execution',
	},
	fields: [workflowField, executionIdField, outputField, waitOptions],
	run: async (call) => {
		const { context, itemIndex } = call;
		const execution = {
			workflowId: readWorkflowId(context, itemIndex),
			executionId: readExecutionId(context, itemIndex),
			status: 'running',
		};
		return waitFor(call, execution, readPlan(context, itemIndex), readOutput(context, itemIndex), false);
	},
};

/** Waits for an execution that was started, by looking at it again and again. */
export async function waitFor(
	call: Call,
	started: StartedExecution,
	plan: PollingPlan,
	output: Output,
	isFresh: boolean,
): Promise<Result> {
	const { workflowId, executionId } = started;
	const { send, pause } = call.connection;
	const watched = await watchExecution({ send, pause, now: Date.now, plan, workflowId, executionId, isFresh });
	if (watched.end === 'lost') return refused(call, watched.refusal, idsOf(started));
	if (watched.end === 'timeout') {
		const status = watched.last?.status ?? started.status;
		const lastLook = watched.lastRefusal === undefined ? '' : ` The last look that did not succeed: ${watched.lastRefusal.words.message}.`;
		return failed(
			call,
			`Execution ${executionId} has not ended after ${inWords(plan.timeoutMilliseconds)}; its status is "${status}"`,
			`It goes on in the service. Use Wait for Completion or Get with this ID, or raise 'Timeout (Minutes)' under Options.${lastLook}`,
			{ ...idsOf(started), status },
		);
	}
	const { execution } = watched;
	if (execution.phase === 'completed') return { ok: true, json: shapeExecution(execution, output) };
	return failed(
		call,
		`Execution ${executionId} ended with status "${execution.status}"`,
		execution.failureReason === ''
			? 'The service gives no reason. Look at the execution in its dashboard'
			: `The service said: "${execution.failureReason}"`,
		{ ...idsOf(execution), metadata: execution.metadata, failureReason: execution.failureReason },
	);
}

function inWords(milliseconds: number): string {
	const minutes = Number((milliseconds / 60_000).toFixed(1));
	if (minutes < 1) return `${Math.round(milliseconds / 1000)} seconds`;
	return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
