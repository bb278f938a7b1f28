import { getExecution } from '../../../service/executions';
import { optionsField, parametersOf } from '../panel/options';
import { readResultChoice } from '../results/choice';
import { outputFields, shapingOptions } from '../results/fields';
import { resultOf } from '../results/result';
import { refused } from './failures';
import { executionIdField, readExecutionId, readWorkflowId, workflowField } from './fields/ids';
import type { Operation } from './operation';
import { jobPerItem } from './perItem';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		description: 'Look at an execution once: its status, and its data when it is completed',
		action: 'Get execution',
	},
	fields: [workflowField, executionIdField, ...outputFields, optionsField(shapingOptions)],
	prepare: async (session) =>
		jobPerItem(session, (itemIndex) => {
			const { context, connection } = session;
			const place = { context, itemIndex };
			const workflowId = readWorkflowId(place);
			const executionId = readExecutionId(place);
			const choice = readResultChoice(
				context.getNode(),
				parametersOf(context, itemIndex),
				itemIndex,
			);
			return async () => {
				const found = await getExecution(connection.send, workflowId, executionId);
				if (!found.ok) return refused(place, found.refusal, { workflowId, executionId });
				return resultOf(session, [itemIndex], found.execution, choice);
			};
		}),
};
