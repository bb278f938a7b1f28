import type { INodeProperties } from 'n8n-workflow';

import { readOutputSettings } from '../../../../nodes/DocumentWorkflow/results/choice';
import { outputOptionsField } from '../../../../nodes/DocumentWorkflow/results/optionFields';
import { node } from '../../support/context';
import type { Given } from './support';
import { cell, executionOf, onlyItem, POLICY, shaped, shapingOf, step, shapeOf } from './support';
import type { JsonRecord } from '../../../../service/contract';
import { growthOf, LINEAR } from '../../support/growth';

const DETAILS = ['none', 'short', 'full'] as const;

/** With full details. */
const rows = (body: JsonRecord, shaping: Given = {}) =>
	shaped(body, { output: 'rows', rowDetails: 'full', ...shaping }).items;

/** With short details, as without the option. */
const short = (body: JsonRecord, shaping: Given = {}) =>
	shaped(body, { output: 'rows', ...shaping }).items;

describe('One Item per Row', () => {
	it('returns each row with its fields as columns, and behind them what to review and where it is from', () => {
		expect(short(POLICY, { minimumConfidence: 0.8 })).toEqual([
			{
				number: 'CPP-1',
				premium: 1250,
				needsReview: true,
				_lowConfidenceFields: [{ field: 'premium', value: 1250, confidence: 0.42 }],
				_step: 'policy',
				_row: 1,
				_executionId: 'e',
			},
			{
				paid: 10,
				needsReview: false,
				_lowConfidenceFields: [],
				_step: 'losses',
				_row: 1,
				_executionId: 'e',
			},
			{
				paid: 20,
				needsReview: true,
				_lowConfidenceFields: [{ field: 'paid', value: 20, confidence: 0.5 }],
				_step: 'losses',
				_row: 2,
				_executionId: 'e',
			},
		]);
	});

	it('has its columns in the same order in each row, and the list of values only where they are judged', () => {
		const columns = (shaping: Given) => short(POLICY, shaping).map((item) => Object.keys(item));
		const place = ['_step', '_row', '_executionId'];
		const review = ['needsReview', '_lowConfidenceFields'];
		for (const shaping of [{ minimumConfidence: 0.8 }, { byField: { paid: 0.1 } }])
			expect(columns(shaping)).toEqual([
				['number', 'premium', ...review, ...place],
				['paid', ...review, ...place],
				['paid', ...review, ...place],
			]);
		expect(columns({})[0]).toEqual(['number', 'premium', 'needsReview', ...place]);
	});

	it('has short details unless Row Details is added, which begins with None', () => {
		const added = (outputOptionsField.options as INodeProperties[]).find(
			({ name }) => name === 'rowDetails',
		);
		const read = (value: unknown) =>
			readOutputSettings(node, (name) => (name === 'outputOptions.rowDetails' ? value : null), 0)
				.shaping.rowDetails;
		expect([null, added?.default, 'full', 'other'].map(read)).toEqual([
			'short',
			'none',
			'full',
			'short',
		]);
	});

	it('has an item with all details where a step has no row', () => {
		const steps = [step('empty', []), { step_name: 'text', data: 'none' }];
		expect(short({ steps })).toEqual(rows({ steps }));
		expect(short({ steps })).toMatchObject([
			{ _execution: { step: 'empty', row: null } },
			{ _execution: { step: 'text', row: null, data: 'none' } },
		]);
	});

	it.each(['running', 'failed'])(
		'has all details where the execution is %s, whose rows must not pass for finished ones',
		(status) => {
			for (const rowDetails of DETAILS) {
				const items = shaped(
					{ ...POLICY, status, error: 'page 2 is missing' },
					{ output: 'rows', rowDetails },
				).items;
				expect(items).toEqual(rows({ ...POLICY, status, error: 'page 2 is missing' }));
				expect(items[0]).toMatchObject({ number: 'CPP-1', _execution: { status, row: 1 } });
			}
		},
	);
});

