import { itemOfInput } from '../results/items/result';
import { outputFields, outputOptionsField } from '../results/settings/settings';
import { contentFields } from './fields/content';
import { workflowField } from './fields/ids';
import { documentFields, documentOptionsField, settingFields } from './fields/sending';
import { waitingField, readWaitSettings } from './fields/waiting';
import type { Operation } from './operation';
import { sendJobs } from './sending/send';
import { waitFor } from './waiting';

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
	prepare: async (session) =>
		sendJobs(session, readWaitSettings, async ({ execution, about }, itemIndexes, settings) => {
			if (execution !== undefined)
				return waitFor(session, { itemIndexes, execution, ...settings, about });
			const items = itemOfInput(session.inputs, itemIndexes, about, settings.result);
			return { ok: true, items, about };
		}),
};
