import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { readNumber } from '../../panel/numbers';
import type { Option, ValuesOf } from '../../panel/options';
import { fieldsOf, oneOf, readOptions } from '../../panel/options';
import type { Place } from '../../panel/place';

/** What to do when the answer to a create was lost. */
const ifUnknown: Option<'stop' | 'mark' | 'again'> = {
	field: {
		displayName: 'If the Outcome Is Unknown',
		name: 'ifUnknown',
		type: 'options',
		options: [
			{
				name: 'Continue and Mark',
				value: 'mark',
				description: 'The item goes on with the status unknown',
			},
			{
				name: 'Send Again',
				value: 'again',
				description: 'The documents are sent again. This may start a second execution.',
			},
			{ name: 'Stop', value: 'stop', description: 'The item fails, and says what to check' },
		],
		default: 'stop',
		description:
			'What to do when the connection broke before the service answered: the execution may have been started or not',
	},
	read: (value) => oneOf(value, ['mark', 'again'], 'stop'),
};

/** Where sent documents are remembered: nowhere, for this node, or for all nodes of the n8n workflow. */
const sentMemory: Option<'off' | 'node' | 'workflow'> = {
	field: {
		displayName: 'Skip Documents Already Sent',
		name: 'skipAlreadySent',
		type: 'options',
		options: [
			{ name: 'Off', value: 'off', description: 'Documents are sent each time' },
			{
				name: 'Sent by This Node',
				value: 'node',
				description: 'The safer choice. To forget what was sent, replace the node by a copy of it.',
			},
			{
				name: 'Sent by This Workflow',
				value: 'workflow',
				description:
					'Not together with a Remove Duplicates node of the scope Workflow, because both use the same record. To forget what was sent, let such a node clear it.',
			},
		],
		default: 'off',
		description:
			'Whether to leave out documents that an earlier run has sent to the same workflow of the service. Contents are compared, not names, so it is for files and not for URLs. Only what the service accepted is remembered.',
	},
	read: (value) => oneOf(value, ['node', 'workflow'], 'off'),
};

const maxInParallelField: INodeProperties = {
	displayName: 'Maximum in Parallel',
	name: 'maximumInParallel',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100 },
	default: 8,
	description:
		'How many executions are started at the same time. All slow down together when the service is too busy.',
};

const maxInParallel: Option<number> = {
	field: maxInParallelField,
	read: (value, place) => Math.floor(readNumber(place, value, maxInParallelField)),
};

/** Options for handling a create. They are not sent to the service. */
const HANDLING = { ifUnknown, sentMemory };

/** Options of the whole run. */
const RUN = { maxInParallel };

export const sendingOptions: INodeProperties[] = fieldsOf({ ...HANDLING, ...RUN });

export type SendingOptions = ValuesOf<typeof HANDLING>;

export function readSendingOptions(place: Place): SendingOptions {
	return readOptions(place, HANDLING);
}

/** The first item's value counts for the run. */
export function readMaxInParallel(context: IExecuteFunctions): number {
	return readOptions({ context, itemIndex: 0 }, RUN).maxInParallel;
}
