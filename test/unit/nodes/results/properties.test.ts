import { runInNewContext } from 'node:vm';
import { csvReport } from '../../../../nodes/DocumentWorkflow/results/reportCsv';
import type { Json } from '../../../../service/contract';
import { cellsSplitAt, isCalculated, parseCsv } from './csv';
import type { MadeStep } from './made';
import { madeExecution } from './made';
import { cell, DEFAULT_SHAPING, executionOf, onlyItem, shaped, step } from './support';
import { cases, fc } from '../../../properties';

jest.setTimeout(60_000);

const RUNS = cases(200);

/** Compares as text, because n8n stores items as text, and because it includes fields named __proto__. */
const same = (actual: unknown, expected: unknown) =>
	expect(JSON.stringify(actual)).toBe(JSON.stringify(expected));

/** Unique names of steps, found the slow way. */
function namesOf(steps: MadeStep[]): string[] {
	return steps.reduce<string[]>((names, { stepName }) => {
		const candidates = [stepName, ...steps.map((_, index) => `${stepName}_${index + 2}`)];
		return [...names, candidates.find((candidate) => !names.includes(candidate)) ?? ''];
	}, []);
}

const byName = <T>(steps: MadeStep[], pick: (step: MadeStep) => T) =>
	Object.fromEntries(
		namesOf(steps).flatMap((name, index) =>
			steps.slice(index, index + 1).map((step) => [name, pick(step)]),
		),
	);
const dataOf = ({ rows, other }: MadeStep): Json =>
	other === undefined ? rows.map(({ value }) => value) : other;
const scoresIn = (steps: MadeStep[]) =>
	steps.flatMap(({ rows }) => rows.flatMap(({ scores }) => scores));
const unreadableIn = (steps: MadeStep[]) =>
	steps.reduce((sum, { rows }) => sum + rows.reduce((of, { unreadable }) => of + unreadable, 0), 0);
const asText = (made: unknown) => JSON.stringify(made);

/** The values at the paths of the table scores. */
const tablesIn = (listed: unknown, data: unknown) =>
	((listed as Array<{ field: string; confidence: number }> | undefined) ?? [])
		.map(({ field, confidence }) => asText({ value: valueAt(field, data), confidence }))
		.sort();
const valueAt = (field: string, data: unknown): unknown =>
	runInNewContext(`data${field.startsWith('[') ? '' : '.'}${field}`, { data });
const isLow = (minimum: number) => (score: number) => score < minimum || score > 1;
const ascending = (numbers: number[]) => [...numbers].sort((a, b) => a - b);

