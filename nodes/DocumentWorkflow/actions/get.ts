import { type Found, getExecution } from '../../../service/executions';
import { delayBeforeCheckingAgain } from '../../../service/retry';
import { parametersOf } from '../panel/options';
import { resultOf } from '../results/items/result';
import { outputFields, outputOptionsField, readOutputSettings } from '../results/settings/settings';
import { time } from '../connection/time';
import type { Connection } from '../connection/connect';
import { executionIdField, readExecutionId, readWorkflowId, workflowField } from './fields/ids';
import { jobPerItem, refused, type Operation } from './operation';

/** A check can be repeated, so temporary errors are retried. */
async function getWithRetries(
	{ send, pause }: Connection,
	workflowId: string,
	executionId: string,
): Promise<Found> {
	for (let tries = 1; ; tries++) {
		const found = await getExecution(send, workflowId, executionId);
		if (found.ok || found.refusal.isAboutAnother === true) return found;
		const delay = delayBeforeCheckingAgain(found.refusal.reply, tries, time.now());
		if (delay === undefined) return found;
		await pause(delay);
	}
}

export const get: Operation = {
	option: {
		name: 'Get Execution',
		value: 'get',
		description: 'Get the status of an execution, and its data once completed',
		action: 'Get execution status and data',
	},
	fields: [workflowField, executionIdField, ...outputFields, outputOptionsField],
	prepare: async (session) =>
		jobPerItem(session, (itemIndex) => {
			const { context, connection } = session;
			const place = { context, itemIndex };
			const workflowId = readWorkflowId(place);
			const executionId = readExecutionId(place);
			const settings = readOutputSettings(parametersOf(context, itemIndex));
			return async () => {
				const found = await getWithRetries(connection, workflowId, executionId);
				if (!found.ok) return refused(place, found.refusal, { workflowId, executionId });
				return resultOf(session, [itemIndex], found.execution, settings);
			};
		}),
};
