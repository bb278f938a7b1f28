import type { IExecuteFunctions } from 'n8n-workflow';

import type { JsonRecord } from '../../../../service/contract';
import { jsonObjectOf } from '../../panel/json';
import { readNumber } from '../../panel/values';
import type { Option, Place } from '../../panel/options';
import { collectionField, fieldsOf, oneOf, readOptions } from '../../panel/options';

const additionalFields: Option<JsonRecord> = {
	field: {
		displayName: 'Additional Fields (JSON)',
		name: 'additionalFields',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. {"desk": "claims"}',
		description: 'Other request fields, as one JSON object. Secrets belong in the credential.',
	},
	read: (value, place) =>
		jsonObjectOf(place, value, 'Additional Fields (JSON)', '{"desk": "claims"}'),
};

/** What to do when the answer to a create was lost. */
export type OnLostResponse = 'fail' | 'continue' | 'again';

const lostResponse: Option<OnLostResponse> = {
	field: {
		displayName: 'On Lost Response',
		name: 'lostResponse',
		type: 'options',
		options: [
			{
				name: 'Continue',
				value: 'continue',
				description: 'Continue with the status unknown',
			},
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
	read: (value) => oneOf(value, ['continue', 'again'], 'fail'),
};

const maxInParallelField = {
	displayName: 'Maximum in Parallel',
	name: 'maximumInParallel',
	type: 'number' as const,
	typeOptions: { minValue: 1, maxValue: 100 },
	default: 8,
	description: 'How many executions to start at the same time',
};

const maxInParallel: Option<number> = {
	field: maxInParallelField,
	read: (value, place) => Math.floor(readNumber(place, value, maxInParallelField)),
};

const GROUP = 'sendingOptions';

export const sendingField = collectionField(
	'Sending Options',
	GROUP,
	fieldsOf({ additionalFields, lostResponse, maxInParallel }),
);

export function readLostResponse(place: Place): OnLostResponse {
	return readOptions(place, GROUP, { lostResponse }).lostResponse;
}

/** @throws NodeOperationError naming the place of a mistake in the JSON */
export function readAdditionalFields(place: Place): JsonRecord {
	return readOptions(place, GROUP, { additionalFields }).additionalFields;
}

/** The first item's value counts for the run. */
export function readMaxInParallel(context: IExecuteFunctions): number {
	return readOptions({ context, itemIndex: 0 }, GROUP, { maxInParallel }).maxInParallel;
}
