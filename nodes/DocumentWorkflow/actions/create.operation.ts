import { parametersOf } from '../panel/options';
import { idsOf } from '../about';
import { itemOfInput } from '../results/items/result';
import { itemOptionsField, readItemSettings } from '../results/settings/settings';
import { contentFields } from './fields/content';
import { documentFields, documentOptionsField, settingFields } from './fields/sending';
import { workflowField } from './fields/ids';
import type { Operation } from './operation';
import { sendJobs } from './sending/send';

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
	prepare: async (session) =>
		sendJobs(
			session,
			(place) => readItemSettings(parametersOf(place)),
			async ({ execution, about: aboutSent }, itemIndexes, settings) => {
				const about = { ...idsOf(execution ?? {}), ...aboutSent };
				const items = itemOfInput(session.inputs, itemIndexes, about, settings);
				return { ok: true, items, about };
			},
		),
};
