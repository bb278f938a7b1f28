import { outputFields } from '../results/fields';
import { outputOptionsField } from '../results/optionFields';
import { itemWithoutData } from '../results/result';
import { contentFields } from './fields/content';
import { documentOptionsField } from './fields/documentOptions';
import { documentFields } from './fields/documents';
import { workflowField } from './fields/ids';
import { settingFields } from './fields/settings';
import { readWaitSettings, waitingField } from './fields/waiting';
import type { ServiceOperation } from './operation';
import { oncePerItem } from './perItem';
import { sendJobs } from './sending/send';
import { announceObstacle, waitFor } from './wait';

export const createAndWait: ServiceOperation = {
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
		const settingsOf = oncePerItem((itemIndex) => readWaitSettings({ context, itemIndex }));
		return sendJobs(session, {
			readMore: settingsOf,
			proceed: async ({ execution, json }, itemIndexes) => {
				const settings = settingsOf(itemIndexes[0] ?? 0);
				if (execution !== undefined)
					return waitFor(session, {
						itemIndexes,
						execution,
						...settings,
						isFresh: true,
						beside: json,
					});
				const items = itemWithoutData(inputs, itemIndexes, json, settings.result);
				return { ok: true, items, about: json };
			},
		});
	},
};
