import { runInNewContext } from 'node:vm';
import type { Json, JsonRecord } from '../../../../service/contract';
import type { MadeStep } from './made';
import { madeExecution } from './made';
import { cases, fc } from '../../../properties';
import { onlyItem, rowDetails, shaped } from './support';

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

const SHORT = ['needsReview', '_lowConfidenceFields', '_step', '_row', '_executionId'];
const RESERVED = ['_execution', ...SHORT, 'error', '$error', '_files', '__proto__', ''];

/** The fields of a row as an item can have them. */
function columnsOf(row: Json): Record<string, unknown> {
	const names = Object.keys(row as object);
	const free = (name: string) =>
		names.map((_, index) => name + '_'.repeat(index + 1)).find((each) => !names.includes(each));
	return Object.fromEntries(
		Object.entries(row as object).map(([name, value]: [string, unknown]) => [
			RESERVED.includes(name) ? (free(name) ?? '') : name,
			value,
		]),
	);
}

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
				const json = onlyItem(body, { minimumConfidence: 0.5 });
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
					const place = (row: number | null) => ({ step: names[index], row });
					if (step.rows.length > 0)
						return step.rows.map(({ value, confidence }, row) => ({
							...columnsOf(value),
							_execution: { ...place(row + 1), confidence: columnsOf(confidence) },
						}));
					const data = step.other === undefined ? {} : { data: step.other };
					return [{ _execution: { ...place(null), ...data, confidence: {} } }];
				});
				const rows = rowDetails(body).map((details, index) => {
					const fields = { ...shaped(body, { output: 'rows', rowDetails: 'full' }).items[index] };
					delete fields._execution;
					delete fields.needsReview;
					return { fields, details };
				});
				same(
					rows.flatMap(({ details, fields }) => tablesIn(details.tableConfidence, fields)).sort(),
					steps
						.flatMap(({ rows: made }) => made.flatMap(({ tables }) => tables))
						.map(asText)
						.sort(),
				);
				same(
					rows.map(({ fields, details: { step, row, data, confidence } }) => ({
						...fields,
						_execution: { step, row, ...(data === undefined ? {} : { data }), confidence },
					})),
					expected.length === 0
						? [{ _execution: { step: null, row: null, confidence: {} } }]
						: expected,
				);
			}),
			RUNS,
		);
	});

	it('a row without its details is its extracted fields, and nothing but an empty table is lost', () => {
		fc.assert(
			fc.property(madeExecution, ({ steps, body }) => {
				const { items, emptySteps } = shaped(body, { output: 'rows', rowDetails: 'none' });
				const isEmpty = (row: unknown) => Object.keys(row as object).length === 0;
				const rows = steps.flatMap((step) => step.rows.map(({ value }) => columnsOf(value)));
				same(
					items.filter((item) => !Object.hasOwn(item, '_execution')),
					rows.filter((row) => !isEmpty(row)),
				);
				const others = steps.filter(({ other }) => other !== undefined).length;
				expect(items.filter((item) => Object.hasOwn(item, '_execution'))).toHaveLength(
					steps.length === 0 ? 1 : others,
				);
				expect(emptySteps).toHaveLength(
					rows.filter(isEmpty).length +
						steps.filter(({ rows: made, other }) => made.length === 0 && other === undefined)
							.length,
				);
			}),
			RUNS,
		);
	});

	it('a row with short details is its extracted fields and five columns, which say the same as the full details', () => {
		fc.assert(
			fc.property(madeExecution, ({ body }) => {
				const given = { output: 'rows', minimumConfidence: 0.5 } as const;
				const { items } = shaped(body, given);
				const full = shaped(body, { ...given, rowDetails: 'full' }).items;
				same(
					items,
					full.map(({ _execution: details, needsReview, ...fields }) => {
						const { lowConfidenceFields, step, row, executionId } = details as JsonRecord;
						const columns = [needsReview, lowConfidenceFields, step, row, executionId];
						return row === null
							? { needsReview, _execution: details }
							: {
									...fields,
									...Object.fromEntries(SHORT.map((name, index) => [name, columns[index]])),
								};
					}),
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
						expect(item).not.toHaveProperty('$error');
						const { _execution: details = item } = item;
						expect(Object.keys(details as object)).toEqual(
							expect.arrayContaining(
								Object.hasOwn(item, '_row')
									? ['_step', '_executionId']
									: ['workflowId', 'executionId', 'status'],
							),
						);
					}
				},
			),
			RUNS,
		);
	});
});
