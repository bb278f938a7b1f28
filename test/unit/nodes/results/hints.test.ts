import { hintsForShaped } from '../../../../nodes/DocumentWorkflow/results/hints';
import type { Json, JsonRecord } from '../../../../service/contract';
import type { Given } from './support';
import { cell, POLICY, shaped, step } from './support';

const SURE: JsonRecord = { steps: [step('policy', [{ number: cell('CPP-2', 1) }])] };
const messages = (bodies: JsonRecord[], shaping: Given = {}) =>
	hintsForShaped(bodies.map((body) => shaped(body, shaping))).map(({ message }) => message);

describe('Hints', () => {
	it('are not shown without a reason', () => {
		expect(hintsForShaped([])).toEqual([]);
		expect(messages([POLICY, SURE, { status: 'running' }])).toEqual([]);
	});

	it.each<[string, string, JsonRecord, Given]>([
		['warning', '2 values need review', POLICY, { minimumConfidence: 0.8 }],
		['warning', 'The execution failed', { status: 'failed' }, {}],
		[
			'warning',
			'The execution has no confidence scores',
			{ steps: [step('plain', [{ a: 1 }])] },
			{ minimumConfidence: 0.8 },
		],
		['warning', 'The execution has no readable data', {}, {}],
		['info', 'The answer has no steps', { results: { policy: [{ number: cell('x', 1) }] } }, {}],
		['warning', 'The service reports', { ...SURE, status: 'needs_review' }, {}],
		['warning', 'The status "archived" is unknown', { ...SURE, status: 'archived' }, {}],
		['warning', 'No step is named', SURE, { onlySteps: ['polcy'] }],
		['warning', 'No field is named', SURE, { output: 'selected', fields: ['total'] }],
		['warning', "'Minimums per Field': no field is named", SURE, { byField: { total: 0.5 } }],
		[
			'info',
			'There are no rows in "none"',
			{ steps: [step('none', []), step('s', [{ a: 1 }])] },
			{ output: 'rows' },
		],
		['info', 'The items are rows of different steps', POLICY, { output: 'rows' }],
		[
			'info',
			'Extracted fields named "error"',
			{ steps: [step('s', [{ error: 'x' }])] },
			{ output: 'rows' },
		],
	])('are each a warning or an information, here a %s: %s', (type, words, body, given) => {
		expect(hintsForShaped([shaped(body, given)])).toEqual([
			{ type, message: expect.stringContaining(words), location: 'outputPane' },
		]);
	});

	it('name the values to review with their confidence', () => {
		const low = (value: Json, score: number | 'high' | null) => {
			const given = { value, confidence_score: score };
			return messages([{ steps: [step('policy', [{ number: given, sure: cell(1, 1) }])] }], {
				byField: { number: 0.8 },
			});
		};
		expect(low('x', 0.29)).toEqual(['1 value needs review: policy: number (29 %)']);
		expect(low('x', 0.7999)).toEqual(['1 value needs review: policy: number (79 %)']);
		expect(low(null, 0.1)).toEqual(['1 value needs review: policy: number (not found)']);
		for (const score of ['high', null] as const)
			expect(low('x', score)).toEqual([
				'1 value needs review: policy: number (no readable confidence)',
			]);
		expect(low('x', 98)).toEqual(['1 value needs review: policy: number (confidence 98)']);
	});

	it('name three values at most, and count the others and the executions', () => {
		const given = { minimumConfidence: 0.8 };
		const bodies = [POLICY, POLICY, POLICY, ...Array.from({ length: 37 }, () => SURE)];
		expect(messages(bodies, given)).toEqual([
			'6 values need review in 3 of 40 executions: policy: premium (42 %); losses, row 2: paid (50 %); policy: premium (42 %) and 3 more',
		]);
		const three = { a: cell(1, 0.1), b: cell(1, 0.2), 'Policy No.': cell(1, 0.3) };
		expect(messages([{ steps: [step('s', [three])] }], given)).toEqual([
			'3 values need review: s: a (10 %); s: b (20 %); s: Policy No. (30 %)',
		]);
		expect(messages([{ steps: [step('s', [{ ...three, d: cell(1, 0.4) }])] }], given)[0]).toMatch(
			/ and 1 more$/,
		);
	});

	it.each(['simplified', 'rows', 'raw', 'selected'] as const)(
		'name the values as people do in each output: %s',
		(output) => {
			const given = { output, minimumConfidence: 0.45, fields: ['number'] };
			expect(messages([POLICY], given)[0]).toBe('1 value needs review: policy: premium (42 %)');
		},
	);

	it('say how many executions failed, and the first reason', () => {
		const failed = (error: string) => ({ status: 'failed', error });
		expect(messages([failed('page 2 is <missing>')])).toEqual([
			'The execution failed: page 2 is &lt;missing&gt;',
		]);
		expect(messages([SURE, failed('unreadable')])).toEqual([
			'1 of 2 executions failed: unreadable',
		]);
		expect(messages([{ status: 'failed' }, failed('locked'), failed('empty'), SURE])).toEqual([
			'3 of 4 executions failed. First reason: locked',
		]);
		expect(messages([{ status: 'failed' }])).toEqual([
			'The execution failed. The service gives no reason',
		]);
	});

	it('name the fields that came where no data could be read, and cut long names', () => {
		expect(messages([{ pages: 3, ['x'.repeat(1_000)]: '<b>' }])).toEqual([
			expect.stringMatching(
				/^The execution has no readable data\. The answer has these fields: "status", "pages", "x{99}…"\./,
			),
		]);
	});

	it('name the field in which the data was found instead of steps', () => {
		expect(messages([{ results: { policy: [{ number: cell('x', 1) }] } }, SURE])).toEqual([
			'The answer has no steps. The data was read from the field "results"',
		]);
	});

	it('name the steps of a result without any score, and otherwise the steps with rows without one', () => {
		expect(
			messages([{ steps: [step('plain', [{ a: 1 }]), step('empty', [])] }, SURE], {
				minimumConfidence: 0.8,
			}),
		).toEqual(['1 of 2 executions has no confidence scores, so nothing could be judged: "plain"']);
		const plain = { steps: [step('plain', [{ a: 1 }])] };
		expect(messages([plain, plain], { minimumConfidence: 0.8 })).toEqual([
			'2 of 2 executions have no confidence scores, so nothing could be judged: "plain"',
		]);
		const mixed = { steps: [step('plain', [{ a: 1 }]), step('s', [{ a: cell(1, 0.9) }])] };
		expect(messages([mixed], { minimumConfidence: 0.8 })).toEqual([
			'The execution has rows without confidence scores, which are not judged: "plain"',
		]);
	});

	it('show a status that is not known, or that says that not all is well', () => {
		expect(
			messages([
				{ ...SURE, status: 'archived' },
				{ ...SURE, status: 'needs_review' },
			]),
		).toEqual([
			'The service reports that a result is incomplete or needs review: its status is "needs_review"',
			'The status "archived" is unknown to this node. An execution with this status counts as completed if its steps have data, and as running otherwise',
		]);
	});

	it('name the steps without an item, and the fields with another name', () => {
		const steps = [step('none', []), step('s', [{ error: 'x', '': 1 }])];
		expect(messages([{ steps }], { output: 'rows' })).toEqual([
			'There are no rows in "none"',
			'Extracted fields named "error", "" got underscores at the end of their names, because these names are reserved',
		]);
		expect(messages([{ steps }])).toEqual([]);
	});

	it('name the missing steps and the existing ones', () => {
		expect(
			messages([POLICY, SURE, { status: 'running' }], { onlySteps: ['polcy', 'losses'] }),
		).toEqual(['No step is named "polcy"; the steps are: "policy", "losses"']);
	});

	it('say that there is no data, instead of naming missing steps, when no execution has any step', () => {
		expect(messages([{ steps: [] }, { steps: [] }], { onlySteps: ['polcy'] })).toEqual([
			`2 of 2 executions have no readable data. The answer has these fields: "status", "steps". To see all of it, choose 'Raw' under 'Output'`,
		]);
	});

	it('name all missing steps when items ask for different ones', () => {
		const results = [
			shaped(POLICY, { onlySteps: ['polcy'] }),
			shaped(POLICY, { onlySteps: ['losess', 'polcy'] }),
			shaped(SURE, { onlySteps: ['losses'] }),
		];
		expect(hintsForShaped(results).map(({ message }) => message)).toEqual([
			'No step is named "polcy", "losess"; the steps are: "policy", "losses"',
		]);
	});

	it('name all missing fields when items ask for different ones, except those of another execution', () => {
		const results = ['total', 'sum', 'paid'].map((field) =>
			shaped(POLICY, { output: 'selected', fields: [field] }),
		);
		const without = shaped(SURE, { output: 'selected', fields: ['paid', 'number'] });
		expect(hintsForShaped([...results, without]).map(({ message }) => message)).toEqual([
			'No field is named "total", "sum"; the steps are: "policy", "losses"',
		]);
	});

	it('name the missing fields also where there are no steps', () => {
		expect(messages([{}], { output: 'selected', fields: ['total'] })[1]).toBe(
			'No field is named "total"; there are no steps',
		);
	});

	it('name the missing fields', () => {
		expect(messages([POLICY], { output: 'selected', fields: ['total'] })).toEqual([
			'No field is named "total"; the steps are: "policy", "losses"',
		]);
	});

	it('name the steps whose rows are mixed, and only these', () => {
		const invoice = step('invoice', [{ number: cell('A-1', 1) }]);
		const lines = step('lines', [{ amount: cell(1, 1) }, { amount: cell(2, 1) }]);
		const mixed =
			'The items are rows of different steps: "invoice", "lines". For a table with the same columns in each row, enter one of them under \'Step\'';
		const both = { steps: [invoice, lines, step('none', [])] };
		const empty = 'There are no rows in "none"';
		expect(messages([both], { output: 'rows' })).toEqual([empty, mixed]);
		expect(messages([both], { output: 'rows', onlySteps: ['lines'] })).toEqual([]);
		expect(messages([both])).toEqual([]);
		expect(messages([{ steps: [lines, step('none', [])] }], { output: 'rows' })).toEqual([empty]);
	});

	it('escape names, because n8n shows hints as HTML', () => {
		const body = { steps: [step('<img src=x onerror="alert(1)">&', [])] };
		expect(messages([body], { onlySteps: ['<b>'] })).toEqual([
			'No step is named "&lt;b&gt;"; the steps are: "&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;"',
		]);
	});

	it('cut long lists of names', () => {
		const body = { steps: Array.from({ length: 13 }, (_, index) => step(`s${index}`, [])) };
		expect(messages([body], { onlySteps: ['x'] })[0]).toMatch(/"s9" and 3 more$/);
		const shorter = { steps: body.steps.slice(0, 10) };
		expect(messages([shorter], { onlySteps: ['x'] })[0]).toMatch(/"s8", "s9"$/);
	});
});
