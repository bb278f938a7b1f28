import { optionsField } from '../panel/options';
import { isPausedBehind } from '../pausing/resumeAddress';
import { idsOf } from '../results/shape';
import { documentFields } from './fields/documents';
import { filterFields } from './fields/filters';
import { workflowField } from './fields/ids';
import { sendingOptions } from './fields/sending';
import { textInputFields } from './fields/textInputs';
import type { Operation } from './operation';
import { startJobs } from './start';

export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		description:
			'Send documents to a workflow and start an execution, without waiting for its result',
		action: 'Create execution',
	},
	fields: [
		workflowField,
		...documentFields,
		...textInputFields,
		...filterFields,
		optionsField(sendingOptions),
	],
	leadsBackFor: (context) => (isPausedBehind(context) ? 0 : undefined),
	prepare: async (session) =>
		startJobs(
			session,
			() => undefined,
			({ execution, json }) =>
				Promise.resolve({
					ok: true,
					items: [{ json: execution === undefined ? json : { ...idsOf(execution), ...json } }],
				}),
		),
};
