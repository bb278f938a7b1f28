import { hintsOfData } from '../../../../nodes/DocumentWorkflow/results/words/hints';
import type { ValueSettings } from '../../../../nodes/DocumentWorkflow/results/judge/values/texts';
import type { Json, JsonRecord } from '../../../../service/contract';
import type { Given } from './support';
import { cell, onlyItem, rowDetails, shaped, step } from './support';

const EXTRACTED: ValueSettings = { style: undefined, numberFields: [], today: '2026-11-24' };
const US: ValueSettings = { ...EXTRACTED, style: 'us' };

const declared = (schema: JsonRecord, rows: Json) => ({
	steps: [{ step_name: 's', data: { schema, data: rows, metadata: {} } }],
});
const dataOf = async (body: JsonRecord, given: Given = {}) =>
	((await onlyItem(body, { values: US, ...given })).data as JsonRecord).s;
const hintsOf = async (body: JsonRecord, given: Given) =>
	hintsOfData([await shaped(body, given)]).map(({ message }) => message);
const rowsOf = async (body: JsonRecord, given: Given = {}) =>
	(await shaped(body, { output: 'rows', ...given })).items as JsonRecord[];

describe('Texts', () => {
	const body = {
		steps: [step('s', [{ limit: cell('$1,000', 0.9), date: '12/31/2024', note: 'fire', paid: 5 }])],
	};

	it('become values in a style, in each output that is not raw', async () => {
		const row = { limit: 1000, date: '2024-12-31', note: 'fire', paid: 5 };
		expect(await dataOf(body)).toEqual([row]);
		expect(await rowsOf(body, { values: US })).toMatchObject([row]);
		expect(
			(await onlyItem(body, { values: US, output: 'selected', fields: ['limit'] })).data,
		).toEqual({
			s: [{ limit: 1000 }],
		});
	});

	it('stay without a style, and a hint counts them, shows one and names the option', async () => {
		expect(await dataOf(body, { values: EXTRACTED })).toEqual([
			{ limit: '$1,000', date: '12/31/2024', note: 'fire', paid: 5 },
		]);
		expect(await hintsOf(body, { values: EXTRACTED })).toEqual([
			'2 texts are numbers or dates, for example "$1,000". To convert them, choose a style under \'Numbers and Dates\' in the output options',
		]);
		expect(await hintsOf(body, { values: US })).toEqual([]);
		expect(await hintsOf(body, { values: undefined })).toEqual([]);
	});

	it('become values in tables within tables, with cells or without', async () => {
		const steps = [
			step('s', [
				{
					losses: [{ paid: '$5', parts: { fee: '$1.50' } }],
					limits: ['$1', '$2'],
					scored: cell([{ paid: cell('$6', 0.9) }], 0.9),
				},
			]),
		];
		expect(await dataOf({ steps })).toEqual([
			{
				losses: [{ paid: 5, parts: { fee: 1.5 } }],
				limits: [1, 2],
				scored: [{ paid: 6 }],
			},
		]);
	});

	it.each<[string, JsonRecord]>([
		['a JSON schema', { type: 'object', properties: { size: { type: 'number' } } }],
		[
			'a schema of the list',
			{ type: 'array', items: { properties: { size: { type: ['number', 'null'] } } } },
		],
		['fields by name', { fields: { size: { type: 'number' } } }],
		['a list of fields', { fields: [{ name: 'size', type: 'number' }, 'size', { type: 'date' }] }],
	])('are read as the type that is declared in %s', async (_form, schema) => {
		expect(await dataOf(declared(schema, [{ size: '1,250', other: '1,250' }]))).toEqual([
			{ size: 1250, other: '1,250' },
		]);
	});

	it.each<[string, JsonRecord]>([
		['alternatives', { properties: { size: { anyOf: [{ type: 'number' }, { type: 'null' }] } } }],
		[
			'a reference',
			{ $defs: { n: { type: 'number' } }, properties: { size: { $ref: '#/$defs/n' } } },
		],
		['the type of a cell', { properties: { size: { properties: { value: { type: 'number' } } } } }],
		['no fields', { size: { type: 'number' } }],
		['fields that are no record', { properties: 7 }],
		['a text', { properties: { size: { type: 'string' } } }],
		['a type without its record', { properties: { size: 'number' } }],
		['nothing', {}],
	])('have no type where the schema has %s', async (_form, schema) => {
		expect(await dataOf(declared(schema, [{ size: '1,250' }]))).toEqual([{ size: '1,250' }]);
	});

	it('are read by the types within a nested table', async () => {
		const schema = {
			properties: { losses: { type: 'array', items: { properties: { a: { type: 'date' } } } } },
		};
		expect(await dataOf(declared(schema, [{ losses: [{ a: '1/2/24' }] }]))).toEqual([
			{ losses: [{ a: '2024-01-02' }] },
		]);
	});

	it('are numbers where Number Fields names their field, in any case and by *', async () => {
		const steps = [step('s', [{ Sq_Ft: '1,250', 'Size 1': '7', other: '7' }])];
		const values = { ...US, numberFields: ['sq_ft', 'size*'] };
		expect(await dataOf({ steps }, { values })).toEqual([{ Sq_Ft: 1250, 'Size 1': 7, other: '7' }]);
	});

	it('that would be numbers if named, or values in another style, are named in hints', async () => {
		const row = { a: '1,250', b: '7', c: '8', d: '9', zip: '02139', paid: '€1.250,00' };
		expect(await hintsOf({ steps: [step('s', [row])] }, { values: US })).toEqual([
			'These fields have texts that look like numbers: "a", "b", "c", "d". To convert them, enter the fields under \'Number Fields\' in the output options',
			'Some texts are numbers or dates in another style, for example "Europe: €1.250,00". If your documents use that style, choose it under \'Numbers and Dates\' in the output options',
		]);
	});

	it('that should be values and stay need review', async () => {
		const steps = [step('s', [{ limit: cell('$1M', 0.9) }, { limit: cell('$5', 0.9) }])];
		const entry = { step: 's', value: '$1M', type: 'number', reason: 'Not a number in this style' };
		expect(await onlyItem({ steps }, { values: US, minimumConfidence: 0.8 })).toMatchObject({
			needsReview: true,
			lowConfidenceFields: [],
			unconvertedFields: [{ field: 's[0].limit', path: ['s', 0, 'limit'], ...entry }],
			missingFields: [],
		});
		expect(await rowsOf({ steps }, { values: US, minimumConfidence: 0.8 })).toMatchObject([
			{ needsReview: true, toReview: 'Check: limit (not a number in this style: "$1M")' },
			{ needsReview: false, toReview: null, limit: 5 },
		]);
		expect(await onlyItem({ steps }, { values: EXTRACTED, minimumConfidence: 0.8 })).toMatchObject({
			needsReview: false,
		});
	});
});

