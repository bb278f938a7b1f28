import { outputFields, outputOptionsField } from '../results/settings/settings';
import { executionIdField, readExecutionId, readWorkflowId, workflowField } from './fields/ids';
import { readWaitSettings, waitingField } from './fields/waiting';
import { jobPerItem, type Operation } from './operation';
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
		jobPerItem(session, (place) => {
			const ids = { workflowId: readWorkflowId(place), executionId: readExecutionId(place) };
			const execution = session.connection.linkTo(ids);
			const job = { itemIndexes: [place.itemIndex], execution, ...readWaitSettings(place) };
			return async () => waitFor(session, job);
		}),
};
