import { hasPauseDownstream, referencesTo } from '../pausing/resumeAddress';
import { optionsField } from '../panel/options';
import { idsOf } from '../results/shape';
import { contentOptions } from './fields/content';
import { documentFields } from './fields/documents';
import { filterFields } from './fields/filters';
import { workflowField } from './fields/ids';
import { sendingOptions } from './fields/sending';
import { textInputFields } from './fields/textInputs';
import type { Operation } from './operation';
import { sendJobs } from './send';

export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		description:
			'Send documents to a workflow and start an execution, without waiting for its result',
		action: 'Send documents to workflow',
	},
	fields: [
		workflowField,
		...documentFields,
		...textInputFields,
		...filterFields,
		optionsField([...contentOptions, ...sendingOptions]),
	],
	prepare: async (session) => {
		const { context, connection } = session;
		return sendJobs(session, {
			readMore: () => undefined,
			reference: hasPauseDownstream(context) ? referencesTo(context, connection.sealer) : undefined,
			proceed: async ({ execution, json }) => ({
				ok: true,
				items: [{ json: execution === undefined ? json : { ...idsOf(execution), ...json } }],
			}),
		});
	},
};