describe('Content', () => {
	const policy = step('policy', [{ number: cell('P', 0.9) }]);

	it.each<[string, Json]>([
		['a summary', 'Water damage in the kitchen.'],
		['HTML', '<p>Water</p>'],
		['a class', { class: 'Loss run' }],
		['a list of words', ['fire', 'water']],
	])('such as %s is passed on as it is, and is no reason for review', async (_what, data) => {
		const body = { steps: [policy, { step_name: 'c', data }] };
		const item = await onlyItem(body, { values: US, minimumConfidence: 0.8 });
		expect(item).toMatchObject({ needsReview: false, data: { c: data } });
		expect(await hintsOf(body, { minimumConfidence: 0.8 })).toEqual([]);
		expect(
			await onlyItem({ steps: [{ step_name: 'c', data }] }, { minimumConfidence: 0.8 }),
		).toMatchObject({ needsReview: false });
	});
});

describe('A result without rows', () => {
	it('needs review where all tables are empty, also beside content', async () => {
		const steps = [step('s', []), { step_name: 'c', data: 'text' }];
		expect(await onlyItem({ steps })).toMatchObject({ needsReview: true });
		const items = await rowsOf({ steps });
		expect(items.filter(({ needsReview }) => needsReview)).toMatchObject([
			{ toReview: 'There are no rows in "s". The steps are: "s", "c"' },
		]);
	});
});