describe('A row with full details', () => {
	it('returns each row with its fields as columns, and the rest in one field', () => {
		expect(rows(POLICY, { minimumConfidence: 0.8 })).toEqual([
			{
				number: 'CPP-1',
				premium: 1250,
				needsReview: true,
				_execution: {
					step: 'policy',
					row: 1,
					lowConfidenceFields: [{ field: 'premium', value: 1250, confidence: 0.42 }],
					lowestConfidence: 0.42,
					confidence: { number: 0.98, premium: 0.42 },
					status: 'completed',
					externalId: 'INV-1',
					workflowId: 'w',
					executionId: 'e',
				},
			},
			{
				paid: 10,
				needsReview: false,
				_execution: expect.objectContaining({
					step: 'losses',
					row: 1,
					lowestConfidence: 0.9,
					lowConfidenceFields: [],
				}) as unknown,
			},
			{
				paid: 20,
				needsReview: true,
				_execution: expect.objectContaining({ step: 'losses', row: 2 }) as unknown,
			},
		]);
	});

	it('begins with the extracted fields, and its details with what a reader looks for', () => {
		const [item = {}] = rows(POLICY, { minimumConfidence: 0.8 });
		expect(Object.keys(item)).toEqual(['number', 'premium', 'needsReview', '_execution']);
		expect(Object.keys(item._execution as object)).toEqual(
			'step row lowConfidenceFields lowestConfidence confidence status externalId workflowId executionId'.split(
				' ',
			),
		);
	});

	it('has what was sent among the details', () => {
		const { items } = shapeOf(
			executionOf(POLICY),
			shapingOf({ output: 'rows', rowDetails: 'full' }),
			{ documents: [{ fileName: 'a.pdf' }] },
		);
		for (const item of items)
			expect(item).toMatchObject({ _execution: { documents: [{ fileName: 'a.pdf' }] } });
	});

	it('returns an item for a step without rows too, with the data it has instead', () => {
		const steps = [
			step('empty', []),
			{ step_name: 'text', data: 'none' },
			step('table', [{ a: 1 }]),
		];
		const details = { confidence: {}, status: 'completed', workflowId: 'w', executionId: 'e' };
		expect(rows({ steps })).toEqual([
			{ needsReview: false, _execution: { step: 'empty', row: null, ...details } },
			{ needsReview: false, _execution: { step: 'text', row: null, data: 'none', ...details } },
			{
				a: 1,
				needsReview: false,
				_execution: { step: 'table', row: 1, ...details, confidence: { a: null } },
			},
		]);
	});

	it.each([[{ status: 'running' }], [{ status: 'failed', error: 'unreadable' }], [{ steps: [] }]])(
		'returns one item for an execution without steps: %j',
		(body) => {
			for (const rowDetails of DETAILS)
				expect(rows(body, { minimumConfidence: 0.8, rowDetails })).toEqual([
					{
						needsReview: true,
						_execution: expect.objectContaining({
							executionId: 'e',
							step: null,
							row: null,
						}) as unknown,
					},
				]);
		},
	);

	it('returns the reason of a failed execution', () => {
		expect(rows({ status: 'failed', error: 'unreadable' })[0]).toMatchObject({
			_execution: { status: 'failed', failureReason: 'unreadable' },
		});
	});

	it('keeps extracted fields apart from fields of the execution with the same name', () => {
		const [item] = rows({ steps: [step('s', [{ status: cell('open'), row: cell(9) }])] });
		expect(item).toMatchObject({
			status: 'open',
			row: 9,
			_execution: { status: 'completed', row: 1 },
		});
	});

	it('returns rows in time in proportion to their number', async () => {
		const table = (length: number): JsonRecord => ({
			steps: [
				step(
					's',
					Array.from({ length }, (_, index) => ({ a: cell(index, 0.9), b: cell('x', 0.1) })),
				),
			],
		});
		const shown = (body: JsonRecord) => rows(body, { minimumConfidence: 0.5 });
		expect(shown(table(20_000))).toHaveLength(20_000);
		expect(await growthOf(table, shown, 20_000)).toBeLessThan(LINEAR);
		expect(rows(table(10_000)).at(-1)).toMatchObject({
			a: 9_999,
			b: 'x',
			_execution: { row: 10_000 },
		});
	});
});

describe('A row without its details', () => {
	const bare = (body: JsonRecord, shaping: Given = {}) =>
		rows(body, { rowDetails: 'none', ...shaping });

	it('has its extracted fields alone, so that they map to the columns of a table', () => {
		expect(bare(POLICY, { minimumConfidence: 0.8 })).toEqual([
			{ number: 'CPP-1', premium: 1250 },
			{ paid: 10 },
			{ paid: 20 },
		]);
	});

	it('is no item where a step has no row, which would be an empty line of a table', () => {
		const steps = [step('none', []), step('blank', [{}]), step('table', [{ a: 1 }])];
		expect(bare({ steps })).toEqual([{ a: 1 }]);
		const emptySteps = DETAILS.map(
			(rowDetails) => shaped({ steps }, { output: 'rows', rowDetails }).emptySteps,
		);
		expect(emptySteps).toEqual([['none', 'blank'], [], []]);
	});

	it('keeps the details where a step has other data, because that would be lost', () => {
		expect(bare({ steps: [{ step_name: 'text', data: 'none' }] })).toMatchObject([
			{ _execution: { step: 'text', data: 'none' } },
		]);
	});
});

