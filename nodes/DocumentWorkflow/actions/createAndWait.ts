import { sentDocuments } from '../results/shapes';
import { start } from './create';
import { documentFields, outputField, readOutput, readPlan, waitOptions, workflowField } from './fields';
import type { Operation } from './operation';
import { waitFor } from './wait';

export const createAndWait: Operation = {
	option: {
		name: 'Create and Wait',
		value: 'createAndWait',
		description: 'Send documents to a workflow, wait until the execution has ended, and output its data',
		action: 'Create execution and wait for completion',
	},
	fields: [workflowField, ...documentFields, outputField, waitOptions],
	run: async (call) => {
		const plan = readPlan(call.context, call.itemIndex);
		const output = readOutput(call.context, call.itemIndex);
		const started = await start(call);
		if (!started.ok) return started;
		const waited = await waitFor(call, started.execution, plan, output, true);
		return { ...waited, json: { ...waited.json, documents: sentDocuments(started.documents) } };
	},
};
