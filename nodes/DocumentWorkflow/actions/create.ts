import { parametersOf } from '../panel/options';
import { readInputSettings } from '../results/choice';
import { outputFields } from '../results/fields';
import { inputOptionsField, outputOptionsField } from '../results/optionFields';
import { idsOf } from '../results/outputs';
import { itemOfInput } from '../results/result';
import { contentFields } from './fields/content';
import { documentFields, documentOptionsField, settingFields } from './fields/sending';
import { workflowField } from './fields/ids';
import { readWaitSettings, waitingField } from './fields/waiting';
import type { Operation } from './operation';
import { sendJobs } from './sending/send';
import { announceObstacle, waitFor } from './waiting';

export const create: Operation = {
	option: {
		name: 'Create Execution',
		value: 'create',
		description: 'Send documents and start an execution, without waiting',
		action: 'Create execution without waiting',
	},
	fields: [
		workflowField,
		...documentFields,
		...contentFields,
		documentOptionsField,
		inputOptionsField,
		...settingFields,
	],
	prepare: async (session) => {
		const { context, inputs } = session;
		return sendJobs(session, {
			read: (itemIndex) => readInputSettings(parametersOf(context, itemIndex)),
			proceed: async ({ execution, json }, itemIndexes, choice) => {
				const about = execution === undefined ? json : { ...idsOf(execution), ...json };
				return { ok: true, items: itemOfInput(inputs, itemIndexes, about, choice), about };
			},
		});
	},
};

export const createAndWait: Operation = {
	option: {
		name: 'Create and Wait',
		value: 'createAndWait',
		description: 'Send documents, wait, and return the extracted data',
		action: 'Create and wait for extracted data',
	},
	fields: [
		workflowField,
		...documentFields,
		...outputFields,
		...contentFields,
		documentOptionsField,
		waitingField,
		outputOptionsField,
		...settingFields,
	],
	prepare: async (session) => {
		const { context, inputs } = session;
		announceObstacle(session);
		return sendJobs(session, {
			read: (itemIndex) => readWaitSettings({ context, itemIndex }),
			proceed: async ({ execution, json }, itemIndexes, settings) => {
				if (execution !== undefined)
					return waitFor(session, { itemIndexes, execution, ...settings, beside: json });
				const { result } = settings;
				const items = itemOfInput(inputs, itemIndexes, json, result, result.shaping);
				return { ok: true, items, about: json };
			},
		});
	},
};