describe('A cell', () => {
	const evidence = { page: 2, quote: 'Limit 1,000' };
	const body = {
		steps: [
			step('s', [
				{ limit: { value: '$1,000', confidence_score: 0.9, ...evidence }, a: { value: 'x' } },
			]),
		],
	};

	it('is its value; what else it has is evidence, among the details only', async () => {
		expect(await dataOf(body)).toEqual([{ limit: 1000, a: 'x' }]);
		expect((await rowDetails(body))[0]).toMatchObject({
			evidence: [{ field: 'limit', ...evidence }],
		});
		expect(JSON.stringify(await onlyItem(body))).not.toContain('Limit 1,000');
	});
});

describe('A required field', () => {
	const given = (required: string[]): Given => ({ required, minimumConfidence: 0.8 });
	const missing = async (body: JsonRecord, required: string[]) => {
		const item = await onlyItem(body, given(required));
		return [item.needsReview, (item.missingFields as JsonRecord[]).map(({ field }) => field)];
	};
	const paths = async (body: JsonRecord, required: string[]) => {
		const { missingFields } = await onlyItem(body, given(required));
		return (missingFields as JsonRecord[]).map(({ path }) => path);
	};

	it.each<[string, Json]>([
		['null', null],
		['empty', ' '],
		['"N/A"', 'n/a'],
		['"not found"', 'Not found'],
		['an empty table', []],
	])('is missing where it is %s', async (_what, value) => {
		const steps = [step('s', [{ number: cell(value, 0.95), a: cell(1, 0.9) }])];
		expect(await missing({ steps }, ['number'])).toEqual([true, ['s[0].number']]);
		expect(await missing({ steps }, ['s.number'])).toEqual([true, ['s[0].number']]);
		expect(await missing({ steps }, ['a', 's.a'])).toEqual([false, []]);
	});

	it('is missing in the rows that do not have it, which then have null', async () => {
		const steps = [step('s', [{ number: cell('1', 0.9), a: cell(1, 0.9) }, { a: cell(2, 0.9) }])];
		expect(await missing({ steps }, ['number'])).toEqual([true, ['s[1].number']]);
		expect(await rowsOf({ steps }, given(['number']))).toMatchObject([
			{ needsReview: false, number: '1' },
			{ needsReview: true, number: null, toReview: 'Check: number (no value)' },
		]);
	});

	it('is found in tables within tables', async () => {
		const steps = [
			step('s', [{ a: cell(1, 0.9), losses: [{ paid: 1 }, { paid: '' }] }]),
			step('t', [{ losses: cell([{ fee: cell(null, 0.9) }], 0.9) }]),
		];
		expect(await missing({ steps }, ['paid', 'fee'])).toEqual([
			true,
			['s[0].losses[1].paid', 't[0].losses[0].fee'],
		]);
		expect(await paths({ steps }, ['paid', 'fee'])).toEqual([
			['s', 0, 'losses', 1, 'paid'],
			['t', 0, 'losses', 0, 'fee'],
		]);
	});

	it('is missing once where no step has it, and then has no path', async () => {
		const steps = [step('s', [{ a: cell(1, 0.9) }, { a: cell(2, 0.9) }])];
		expect(await missing({ steps }, ['number', 't.a'])).toEqual([true, ['number', 't.a']]);
		expect(await paths({ steps }, ['number'])).toEqual([[]]);
		expect(await rowsOf({ steps }, given(['number']))).toMatchObject([
			{ needsReview: true, toReview: 'Missing: "number"' },
			{ needsReview: true, toReview: 'Missing: "number"' },
		]);
	});

	it('may be in content, but not in its declaration', async () => {
		const data = { kind: 'claim', note: '', schema: { text: 'x' } };
		const steps = [{ step_name: 'class', data }];
		const required = ['kind', 'class.kind', 'note', 'class.text'];
		expect(await missing({ steps }, required)).toEqual([true, ['note', 'class.text']]);
	});

	it('is not missed in an execution that is not completed', async () => {
		expect(await missing({ status: 'running' }, ['number'])).toEqual([true, []]);
	});
});
