import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { CreateLimits } from '../../connection/connect';
import type { Place } from '../../panel/options';
import { oneOf } from '../../panel/options';
import { readNumber } from '../../panel/values';

/** What to do when the answer to a create was lost. */
export type OnLostResponse = 'fail' | 'again';

const lostResponse: INodeProperties = {
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
};

const maxInParallel: INodeProperties = {
	displayName: 'Maximum in Parallel',
	name: 'maximumInParallel',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100 },
	default: 8,
	description: 'How many executions to start at the same time',
};

/** They say how to send, not what, so n8n shows them on its Settings tab, beside Retry On Fail. */
export const settingFields: INodeProperties[] = [lostResponse, maxInParallel].map((field) => ({
	...field,
	isNodeSetting: true,
}));

export function readLostResponse({ context, itemIndex }: Place): OnLostResponse {
	const given: unknown = context.getNodeParameter(lostResponse.name, itemIndex, null);
	return oneOf<OnLostResponse>(given, ['again'], 'fail');
}

/** The first item's values count for the run. */
export function readLimits(context: IExecuteFunctions): CreateLimits {
	const given: unknown = context.getNodeParameter(maxInParallel.name, 0, null);
	const number = readNumber({ context, itemIndex: 0 }, given, maxInParallel);
	return { maxInParallel: Math.floor(number) };
}
