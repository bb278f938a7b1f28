import { cell, POLICY, shaped, step } from './support';
import type { JsonRecord } from '../../../../service/contract';
import type { Shaping } from '../../../../nodes/DocumentWorkflow/results/choice';

const rows = (body: JsonRecord, shaping: Partial<Shaping> = {}) =>
	shaped(body, { output: 'rows', ...shaping }).items;

describe('One Item per Row', () => {
	it('returns each row with its execution, step and number, counted from 1', () => {
		expect(rows(POLICY, { minimumConfidence: 0.8 })).toEqual([
			{
				workflowId: 'w',
				executionId: 'e',
				status: 'completed',
				externalId: 'INV-1',
				stepName: 'policy',
				row: 1,
				needsReview: true,
				lowestConfidence: 0.42,
				fields: { number: 'CPP-1', premium: 1250 },
				confidence: { number: 0.98, premium: 0.42 },
				lowConfidenceFields: [{ field: 'premium', value: 1250, confidence: 0.42 }],
			},
			expect.objectContaining({
				stepName: 'losses',
				row: 1,
				needsReview: false,
				lowestConfidence: 0.9,
				fields: { paid: 10 },
				lowConfidenceFields: [],
			}),
			expect.objectContaining({
				stepName: 'losses',
				row: 2,
				needsReview: true,
				fields: { paid: 20 },
			}),
		]);
	});

	it('returns an item for a step without rows too, with the data it has instead', () => {
		const steps = [
			step('empty', []),
			{ step_name: 'text', data: 'none' },
			step('table', [{ a: 1 }]),
		];
		expect(
			rows({ steps }).map(({ stepName, row, fields, data }) => ({ stepName, row, fields, data })),
		).toEqual([
			{ stepName: 'empty', row: null, fields: {}, data: undefined },
			{ stepName: 'text', row: null, fields: {}, data: 'none' },
			{ stepName: 'table', row: 1, fields: { a: 1 }, data: undefined },
		]);
		expect(rows({ steps })[0]).not.toHaveProperty('data');
	});

	it.each([[{ status: 'running' }], [{ status: 'failed', error: 'unreadable' }], [{ steps: [] }]])(
		'returns one item for an execution without steps: %j',
		(body) => {
			expect(rows(body)).toEqual([
				expect.objectContaining({
					executionId: 'e',
					stepName: null,
					row: null,
					fields: {},
					needsReview: true,
				}),
			]);
		},
	);

	it('returns the reason of a failed execution', () => {
		expect(rows({ status: 'failed', error: 'unreadable' })[0]).toMatchObject({
			status: 'failed',
			failureReason: 'unreadable',
		});
	});

	it('keeps extracted fields apart from fields of the item with the same name, such as error', () => {
		const [item] = rows({
			steps: [step('s', [{ error: cell('x'), status: cell('open'), row: cell(9) }])],
		});
		expect(item).toMatchObject({
			status: 'completed',
			row: 1,
			fields: { error: 'x', status: 'open', row: 9 },
		});
		expect(item).not.toHaveProperty('error');
	});

	it('omits the confidence when it is switched off', () => {
		for (const item of rows(POLICY, { includeConfidence: false }))
			expect(item).not.toHaveProperty('confidence');
	});

	it('returns twenty thousand rows in time proportional to their number', () => {
		const table = (length: number): JsonRecord => ({
			steps: [
				step(
					's',
					Array.from({ length }, (_, index) => ({ a: cell(index, 0.9), b: cell('x', 0.1) })),
				),
			],
		});
		const time = (length: number): number => {
			const start = performance.now();
			expect(rows(table(length), { minimumConfidence: 0.5 })).toHaveLength(length);
			return performance.now() - start;
		};
		const few = Math.max(5, time(1_000), time(1_000));
		// Twenty times as many rows take about twenty times as long; were each row compared with each other, 400 times.
		expect(Math.min(time(20_000), time(20_000))).toBeLessThan(100 * few);
		expect(rows(table(10_000)).at(-1)).toMatchObject({ row: 10_000, fields: { a: 9_999, b: 'x' } });
	});
});
