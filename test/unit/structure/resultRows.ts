import type { Scene } from './scene';
import type { Row } from './row';

export const FIELD_MINIMUMS = { pairs: [{ name: 'premium', minimum: 0.99 }] };
const BY_FIELD = { minimumConfidence: 0, outputOptions: { fieldMinimums: FIELD_MINIMUMS } };

/** The settings of the output, which the operations and the trigger share. */
export const RESULT_ROWS: Record<string, Row<Scene>> = {
	output: { scenes: [{ parameters: { fields: 'premium' } }] },
	fields: { scenes: [{ parameters: { output: 'selected' } }], values: ['premium'] },
	step: { scenes: [{ parameters: { output: 'rows' } }], values: ['policy'] },
	minimumConfidence: { values: [0.4, 0] },
	'outputOptions.attachReport': {},
	'outputOptions.fieldMinimums.pairs.name': {
		scenes: [{ parameters: BY_FIELD }],
		values: ['policy_number', 'limit'],
	},
	'outputOptions.fieldMinimums.pairs.minimum': {
		scenes: [{ parameters: BY_FIELD }],
		values: [0.4],
	},
	'outputOptions.includeDetails': { scenes: [{ parameters: { output: 'rows' } }] },
	'outputOptions.numberFields': {
		scenes: [{ parameters: { outputOptions: { values: 'us' } } }],
		values: ['size'],
	},
	'outputOptions.requiredFields': { values: ['insured'] },
	'outputOptions.values': {},
};
