import { getWithRetries } from '../../../service/executions';
import { parametersOf } from '../panel/options';
import { resultOf } from '../results/items/result';
import { outputFields, outputOptionsField, readOutputSettings } from '../results/settings/settings';
import { time } from '../connection/time';
import { executionIdField, readExecutionId, readWorkflowId, workflowField } from './fields/ids';
import { forEachItem, type Operation, refused, type Result } from './operation';

export const get: Operation = {
	option: {
		name: 'Get Execution',
		value: 'get',
		description: 'Get the status of an execution, and its data once completed',
		action: 'Get execution status and data',
	},
	fields: [workflowField, executionIdField, ...outputFields, outputOptionsField],
	prepare: async (session) =>
		forEachItem(session, (place, job) => {
			const service = { ...session.connection, now: time.now };
			const ids = { workflowId: readWorkflowId(place), executionId: readExecutionId(place) };
			const settings = readOutputSettings(parametersOf(place));
			const work = async (): Promise<Result> => {
				const found = await getWithRetries(service, ids);
				if (!found.ok) return refused(place, found.refusal, service.linkTo(ids));
				return resultOf(session, [place.itemIndex], found.execution, settings);
			};
			return { ...job, work };
		}),
};
