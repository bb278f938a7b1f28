import type { Scene } from './scene';
import type { Row } from './row';

const IN_ROWS = { output: 'rows', options: { minimumConfidence: '0.6' } };

/** The settings of the output, which the operations and the trigger share. */
export const RESULT_ROWS: Record<string, Row<Scene>> = {
	output: { scenes: [{ parameters: { fields: 'premium' } }] },
	fields: { scenes: [{ parameters: { output: 'selected' } }], values: ['premium'] },
	'options.attachReport': { values: [['csv'], ['html'], ['markdown'], ['csv', 'html']] },
	'options.below': { scenes: [{ parameters: IN_ROWS }] },
	'options.fetchData': {},
	'options.includeConfidence': {},
	'options.minimumConfidence': { values: ['0.6'] },
	'options.onlySteps': { values: ['policy'] },
};
