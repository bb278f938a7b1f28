import type { Scene } from './scene';
import type { Row } from './row';

const IN_ROWS = { output: 'rows', outputOptions: { minimumConfidence: '0.6' } };

/** The settings of the output, which the operations and the trigger share. */
export const RESULT_ROWS: Record<string, Row<Scene>> = {
	output: { scenes: [{ parameters: { fields: 'premium' } }] },
	fields: { scenes: [{ parameters: { output: 'selected' } }], values: ['premium'] },
	'outputOptions.attachReport': {},
	'outputOptions.below': { scenes: [{ parameters: IN_ROWS }] },
	'outputOptions.fetchData': {},
	'outputOptions.includeConfidence': {},
	'outputOptions.minimumConfidence': { values: ['0.6'] },
	'outputOptions.onlySteps': { values: ['policy'] },
};
