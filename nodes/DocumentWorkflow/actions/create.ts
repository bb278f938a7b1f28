import { parametersOf } from '../panel/options';
import { idsOf } from '../results/items/ids';
import { itemOfInput } from '../results/items/result';
import {
	itemOptionsField,
	outputFields,
	outputOptionsField,
	readItemSettings,
} from '../results/settings/settings';
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
		itemOptionsField,
		...settingFields,
	],
	prepare: async (session) => {
		const { context, inputs } = session;
		return sendJobs(session, {
			read: (itemIndex) => readItemSettings(parametersOf(context, itemIndex)),
			proceed: async ({ execution, json }, itemIndexes, settings) => {
				const about = execution === undefined ? json : { ...idsOf(execution), ...json };
				return { ok: true, items: itemOfInput(inputs, itemIndexes, about, settings), about };
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
				const items = itemOfInput(inputs, itemIndexes, json, settings.result);
				return { ok: true, items, about: json };
			},
		});
	},
};