describe('For any execution', () => {
	it('Simplified has every value and score in its place, and no other', () => {
		fc.assert(
			fc.property(madeExecution, ({ steps, body }) => {
				const json = onlyItem(body);
				same(json.data, byName(steps, dataOf));
				same(
					json.confidence,
					byName(steps, ({ rows }) => rows.map(({ confidence }) => confidence)),
				);
				same(json.metadata, body.metadata);
				same(
					tablesIn(json.tableConfidence, json.data),
					steps
						.flatMap(({ rows }) => rows.flatMap(({ tables }) => tables))
						.map(asText)
						.sort(),
				);
				expect(json.lowestConfidence).toBe(
					scoresIn(steps).length === 0 ? null : Math.min(...scoresIn(steps)),
				);
			}),
			RUNS,
		);
	});

	it('One Item per Row has every value and score once, in order', () => {
		fc.assert(
			fc.property(madeExecution, ({ steps, body }) => {
				const names = namesOf(steps);
				const expected = steps.flatMap((step, index): unknown[] => {
					const place = { stepName: names[index] };
					if (step.rows.length > 0)
						return step.rows.map(({ value, confidence }, row) => ({
							...place,
							row: row + 1,
							fields: value,
							confidence,
						}));
					return [
						{
							...place,
							row: null,
							fields: {},
							...(step.other === undefined ? {} : { data: step.other }),
							confidence: {},
						},
					];
				});
				const { items: rowItems } = shaped(body, { output: 'rows' });
				same(
					rowItems
						.flatMap(({ tableConfidence, fields }) => tablesIn(tableConfidence, fields))
						.sort(),
					steps
						.flatMap(({ rows }) => rows.flatMap(({ tables }) => tables))
						.map(asText)
						.sort(),
				);
				const items = rowItems.map(({ stepName, row, fields, data, confidence }) => ({
					stepName,
					row,
					fields,
					...(data === undefined ? {} : { data }),
					confidence,
				}));
				same(
					items,
					expected.length === 0
						? [{ stepName: null, row: null, fields: {}, confidence: {} }]
						: expected,
				);
			}),
			RUNS,
		);
	});

	it('Raw is the unchanged answer', () => {
		fc.assert(
			fc.property(madeExecution, ({ body }) =>
				same(onlyItem(body, { output: 'raw' }).response, JSON.parse(JSON.stringify(body))),
			),
			RUNS,
		);
	});

	it('exactly the values below the minimum are listed, each with an expression that finds it', () => {
		fc.assert(
			fc.property(
				madeExecution,
				fc.double({ min: 0, max: 1, noNaN: true }),
				({ steps, body }, minimumConfidence) => {
					const { data, lowConfidenceFields, needsReview } = onlyItem(body, { minimumConfidence });
					const low = lowConfidenceFields as Array<{
						field: string;
						value: Json;
						confidence: number | null;
					}>;
					const scored = low.flatMap(({ confidence }) => (confidence === null ? [] : [confidence]));
					expect(ascending(scored)).toEqual(
						ascending(scoresIn(steps).filter(isLow(minimumConfidence))),
					);
					expect(low.length - scored.length).toBe(unreadableIn(steps));
					const isJudged = steps.every(
						({ rows, other }) =>
							other === undefined &&
							rows.every(({ scores, unreadable }) => scores.length + unreadable > 0),
					);
					expect(needsReview).toBe(low.length > 0 || !isJudged || steps.length === 0);
					for (const { field, value } of low) same(valueAt(field, data), value);
				},
			),
			RUNS,
		);
	});

	it('exactly the values below the minimum are set to null when that is chosen', () => {
		fc.assert(
			fc.property(
				madeExecution,
				fc.double({ min: 0, max: 1, noNaN: true }),
				({ body }, minimumConfidence) => {
					const marked = onlyItem(body, { minimumConfidence });
					const blanked = onlyItem(body, { minimumConfidence, below: 'blank' });
					same(blanked.lowConfidenceFields, marked.lowConfidenceFields);
					for (const { field } of marked.lowConfidenceFields as Array<{ field: string }>) {
						// What was nested in a blanked table is gone with it.
						runInNewContext(
							`try { data${field.startsWith('[') ? '' : '.'}${field} = null } catch (error) { if (error.name !== 'TypeError') throw error }`,
							{ data: marked.data },
						);
					}
					same(blanked.data, marked.data);
				},
			),
			RUNS,
		);
	});

	it('no output looks like a failed item to n8n', () => {
		fc.assert(
			fc.property(
				madeExecution,
				fc.constantFrom('simplified', 'rows', 'raw', 'selected'),
				({ body }, output) => {
					for (const item of shaped({ ...body, error: 'x', message: 'y' }, { output }).items) {
						expect(item).not.toHaveProperty('error');
						expect(Object.keys(item)).toEqual(
							expect.arrayContaining(['workflowId', 'executionId', 'status']),
						);
					}
				},
			),
			RUNS,
		);
	});

	it('the report is CSV with a line per row, and no cell begins with a tab or a line end', () => {
		fc.assert(
			fc.property(madeExecution, ({ steps, body }) => {
				const [heading = [], ...lines] = parseCsv(
					csvReport(executionOf(body), { ...DEFAULT_SHAPING, minimumConfidence: 0.5 }).csv.slice(1),
				);
				expect(lines).toHaveLength(
					steps.reduce((count, { rows }) => count + Math.max(1, rows.length), 0),
				);
				for (const line of [heading, ...lines]) expect(line).toHaveLength(heading.length);
				expect([heading, ...lines].flat().filter((text) => /^[\t\r\n]/.test(text))).toEqual([]);
			}),
			RUNS,
		);
	});

	it.each([',', ';', '\t'])(
		'no cell of the report begins a formula in a program that splits at %j',
		(separator) => {
			fc.assert(
				fc.property(
					fc.oneof(
						madeExecution.map(({ body }) => body),
						hostileBody,
					),
					(body) => {
						const report = csvReport(executionOf(body), {
							...DEFAULT_SHAPING,
							minimumConfidence: 0.5,
						}).csv.slice(1);
						expect(cellsSplitAt(separator, report).filter(isCalculated)).toEqual([]);
					},
				),
				RUNS,
			);
		},
	);
});

/** Texts of the characters that are special in cells and formulas. */
const hostileText = fc.string({
	unit: fc.constantFrom(...'=+-@＝＋－＠;,\t\r\n"\' 1a%.|!'),
	minLength: 1,
	maxLength: 12,
});

const hostileBody = fc
	.array(
		fc.tuple(
			hostileText,
			fc.dictionary(
				hostileText,
				fc.oneof(hostileText, fc.array(fc.oneof(hostileText, fc.integer())), fc.integer()),
				{ maxKeys: 4 },
			),
		),
		{ maxLength: 3 },
	)
	.map((steps) => ({
		steps: steps.map(([name, fields]) =>
			step(name, [
				Object.fromEntries(
					Object.entries(fields).map(([field, value]) => [field, cell(value, 0.1)]),
				),
			]),
		),
	}));
