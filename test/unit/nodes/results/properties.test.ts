import { runInNewContext } from 'node:vm';
import type { IDataObject } from 'n8n-workflow';

import type { Json, JsonRecord } from '../../../../service/contract';
import type { MadeStep } from './made';
import { madeExecution } from './made';
import { cases, fc } from '../../../properties';
import { onlyItem, shaped } from './support';

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

const MARKS = [
	...['needsReview', 'toReview', 'step', 'row', 'fileName', 'executionId', 'executionUrl'],
	...['executionStatus', 'externalId'],
];
const OURS = [...MARKS, 'executionDetails', 'input'];
const RESERVED = [...OURS, 'error', '$error', '_files', '__proto__', ''];

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

/** The extracted fields of an item. */
const fieldsOf = (item: IDataObject) =>
	Object.fromEntries(Object.entries(item).filter(([name]) => !OURS.includes(name)));
const isNothing = (value: unknown) =>
	value === undefined || value === null || value === '' || asText(value) === '{}';

const valueAt = (field: string, data: unknown): unknown =>
	runInNewContext(`data${field.startsWith('[') ? '' : '.'}${field}`, { data });
const inner = (path: Array<string | number>, data: unknown): unknown =>
	path.reduce<unknown>((within, part) => (within as Record<string, unknown>)[part], data);
const isLow = (minimum: number) => (score: number) => score < minimum || score > 1;
const ascending = (numbers: number[]) => [...numbers].sort((a, b) => a - b);

describe('For any execution', () => {
	it('Simplified has every value and score in its place, and no other', async () => {
		await fc.assert(
			fc.asyncProperty(madeExecution, async ({ steps, body }) => {
				const json = await onlyItem(body, { minimumConfidence: 0.5 });
				same(json.data, byName(steps, dataOf));
				same(
					json.confidence,
					byName(steps, ({ rows }) => rows.map(({ confidence }) => confidence)),
				);
				same(json.metadata, body.metadata);
				expect(json.lowestConfidence).toBe(
					scoresIn(steps).length === 0 ? null : Math.min(...scoresIn(steps)),
				);
			}),
			RUNS,
		);
	});

	it('One Item per Row has every value and score once, in order', async () => {
		await fc.assert(
			fc.asyncProperty(madeExecution, async ({ steps, body }) => {
				const names = namesOf(steps);
				const expected = steps.flatMap((step, index): unknown[] => {
					const name = names[index] ?? '';
					const item = (row: number | null, values: Json, confidence: Json) => ({
						...columnsOf(values),
						place: { step: name, row },
						confidence: columnsOf(confidence),
					});
					if (!isNothing(step.other))
						return [item(null, { [name]: step.other ?? null }, { [name]: null })];
					return step.rows
						.map(({ value, confidence }, row) => item(row + 1, value, confidence))
						.filter((_, row) => !isNothing(step.rows[row]?.value));
				});
				const given = { output: 'rows', includeDetails: true } as const;
				const rows = (await shaped(body, given)).items.map((item) => ({
					fields: fieldsOf(item),
					place: { step: item.step, row: item.row },
					details: item.executionDetails as JsonRecord,
				}));
				const found = rows.map(({ fields, place, details: { confidence } }) => ({
					...fields,
					place,
					confidence,
				}));
				const tables = steps.filter(({ other }) => other === undefined);
				const areEmpty = tables.every(({ rows: made }) =>
					made.every((row) => isNothing(row.value)),
				);
				if (tables.length > 0 && areEmpty && expected.length > 0)
					expected.push({ place: { step: null, row: null }, confidence: {} });
				if (expected.length > 0) same(found, expected);
				else expect(found).toMatchObject([{ place: { row: null }, confidence: {} }]);
			}),
			RUNS,
		);
	});

	it('a row is flat, and has the same marks as with its details', async () => {
		await fc.assert(
			fc.asyncProperty(madeExecution, async ({ body }) => {
				const given = { output: 'rows', minimumConfidence: 0.5 } as const;
				const { items } = await shaped(body, given);
				const detailed = (await shaped(body, { ...given, includeDetails: true })).items;
				for (const item of items)
					expect(Object.values(item).filter((value) => Object(value) === value)).toEqual([]);
				const marksOf = (item: IDataObject) => MARKS.map((name) => [name, item[name]]);
				same(items.map(marksOf), detailed.map(marksOf));
				same(
					items.map((item) => Object.keys(fieldsOf(item))),
					detailed.map((item) => Object.keys(fieldsOf(item))),
				);
				for (const { needsReview, row, toReview, ...others } of items)
					expect(typeof toReview === 'string').toBe(
						needsReview === true || (row === null && Object.keys(others).length === 3),
					);
			}),
			RUNS,
		);
	});

	it('Raw is the unchanged answer', async () => {
		await fc.assert(
			fc.asyncProperty(madeExecution, async ({ body }) =>
				same((await onlyItem(body, { output: 'raw' })).response, JSON.parse(JSON.stringify(body))),
			),
			RUNS,
		);
	});

	it('exactly the values below the minimum are listed, each with an expression and a path that find it', async () => {
		await fc.assert(
			fc.asyncProperty(
				madeExecution,
				fc.double({ min: 0, max: 1, noNaN: true }),
				async ({ steps, body }, minimumConfidence) => {
					const { data, lowConfidenceFields, needsReview } = await onlyItem(body, {
						minimumConfidence,
					});
					const low = lowConfidenceFields as Array<{
						field: string;
						path: Array<string | number>;
						value: Json;
						confidence: number | null;
					}>;
					const scored = low.flatMap(({ confidence }) => (confidence === null ? [] : [confidence]));
					expect(ascending(scored)).toEqual(
						ascending(scoresIn(steps).filter(isLow(minimumConfidence))),
					);
					expect(low.length - scored.length).toBe(unreadableIn(steps));
					const all = steps.flatMap(({ rows }) => rows);
					const isJudged =
						all.every(({ value }) => isNothing(value)) ||
						all.some(({ scores, unreadable }) => scores.length + unreadable > 0);
					const hasData = steps.some(
						({ rows, other }) => !isNothing(other) || rows.some(({ value }) => !isNothing(value)),
					);
					const tables = steps.filter(({ other }) => other === undefined);
					const lacksRows =
						tables.length > 0 &&
						tables.every(({ rows }) => rows.every(({ value }) => isNothing(value)));
					expect(needsReview).toBe(low.length > 0 || !isJudged || !hasData || lacksRows);
					for (const { field, path, value } of low) {
						same(valueAt(field, data), value);
						same(inner(path, data), value);
					}
				},
			),
			RUNS,
		);
	});

	it('no output looks like a failed item to n8n', async () => {
		await fc.assert(
			fc.asyncProperty(
				madeExecution,
				fc.constantFrom('simplified', 'rows', 'raw', 'selected'),
				async ({ body }, output) => {
					for (const item of (await shaped({ ...body, error: 'x', message: 'y' }, { output }))
						.items) {
						expect(item).not.toHaveProperty('error');
						expect(item).not.toHaveProperty('$error');
						expect(Object.keys(item)).toEqual(
							expect.arrayContaining(
								output === 'rows' ? MARKS : ['workflowId', 'executionId', 'status'],
							),
						);
					}
				},
			),
			RUNS,
		);
	});
});
