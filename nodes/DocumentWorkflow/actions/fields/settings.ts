import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { CreateLimits } from '../../connection/connect';
import type { Option, Place } from '../../panel/options';
import { fieldsOf, oneOf, readNumber, readOptions } from '../../panel/options';

/** What to do when the answer to a create was lost. */
export type OnLostResponse = 'fail' | 'again';

const lostResponse: Option<OnLostResponse> = {
	field: {
		displayName: 'On Lost Response',
		name: 'lostResponse',
		type: 'options',
		options: [
			{ name: 'Fail', value: 'fail', description: 'Stop with an error that says what to check' },
			{
				name: 'Send Again',
				value: 'again',
				description: 'Send the documents again, which may start a second execution',
			},
		],
		default: 'fail',
		description: 'What to do when the connection breaks before the service responds',
	},
	read: (value) => oneOf(value, ['again'], 'fail'),
};

const maxInParallelField: INodeProperties = {
	displayName: 'Maximum in Parallel',
	name: 'maximumInParallel',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100 },
	default: 8,
	description: 'How many executions to start at the same time',
};

const maxInParallel: Option<number> = {
	field: maxInParallelField,
	read: (value, place) => Math.floor(readNumber(place, value, maxInParallelField)),
};

/** The limits of a run. */
const LIMITS = { maxInParallel };

/** They say how to send, not what, so n8n shows them on its Settings tab, beside Retry On Fail. */
export const settingFields: INodeProperties[] = fieldsOf({ lostResponse, ...LIMITS }).map(
	(field) => ({ ...field, isNodeSetting: true }),
);

export function readLostResponse(place: Place): OnLostResponse {
	return readOptions(place, undefined, { lostResponse }).lostResponse;
}

/** The first item's values count for the run. */
export function readLimits(context: IExecuteFunctions): CreateLimits {
	return readOptions({ context, itemIndex: 0 }, undefined, LIMITS);
}
