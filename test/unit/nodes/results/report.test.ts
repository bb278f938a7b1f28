import { reportFileName } from '../../../../nodes/DocumentWorkflow/results/report';
import type { Json, JsonRecord } from '../../../../service/contract';
import { parseCsv } from './csv';
import type { Given } from './support';
import { cell, DEFAULT_SHAPING, executionOf, POLICY, shapingOf, step, csvOf } from './support';

const report = (body: JsonRecord, shaping: Given = {}) =>
	csvOf(executionOf(body), shapingOf(shaping)).csv;
const table = (body: JsonRecord, shaping: Given = {}) => parseCsv(report(body, shaping).slice(1));
/** One value as shown in the report. */
const shown = (value: Json) => table({ steps: [step('s', [{ a: cell(value) }])] })[1]?.[2];

describe('The report', () => {
	it('has a line per row: its step and number, the fields of all steps, and what to review', () => {
		expect(table(POLICY, { minimumConfidence: 0.8 })).toEqual([
			['Step', 'Row', 'number', 'premium', 'paid', 'Lowest confidence', 'To review'],
			['policy', '1', 'CPP-1', '1250', '', '0.42', 'premium: 1250 (0.42)'],
			['losses', '1', '', '', '10', '0.9', ''],
			['losses', '2', '', '', '20', '0.5', 'paid: 20 (0.5)'],
		]);
	});

	it('is UTF-8 with a byte order mark, and lines end with CR and LF', () => {
		const text = report({ steps: [step('s', [{ 名: cell('Prämie 東京') }])] });
		expect([...Buffer.from(text).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
		expect(text.slice(1)).toBe('Step,Row,名,Lowest confidence,To review\r\ns,1,Prämie 東京,,\r\n');
	});

	it.each(['a,b', 'say "yes"', 'two\nlines', 'two\r\nlines', '"', ',,'])(
		'keeps %j in one cell',
		(text) => {
			expect(shown(`x${text}`)).toBe(`x${text}`);
		},
	);

	it.each([
		'=1+1',
		'+A1',
		'-A1',
		'-1+1',
		'@SUM(A1)',
		'\rx',
		'\nx',
		'  =1',
		'"=1',
		'＝1',
		'＋1',
		'－1',
		'＠x',
		'=HYPERLINK("http://x.example.com","y")',
		'-12.50 EUR',
		'\t5',
		'+1 (614) 555-0100',
	])('makes %j a text instead of a formula', (text) => {
		expect(shown(text)).toBe(`'${text}`);
	});

	it.each([
		-12.5,
		-1e-7,
		12,
		'-12.50',
		'+5',
		'-1,250.00',
		'-1.250,00',
		'-5 %',
		'1-2',
		'a=b',
		'',
		'a@example.com',
	])('leaves %j as it is', (value) => {
		expect(shown(value)).toBe(String(value));
	});

	it.each<[Json, string]>([
		["x;=cmd|'/C calc'!A0;y", "x;'=cmd|'/C calc'!A0;y"],
		['x; =1', "x; '=1"],
		['x;"=1', 'x;\'"=1'],
		['x;" =1', 'x;\'" =1'],
		['x;\u00A0=1', "x;'\u00A0=1"],
		['x\t+A1', "x\t'+A1"],
		['two\n=1', "two\n'=1"],
		['two\r\n\r\n@x', "two\r\n\r\n'@x"],
		['x;＝1;＠y', "x;'＝1;'＠y"],
		['\t=1', "'\t'=1"],
		['=1;=2', "'=1;'=2"],
		[['a', '=1'], "a; '=1"],
		[[5, -3], "5; '-3"],
		['x\n-5;y', "x\n'-5;y"],
		[{ a: ';=1' }, '{"a":";\'=1"}'],
	])(
		"makes no formula within %j after a line end or another country's list separator",
		(value, text) => {
			expect(shown(value)).toBe(text);
		},
	);

	it.each(['x;5', 'a;b=c', 'a;b-c', ';', ';;\t', 'x;'])('leaves %j as it is', (value) => {
		expect(shown(value)).toBe(value);
	});

	it.each(['a;b', 'a\tb'])('puts %j in quotes, for programs that split there', (value) => {
		expect(report({ steps: [step('s', [{ a: cell(value) }])] })).toContain(`s,1,"${value}",,`);
	});

	it.each([`-5${' '.repeat(200_000)}x`, `x;${' '.repeat(200_000)}x`, `x;${'"'.repeat(200_000)}x`])(
		'reads a long text in time that grows with its length',
		(value) => {
			const start = performance.now();
			shown(value);
			expect(performance.now() - start).toBeLessThan(2_000);
		},
	);

	it('has no formula in names', () => {
		expect(
			table({ steps: [step('=s', [{ '@a': cell(1, 0) }])] }, { minimumConfidence: 0.5 }),
		).toEqual([
			['Step', 'Row', "'@a", 'Lowest confidence', 'To review'],
			["'=s", '1', '1', '0', '["@a"]: 1 (0)'],
		]);
	});

	it('joins lists of plain values, and writes nested values as JSON', () => {
		expect(shown(['a', 1, true])).toBe('a; 1; true');
		expect(shown(['=1', 'b'])).toBe("'=1; b");
		expect(shown([{ a: 1 }, null])).toBe('[{"a":1},null]');
		expect(shown([1, { a: 1 }])).toBe('[1,{"a":1}]');
		expect(shown({ a: 'x,"y"' })).toBe('{"a":"x,\\"y\\""}');
		expect([shown(true), shown(null)]).toEqual(['true', '']);
	});

	it('has a line for a step without rows, with the data it has instead', () => {
		const steps = [step('empty', []), { step_name: 'text', data: { text: 'none' } }];
		expect(table({ steps })).toEqual([
			['Step', 'Row', 'Data', 'Lowest confidence', 'To review'],
			['empty', '', '', '', ''],
			['text', '', '{"text":"none"}', '', ''],
		]);
	});

	it('has only the heading when an execution has no steps', () => {
		expect(table({ status: 'running' })).toEqual([
			['Step', 'Row', 'Lowest confidence', 'To review'],
		]);
	});

	it('numbers its own columns when a field has the same name', () => {
		expect(
			table({ steps: [step('s', [{ step: cell(1), 'Step 2': cell(2), Row: cell(3) }])] })[0],
		).toEqual(['Step 3', 'Row 2', 'step', 'Step 2', 'Row', 'Lowest confidence', 'To review']);
	});

	it('has empty cells for fields that a row does not have, whatever their names', () => {
		const steps = JSON.parse(
			'[{"step_name": "s", "data": [{"__proto__": 1}, {"constructor": 2}]}]',
		) as Json[];
		expect(table({ steps })).toEqual([
			['Step', 'Row', '__proto__', 'constructor', 'Lowest confidence', 'To review'],
			['s', '1', '1', '', '', ''],
			['s', '2', '', '2', '', ''],
		]);
	});

	it('shows only the confidence of a value that was not found', () => {
		expect(
			table({ steps: [step('s', [{ a: cell(null, 0) }])] }, { minimumConfidence: 0.5 })[1]?.at(-1),
		).toBe('a (0)');
	});

	it('says that the confidence of a value to review cannot be read', () => {
		const row = { a: { value: 'x', confidence_score: 'high' } };
		expect(table({ steps: [step('s', [row])] }, { minimumConfidence: 0.5 })[1]?.at(-1)).toBe(
			'a: x (no readable confidence)',
		);
	});

	it('follows Only Steps and the setting for values below the minimum', () => {
		expect(
			table(POLICY, { onlySteps: ['losses'], minimumConfidence: 0.8, onlyReview: true }),
		).toEqual([
			['Step', 'Row', 'paid', 'Lowest confidence', 'To review'],
			['losses', '2', '20', '0.5', 'paid: 20 (0.5)'],
		]);
		expect(
			table(POLICY, { onlySteps: ['losses'], minimumConfidence: 0.8, below: 'blank' })[2],
		).toEqual(['losses', '2', '', '0.5', 'paid: 20 (0.5)']);
	});
});

describe('The report of rows that have few fields in common', () => {
	const sparse = (length: number) => ({
		steps: [
			step(
				'losses',
				Array.from({ length }, (_, index) => ({ [`claim ${index}`]: cell(`=${index}`, 0.4) })),
			),
			step('none', []),
			{ step_name: 'text', data: 'see file' },
		],
	});

	it('has a line for each value, with its confidence and whether to review it', () => {
		const { csv, isLong } = csvOf(executionOf(sparse(400)), shapingOf({ minimumConfidence: 0.5 }));
		expect(isLong).toBe(true);
		const lines = parseCsv(csv.slice(1));
		expect(lines).toHaveLength(403);
		expect([...lines.slice(0, 2), ...lines.slice(-2)]).toEqual([
			['Step', 'Row', 'Field', 'Value', 'Lowest confidence', 'To review'],
			['losses', '1', 'claim 0', "'=0", '0.4', '["claim 0"]: =0 (0.4)'],
			['none', '', '', '', '', ''],
			['text', '', '', 'see file', '', ''],
		]);
	});

	it('has a line for a row without values, and one for all cells of a table to review', () => {
		const { steps } = sparse(400);
		const losses = cell([{ paid: cell(1, 0.1), note: cell('x', 0.2) }]);
		const lines = table(
			{ steps: [...steps, step('odd', [{}, { losses }])] },
			{ minimumConfidence: 0.5 },
		);
		expect(lines.slice(-2)).toEqual([
			['odd', '1', '', '', '', ''],
			[
				'odd',
				'2',
				'losses',
				'[{"paid":1,"note":"x"}]',
				'0.1',
				'losses[0].paid: 1 (0.1); losses[0].note: x (0.2)',
			],
		]);
	});

	it.each([
		['100,000 cells', [...oneEach(250), ...oneEach(150, 250)], false],
		['100,250 cells', [...oneEach(250), ...oneEach(151, 250)], true],
		['110,000 cells, of which a tenth has a value', elevenEach(0), false],
		['110,000 cells, of which less than a tenth has a value', elevenEach(1), true],
	])('would have more than 100,000 cells, most of them empty: %s', (_what, places, isLong) => {
		const rows: Array<Record<string, Json>> = [];
		for (const [row, field] of places) (rows[row] ??= {})[`field ${field}`] = 1;
		expect(csvOf(executionOf({ steps: [step('s', rows)] }), DEFAULT_SHAPING).isLong).toBe(isLong);
	});

	it('is a table below the limit, and where most cells have a value', () => {
		const dense = step(
			's',
			Array.from({ length: 6_000 }, () => Object.fromEntries(FIELDS.map((name) => [name, 1]))),
		);
		for (const body of [sparse(300), { steps: [dense] }])
			expect(csvOf(executionOf(body), DEFAULT_SHAPING).isLong).toBe(false);
	});

	it('takes time and memory that grow with the answer, not with its square', () => {
		const body = sparse(20_000);
		expect(JSON.stringify(body).length).toBeGreaterThan(910_000);
		const execution = executionOf(body);
		const before = process.cpuUsage();
		const { csv } = csvOf(execution, shapingOf({ minimumConfidence: 0.5 }));
		const { user, system } = process.cpuUsage(before);
		expect((user + system) / 1_000).toBeLessThan(5_000);
		expect(csv.length).toBeLessThan(2_000_000);
	});
});

/** The row and the number of the field of each value. */
type Place = [row: number, field: number];

/** A value in each of these rows, each in a field of its own. */
function oneEach(rows: number, firstField = 0): Place[] {
	return Array.from({ length: rows }, (_, row) => [row, firstField + row]);
}

/** Values in 11 of 110 fields of 1,000 rows, except in the first places. */
function elevenEach(without: number): Place[] {
	return Array.from({ length: 11_000 }, (_, index): Place => [
		Math.floor(index / 11),
		index % 110,
	]).slice(without);
}

const FIELDS = Array.from({ length: 20 }, (_, index) => `field ${index}`);

describe('The name of the report', () => {
	it.each([
		['policy-intake', 'ex_1', 'policy-intake-ex_1.csv'],
		['../../etc', 'a b/c\\d:e', '_etc-a_b_c_d_e.csv'],
		['CON.x', '東京', 'CON_x-_.csv'],
		['w'.repeat(300), 'e'.repeat(300), `${'w'.repeat(80)}-${'e'.repeat(80)}.csv`],
	])('is, for workflow %j and execution %j, %j', (workflowId, executionId, name) => {
		expect(reportFileName({ workflowId, executionId }, 'csv')).toBe(name);
	});
});
