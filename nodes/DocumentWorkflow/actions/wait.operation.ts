import { outputFields, outputOptionsField } from '../results/settings/settings';
import { executionIdField, readExecutionId, readWorkflowId, workflowField } from './fields/ids';
import { readWaitSettings, waitingField } from './fields/waiting';
import { forEachItem, type Operation } from './operation';
import { waitFor } from './waiting';

export const wait: Operation = {
	option: {
		name: 'Wait for Completion',
		value: 'wait',
		description: 'Wait until an execution is finished and return its data',
		action: 'Wait for completion of execution',
	},
	fields: [workflowField, executionIdField, ...outputFields, waitingField, outputOptionsField],
	prepare: async (session) =>
		forEachItem(session, (place, job) => {
			const ids = { workflowId: readWorkflowId(place), executionId: readExecutionId(place) };
			const execution = session.connection.linkTo(ids);
			const waiting = { ...job, execution, ...readWaitSettings(place) };
			return { ...job, work: async () => waitFor(session, waiting) };
		}),
};
