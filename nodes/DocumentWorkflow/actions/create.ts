import { parametersOf } from '../panel/options';
import { readInputSettings } from '../results/choice';
import { inputOptionsField } from '../results/optionFields';
import { idsOf } from '../results/outputs';
import { itemOfInput } from '../results/result';
import { contentFields } from './fields/content';
import { documentOptionsField } from './fields/documentOptions';
import { documentFields } from './fields/documents';
import { workflowField } from './fields/ids';
import { settingFields } from './fields/settings';
import type { ServiceOperation } from './operation';
import { oncePerItem } from './perItem';
import { sendJobs } from './sending/send';

export const create: ServiceOperation = {
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
		const choiceOf = oncePerItem((itemIndex) =>
			readInputSettings(parametersOf(context, itemIndex)),
		);
		return sendJobs(session, {
			readMore: choiceOf,
			proceed: async ({ execution, json }, itemIndexes) => {
				const about = execution === undefined ? json : { ...idsOf(execution), ...json };
				const choice = choiceOf(itemIndexes[0] ?? 0);
				return { ok: true, items: itemOfInput(inputs, itemIndexes, about, choice), about };
			},
		});
	},
};
