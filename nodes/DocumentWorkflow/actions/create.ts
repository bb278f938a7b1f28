import { hasPauseDownstream, referencesTo } from '../pausing/resumeAddress';
import { idsOf } from '../results/shape';
import { inputsField } from './fields/content';
import { documentOptionsField } from './fields/documentOptions';
import { documentFields } from './fields/documents';
import { workflowField } from './fields/ids';
import { sendingField } from './fields/sending';
import type { Operation } from './operation';
import { sendJobs } from './send';

export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		description:
			'Send documents to a workflow and start an execution, without waiting for its result',
		action: 'Create execution',
	},
	fields: [workflowField, ...documentFields, documentOptionsField, inputsField, sendingField],
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
