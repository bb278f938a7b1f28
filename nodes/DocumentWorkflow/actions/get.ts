import { getExecution } from '../../../service/executions';
import { shapeExecution } from '../results/shapes';
import { refused } from './failures';
import { executionIdField, outputField, readExecutionId, readOutput, readWorkflowId, workflowField } from './fields';
import type { Operation } from './operation';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		description: 'Look at an execution once: its status, and its data when it is completed',
		action: 'Get execution',
	},
	fields: [workflowField, executionIdField, outputField],
	run: async (call) => {
		const { context, connection, itemIndex } = call;
		const workflowId = readWorkflowId(context, itemIndex);
		const executionId = readExecutionId(context, itemIndex);
		const output = readOutput(context, itemIndex);
		const found = await getExecution(connection.send, workflowId, executionId);
		if (!found.ok) return refused(call, found.refusal, { workflowId, executionId });
		return { ok: true, json: shapeExecution(found.execution, output) };
	},
};
