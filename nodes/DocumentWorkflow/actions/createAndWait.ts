import { optionsField } from '../panel/options';
import { outputFields, shapingOptions } from '../results/fields';
import { inputBeside } from '../results/result';
import { documentFields } from './fields/documents';
import { filterFields } from './fields/filters';
import { workflowField } from './fields/ids';
import { sendingOptions } from './fields/sending';
import { textInputFields } from './fields/textInputs';
import { howToWaitField, readWaitChoice, waitingOptions } from './fields/waiting';
import type { Operation } from './operation';
import { startJobs } from './start';
import { readWaiting, waitFor } from './wait';

export const createAndWait: Operation = {
	option: {
		name: 'Create and Wait',
		value: 'createAndWait',
		description:
			'Send documents to a workflow, wait until the execution has ended, and output its data',
		action: 'Create execution and wait for completion',
	},
	fields: [
		workflowField,
		...documentFields,
		...textInputFields,
		howToWaitField,
		...outputFields,
		...filterFields,
		optionsField([...sendingOptions, ...waitingOptions, ...shapingOptions]),
	],
	leadsBackFor: (context) => {
		const { how, longestPauseMilliseconds } = readWaitChoice(context, 0);
		return how === 'pause' ? longestPauseMilliseconds : undefined;
	},
	prepare: async (session) => {
		const checkWait = (itemIndex: number) => void readWaiting(session, itemIndex);
		return startJobs(
			session,
			checkWait,
			async ({ execution, json: beside, leadsBack }, itemIndexes) => {
				const choice = readWaiting(session, itemIndexes[0] ?? 0);
				if (execution === undefined)
					return {
						ok: true,
						items: [{ json: { ...beside, ...inputBeside(session.inputs, itemIndexes, choice) } }],
					};
				return waitFor(session, {
					itemIndexes,
					execution,
					choice,
					leadsBack,
					isFresh: true,
					beside,
				});
			},
		);
	},
};
