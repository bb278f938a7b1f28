import { readOutputSettings } from '../../../../nodes/DocumentWorkflow/results/settings/settings';

/** Reads the settings of a form, of which only what is given was entered. */
const settingsOf = (form: Record<string, unknown> = {}) =>
	readOutputSettings((name, fallback) => (Object.hasOwn(form, name) ? form[name] : fallback));

const TODAY = new Date().toISOString().slice(0, 10);

describe('The settings of a result', () => {
	it('convert texts in a style, except in Raw', () => {
		const options = { 'outputOptions.values': 'uk', 'outputOptions.numberFields': 'sq_ft, build*' };
		const values = { style: 'uk', numberFields: ['sq_ft', 'build*'], today: TODAY };
		expect(settingsOf(options)).toMatchObject({ values });
		expect(settingsOf({ ...options, output: 'raw' }).values).toBeUndefined();
		expect(settingsOf({ ...options, 'outputOptions.values': 'asExtracted' })).toMatchObject({
			values: { style: undefined },
		});
		expect(settingsOf({ 'outputOptions.requiredFields': 'a, s.b' }).required).toEqual(['a', 's.b']);
	});

	it('have a default where nothing is entered', () => {
		expect(settingsOf()).toEqual({
			output: 'simplified',
			minimums: { general: 0.8, byField: new Map() },
			onlySteps: [],
			includeDetails: false,
			values: { style: undefined, numberFields: [], today: TODAY },
			required: [],
			fields: [],
			attachReport: false,
			includeFiles: false,
		});
	});

	it('of rows select no step where none is named', () => {
		expect(settingsOf({ output: 'rows' })).toMatchObject({ output: 'rows', onlySteps: [] });
	});

	it.each(['simplified', 'rows', 'raw', 'selected'])('can have the output %s', (output) => {
		expect(settingsOf({ output })).toMatchObject({ output });
	});

	it.each([
		['outputOptions.includeDetails', true, { includeDetails: true }],
		['outputOptions.includeDetails', false, { includeDetails: false }],
		['outputOptions.includeFiles', true, { includeFiles: true }],
		['outputOptions.attachReport', true, { attachReport: true }],
		['fields', 'premium, policy.number', { fields: ['premium', 'policy.number'] }],
		['fields', ['premium', 'paid'], { fields: ['premium', 'paid'] }],
		['minimumConfidence', 0.5, { minimums: { general: 0.5, byField: new Map() } }],
	])('are read from the panel: %s %j', (name, value, shaping) => {
		expect(settingsOf({ [name]: value })).toMatchObject(shaping);
	});

	it('name steps for rows only', () => {
		const form = { step: 'losses' };
		expect(settingsOf({ ...form, output: 'rows' }).onlySteps).toEqual(['losses']);
		for (const output of ['simplified', 'raw', 'selected'])
			expect(settingsOf({ ...form, output }).onlySteps).toEqual([]);
	});

	it.each([
		[{ output: 'rows', step: { a: 1 } }, 'Step'],
		[{ fields: { a: 1 } }, 'Fields'],
	])('are refused where names are none: %j', (form, field) => {
		expect(() => settingsOf(form)).toThrow(
			`'${field}' must be names separated by commas, but contains {"a":1}`,
		);
	});
});
