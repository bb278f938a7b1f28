import { hintsOfData } from '../../../../nodes/DocumentWorkflow/results/words/hints';
import type { JsonRecord } from '../../../../service/contract';
import type { Given } from './support';
import { cell, POLICY, shaped, step } from './support';

const SURE: JsonRecord = { steps: [step('policy', [{ number: cell('CPP-2', 1) }])] };
const messages = async (bodies: JsonRecord[], shaping: Given = {}) =>
	hintsOfData(await Promise.all(bodies.map(async (body) => shaped(body, shaping)))).map(
		({ message }) => message,
	);

describe('Hints', () => {
	it('are not shown without a reason', async () => {
		expect(hintsOfData([])).toEqual([]);
		expect(await messages([POLICY, SURE, { status: 'running' }])).toEqual([]);
	});

	it.each<[string, string, JsonRecord, Given]>([
		['warning', "'Minimums per Field': no field is named", SURE, { byField: { total: 0.5 } }],
		['info', 'The items are rows of different steps', POLICY, { output: 'rows' }],
		[
			'info',
			'Extracted fields named "error"',
			{ steps: [step('s', [{ error: 'x' }])] },
			{ output: 'rows' },
		],
	])('are each a warning or an information, here a %s: %s', async (type, words, body, given) => {
		expect(hintsOfData([await shaped(body, given)])).toEqual([
			{ type, message: expect.stringContaining(words), location: 'outputPane' },
		]);
	});

	it('name the steps with rows without a score, where others have one', async () => {
		const plain = { steps: [step('plain', [{ a: 1 }])] };
		expect(await messages([plain, SURE], { minimumConfidence: 0.8 })).toEqual([]);
		const mixed = { steps: [step('plain', [{ a: 1 }]), step('s', [{ a: cell(1, 0.9) }])] };
		expect(await messages([mixed], { minimumConfidence: 0.8 })).toEqual([
			'Some rows of these steps have no confidence score and were not checked: "plain"',
		]);
	});

	it('name the fields without a value that need review, unless some are required', async () => {
		const losses: JsonRecord[] = [
			{ paid: cell(1, 1) },
			{ paid: cell(null, 0.1), tags: [cell(null, 0.2)] },
		];
		const empty = { d: cell('', 0), e: cell('N/A', 0) };
		const low = { a: cell(null, 0), b: cell(1, 0), c: cell(null, 1), ...empty, losses };
		const body = { steps: [step('s', [low])] };
		expect(await messages([body], { minimumConfidence: 0.8 })).toEqual([
			`Fields without a value need review: "a", "d", "e", "paid", "tags". If these may be empty, add 'Required Fields' to the output options, and name there only the fields that need a value`,
		]);
		expect(await messages([body], { minimumConfidence: 0.8, required: ['a'] })).toEqual([]);
	});

	it('name the fields with another name', async () => {
		const steps = [step('none', []), step('s', [{ error: 'x', '': 1 }])];
		expect(await messages([{ steps }], { output: 'rows' })).toEqual([
			'Extracted fields named "error", "" got underscores at the end of their names, because these names are reserved',
		]);
		expect(await messages([{ steps }])).toEqual([]);
	});

	it('name the steps whose rows are mixed, and only these', async () => {
		const invoice = step('invoice', [{ number: cell('A-1', 1) }]);
		const lines = step('lines', [{ amount: cell(1, 1) }, { amount: cell(2, 1) }]);
		const mixed =
			'The items are rows of different steps: "invoice", "lines". For a table with the same columns in each row, enter one of them under \'Step\'';
		const both = { steps: [invoice, lines, step('none', [])] };
		expect(await messages([both], { output: 'rows' })).toEqual([mixed]);
		expect(await messages([both], { output: 'rows', onlySteps: ['lines'] })).toEqual([]);
		expect(await messages([both])).toEqual([]);
		expect(await messages([{ steps: [lines, step('none', [])] }], { output: 'rows' })).toEqual([]);
	});

	it('escape names, because n8n shows hints as HTML', async () => {
		const body = { steps: [step('<img src=x onerror="alert(1)">&', [])] };
		expect(await messages([body], { byField: { '<b>': 0.5 } })).toEqual([
			'\'Minimums per Field\': no field is named "&lt;b&gt;"; the steps are: "&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;"',
		]);
	});

	it('cut long lists of names', async () => {
		const body = { steps: Array.from({ length: 13 }, (_, index) => step(`s${index}`, [])) };
		expect((await messages([body], { byField: { x: 0.5 } }))[0]).toMatch(/"s9" and 3 more$/);
		const shorter = { steps: body.steps.slice(0, 10) };
		expect((await messages([shorter], { byField: { x: 0.5 } }))[0]).toMatch(/"s8", "s9"$/);
	});
});