describe('An extracted field that an item cannot have', () => {
	const hostile = JSON.parse(
		'{"__proto__": {"value": 1, "confidence_score": 0.1}, "error": "x", "$error": "x", "_execution": 2, "_files": 4, "": 3, "error_": "y", "constructor": "c", "needsReview": 5, "_lowConfidenceFields": 6, "_step": 7, "_row": 8, "_executionId": 9}',
	) as JsonRecord;

	const free = {
		__proto___: 1,
		error__: 'x',
		$error_: 'x',
		_execution_: 2,
		_files_: 4,
		_: 3,
		error_: 'y',
		constructor: 'c',
		needsReview_: 5,
		_lowConfidenceFields_: 6,
		_step_: 7,
		_row_: 8,
		_executionId_: 9,
	};

	it('has underscores at the end of its name, until the name is free', () => {
		const [item = {}] = rows({ steps: [step('s', [hostile])] }, { minimumConfidence: 0.5 });
		const { _execution: details, needsReview, ...fields } = item;
		expect(fields).toEqual(free);
		expect(needsReview).toBe(true);
		expect(Object.getPrototypeOf(item)).toBe(Object.prototype);
		expect(details).toMatchObject({
			lowConfidenceFields: [{ field: '__proto___', value: 1, confidence: 0.1 }],
			confidence: { __proto___: 0.1 },
		});
	});

	it('has the same name whatever the details, and takes the place of none of them', () => {
		const body = { steps: [step('s', [hostile])] };
		expect(rows(body, { rowDetails: 'none' })).toEqual([free]);
		expect(short(body)).toEqual([
			{ ...free, needsReview: false, _step: 's', _row: 1, _executionId: 'e' },
		]);
	});

	it('is reported by its name, and others keep theirs', () => {
		const renamed = (body: JsonRecord) => shaped(body, { output: 'rows' }).renamedFields;
		expect(renamed({ steps: [step('s', [hostile, { error: 1 }])] })).toEqual([
			'__proto__',
			'error',
			'$error',
			'_execution',
			'_files',
			'',
			'needsReview',
			'_lowConfidenceFields',
			'_step',
			'_row',
			'_executionId',
		]);
		expect(renamed(POLICY)).toEqual([]);
	});

	it('is judged by the minimum that its own name has', () => {
		const steps = [step('s', [{ error: cell('x', 0.5) }])];
		for (const name of ['error', 's.error'])
			expect(rows({ steps }, { byField: { [name]: 0.9 } })).toMatchObject([
				{ needsReview: true, _execution: { lowConfidenceFields: [{ field: 'error_' }] } },
			]);
	});

	it('is not judged by the minimum of another field', () => {
		const steps = [step('s', [{ error: cell('x', 0.5), other: cell('y', 0.95) }])];
		expect(rows({ steps }, { byField: { other: 0.9, 's.other': 0.9 } })).toMatchObject([
			{ needsReview: false, _execution: { lowConfidenceFields: [] } },
		]);
	});

	it('keeps its name where it is not at the top level', () => {
		const steps = [step('s', [{ error: cell('x') }])];
		expect(onlyItem({ steps })).toMatchObject({ data: { s: [{ error: 'x' }] } });
		const table = cell([{ error: cell('x', 0.9) }]);
		expect(rows({ steps: [step('s', [{ table }])] })).toMatchObject([{ table: [{ error: 'x' }] }]);
	});

	it('is returned whole when its name is very long, but its path is short', () => {
		const name = 'x'.repeat(100_000);
		const [item = {}] = rows(
			{ steps: [step('s', [{ [name]: cell(1, 0.1) }])] },
			{ minimumConfidence: 0.5 },
		);
		expect(item[name]).toBe(1);
		expect(item._execution).toMatchObject({
			lowConfidenceFields: [{ field: `["${'x'.repeat(199)}…"]`, value: 1 }],
		});
	});

	it('is renamed however many of the possible names are taken', () => {
		const names = Array.from({ length: 300 }, (_, index) => `error${'_'.repeat(index)}`);
		const row = Object.fromEntries(names.map((name) => [name, 1]));
		const [item = {}] = rows({ steps: [step('s', [row])] });
		expect(item[`error${'_'.repeat(300)}`]).toBe(1);
		expect(item).not.toHaveProperty('error');
	});
});
