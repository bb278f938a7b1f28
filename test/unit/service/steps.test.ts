import type { Json, JsonRecord, Row } from '../../../service/contract';
import { readRow } from '../../../service/cells';
import { UNDECLARED } from '../../../service/contract';
import { readStepData, uniqueNames } from '../../../service/steps';
import { growthOf, LINEAR } from '../support/growth';

const plain = (row: Row): Record<string, unknown> =>
	Object.fromEntries(
		row.map(({ name, value, confidenceScore }) => [name, [value, confidenceScore]]),
	);
const rowsOf = (data: Json) => readStepData('s', data, []).rows.map((row) => plain(readRow(row)));

describe('the names of steps', () => {
	it('are each there once, made in time in proportion to their number', async () => {
		expect(uniqueNames(['s', 's', 's_2', 's'])).toEqual(['s', 's_2', 's_2_2', 's_3']);
		const equal = (count: number) => Array.from({ length: count }, () => 's');
		expect(await growthOf(equal, uniqueNames, 5_000)).toBeLessThan(LINEAR);
	});
});

describe('the rows of a step', () => {
	const rows = [{ a: { value: 1, confidence_score: 0.9 } }];

	it.each<[string, Json]>([
		['published', { schema: {}, data: rows, metadata: {} }],
		['bare', rows],
		[
			'wrapped once more, as a file that holds the whole step',
			{ step_name: 's', data: { schema: {}, data: rows } },
		],
		['under another name', { pages: 2, rows }],
		['in the result of a wrapper', { result: { rows } }],
		['one row that is no list', { schema: {}, data: rows[0] ?? null }],
		['one bare row', rows[0] ?? null],
		['one row with a field called data', { ...rows[0], data: { text: 'x' } }],
	])('are found: %s', (_form, data) => {
		expect(rowsOf(data)[0]).toMatchObject({ a: [1, 0.9] });
		expect(rowsOf(data)).toHaveLength(1);
	});

	it('may be plain values, cells without a row, or lists', () => {
		expect(rowsOf([7, { value: 'x', confidence_score: 0.5 }, null, [1, 2]])).toEqual([
			{ value: [7, undefined] },
			{ value: ['x', 0.5] },
			{ value: [null, undefined] },
			{ value: [[1, 2], undefined] },
		]);
	});

	it.each<[string, JsonRecord]>([
		[
			'a cell',
			{ data: { value: 1, confidence_score: 0.9 }, policy: { value: 2, confidence_score: 0.8 } },
		],
		['a list', { data: rows, policy: { value: 2, confidence_score: 0.8 } }],
		['a cell beside plain values', { data: { value: 1, confidence_score: 0.9 }, policy: 2 }],
	])('may be one with a field named data, without losing its other fields: %s', (_what, record) => {
		const [row, ...others] = readStepData('s', record, []).rows.map(readRow);
		expect(others).toEqual([]);
		expect(row?.map(({ name, value }) => [name, value])).toEqual([
			['data', record.data === rows ? [{ a: 1 }] : 1],
			['policy', 2],
		]);
	});

	it('are what is wrapped as published, even if a scored cell is beside them or is all there is', () => {
		const cell = { value: 5, confidence_score: 0.4 };
		expect(rowsOf({ schema: {}, data: rows, metadata: cell })).toEqual([{ a: [1, 0.9] }]);
		expect(rowsOf({ schema: {}, data: cell, metadata: {} })).toEqual([{ value: [5, 0.4] }]);
		expect(rowsOf({ data: cell })).toEqual([{ value: [5, 0.4] }]);
	});

	it('may be one with a field named like a list of rows', () => {
		expect(rowsOf({ policy: { value: 2, confidence_score: 0.8 }, results: [1, 2] })).toEqual([
			{ policy: [2, 0.8], results: [[1, 2], undefined] },
		]);
	});

	it.each<[string, JsonRecord]>([
		[
			'with declared fields',
			{ schema: { fields: [{ name: 'number' }] }, data: { number: 'P1', tags: ['a'] } },
		],
		[
			'in a file that holds the whole step',
			{
				step_name: 's',
				data: { schema: { properties: { number: {} } }, data: { number: 'P1', tags: ['a'] } },
			},
		],
	])('may be a single record of plain values: %s', (_form, data) => {
		expect(rowsOf(data)).toEqual([{ number: ['P1', undefined], tags: [['a'], undefined] }]);
	});

	it('may be a single record with a cell that has no score', () => {
		expect(rowsOf({ data: { class: { value: 'Claim', page: 2 }, note: 'x' } })).toEqual([
			{ class: ['Claim', undefined], note: ['x', undefined] },
		]);
	});

	it.each<[string, Json]>([
		['a text', 'The insured reports water damage.'],
		['a text as published', { schema: {}, data: 'Loss run', metadata: {} }],
		['a class', { data: { class: 'Loss run' } }],
		['a list of words', ['fire', 'water']],
		['a list of words as published', { schema: {}, data: ['fire', null], metadata: {} }],
	])('are none in content: %s', (_what, data) => {
		expect(readStepData('s', data, [])).toMatchObject({ rows: [], other: data, isAtUrl: false });
	});

	it.each<[string, JsonRecord]>([
		['with something beside it that would be lost', { data: { text: 'none' }, pages: 2 }],
		['that is not wrapped', { text: 'none' }],
		['without a field', { schema: {}, data: {}, metadata: {} }],
		['of records', { data: { first: { a: 1 } } }],
		['of values and records', { data: { number: 'P1', first: { a: 1 } } }],
	])('are none in an unscored record, which is kept unchanged: %s', (_which, data) => {
		expect(readStepData('s', data, [])).toEqual({
			stepName: 's',
			schema: UNDECLARED,
			rows: [],
			other: data,
			isAtUrl: false,
			scores: [],
			faults: [],
		});
	});

	it.each(['data', 'rows'])('are found in two records, but not in a third: %s', (name) => {
		expect(rowsOf({ data: { [name]: rows } })).toEqual([{ a: [1, 0.9] }]);
		expect(rowsOf({ data: { data: { [name]: rows } } })).toEqual([]);
	});
});

describe('a cell', () => {
	it.each<[Json, unknown]>([
		[{ value: 'x', confidence_score: 0.5, page: 3 }, ['x', 0.5]],
		[{ value: 'x', confidence_score: null }, ['x', undefined]],
		[{ value: 'x', confidence_score: '0.12' }, ['x', 0.12]],
		[{ value: 'x', confidence_score: ' 1 ' }, ['x', 1]],
		[{ value: 'x', confidence_score: '9e-1' }, ['x', 0.9]],
		[{ value: 'x', confidence_score: '-1' }, ['x', -1]],
		[{ value: 'x', confidence_score: '' }, ['x', undefined]],
		[{ value: 'x', confidence_score: ' ' }, ['x', undefined]],
		[{ value: 'x', confidence_score: 'high' }, ['x', 'unreadable']],
		[{ value: 'x', confidence_score: '0,5' }, ['x', 0.5]],
		[{ value: 'x', confidence_score: '90 %' }, ['x', 0.9]],
		[{ value: 'x', confidenceScore: 0.9 }, ['x', 0.9]],
		[{ value: 'x', confidence: '90%' }, ['x', 0.9]],
		[{ value: 'x', page: 3, quote: 'x' }, ['x', undefined]],
		[{ value: 'x', pages: 3, color: 'red' }, [{ value: 'x', pages: 3, color: 'red' }, undefined]],
		[{ value: 'x', confidence: 'high' }, [{ value: 'x', confidence: 'high' }, undefined]],
		[{ value: 'x', confidence_score: 'Infinity' }, ['x', 'unreadable']],
		[{ value: 'x', confidence_score: '1e999' }, ['x', 'unreadable']],
		[{ value: 'x', confidence_score: '-1e999' }, ['x', 'unreadable']],
		[{ value: 'x', confidence: '1e999' }, [{ value: 'x', confidence: '1e999' }, undefined]],
		[{ value: 'x', confidence_score: `0.${'5'.repeat(60)}` }, ['x', 5 / 9]],
		[{ value: 'x', confidence_score: true }, ['x', 'unreadable']],
		[{ value: 'x' }, ['x', undefined]],
		[{ confidence_score: 0.5 }, [{ confidence_score: 0.5 }, undefined]],
		[{ value: 12, unit: 'm2' }, [{ value: 12, unit: 'm2' }, undefined]],
		['x', ['x', undefined]],
		[
			['x', { value: 1 }],
			[['x', 1], undefined],
		],
		[{ value: { value: 5 }, confidence_score: 1 }, [{ value: 5 }, 1]],
	])('is read from %j as value and score %j', (cell, expected) => {
		expect(rowsOf([{ cell }])).toEqual([{ cell: expected }]);
	});

	it('has what else the service says of the value as its evidence', () => {
		const cell = { value: 'x', confidence_score: 0.5, page: 3, box: [1, 2] };
		const evidenceOf = (json: Json) => readRow({ json })[0]?.evidence;
		expect(evidenceOf(cell)).toEqual({ page: 3, box: [1, 2] });
		expect(evidenceOf({ value: 'x', quote: 'y' })).toEqual({ quote: 'y' });
		expect(evidenceOf({ value: 'x', quote: 'y', confidence: 'high' })).toBeUndefined();
		expect(evidenceOf({ value: 'x', confidence_score: 0.5 })).toBeUndefined();
		expect(evidenceOf({ value: 'x' })).toBeUndefined();
	});

	it('has a score that cannot be read when the number is too large for one', () => {
		expect(rowsOf(JSON.parse('[{"a": {"value": 1, "confidence_score": 1e999}}]') as Json)).toEqual([
			{ a: [1, 'unreadable'] },
		]);
	});

	it('may be in a row whose fields have the names of the parts of a cell', () => {
		const cell = (value: number) => ({ value, confidence_score: 0.5 });
		expect(rowsOf([{ value: cell(1), confidence_score: cell(2) }])).toEqual([
			{ value: [1, 0.5], confidence_score: [2, 0.5] },
		]);
	});

	it('may contain rows of cells, whose plain values are its value', () => {
		const table = [
			{ paid: { value: 10, confidence_score: 0.4 }, note: { value: 'x' } },
			{ paid: 20, note: null },
			'bare',
		];
		const [cell] = readRow({ table: { value: table, confidence_score: 0.9 } });
		expect(cell).toMatchObject({
			value: [{ paid: 10, note: 'x' }, { paid: 20, note: null }, 'bare'],
			confidenceScore: 0.9,
		});
		expect(cell?.inner).toMatchObject([
			{
				inner: [
					{ name: 'paid', value: 10, confidenceScore: 0.4 },
					{ name: 'note', value: 'x' },
				],
			},
			{
				inner: [
					{ name: 'paid', value: 20 },
					{ name: 'note', value: null },
				],
			},
			{ value: 'bare', inner: undefined },
		]);
	});

	it('may contain a record of cells, or a table without its own cell', () => {
		const score = { value: 1, confidence_score: 0.4 };
		expect(rowsOf([{ group: { street: score, city: 'X' }, table: [{ a: score }] }])).toEqual([
			{ group: [{ street: 1, city: 'X' }, undefined], table: [[{ a: 1 }], undefined] },
		]);
	});

	it('is read 32 levels deep, and anything deeper is unchanged', () => {
		const nested = (levels: number): Json => {
			let json: Json = { value: 'end', confidence_score: 0.5 };
			for (let level = 0; level < levels; level++) json = { value: [json], confidence_score: 0.5 };
			return json;
		};
		const end = (levels: number): string =>
			JSON.stringify(readRow({ a: nested(levels) })[0]?.value);
		expect(end(30)).toBe(`${'['.repeat(30)}"end"${']'.repeat(30)}`);
		expect(end(40)).toContain('[{"value":');
		expect(() => readStepData('s', [{ a: nested(100_000) }], [])).not.toThrow();
		let lists: Json = nested(0);
		for (let level = 0; level < 100_000; level++) lists = [lists];
		expect(() => readStepData('s', [{ a: lists }], [])).not.toThrow();
	});
});

describe('data at a URL', () => {
	const QUERY = '?expires=1&signature=not-to-be-seen#x';
	const at = (address: string) => ({ url: address });

	it.each<[string, string]>([
		['https://files.example.com:8443/e/1.json', 'https://files.example.com:8443/e/1.json'],
		['HTTP://user:pass@files.example.com/a@b', 'HTTP://files.example.com/a@b'],
		[' https://files.example.com ', 'https://files.example.com'],
		['s3://bucket/1.json', 's3://bucket/1.json'],
		['//user@files.example.com/1', '//files.example.com/1'],
		['/signed/1', '/signed/1'],
	])('is shown without query, user name and password: %s', (address, shown) => {
		const whole = address.trimEnd() + QUERY + (address.endsWith(' ') ? ' ' : '');
		expect(readStepData('s', whole, [])).toMatchObject({ rows: [], other: shown, isAtUrl: true });
		expect(readStepData('s', at(whole), [])).toMatchObject({ other: at(shown), isAtUrl: true });
	});

	const whole = `https://files.example.com/1${QUERY}`;
	const shown = 'https://files.example.com/1';

	it.each<[string, (address: string) => Json]>([
		['as published', (url) => ({ schema: {}, data: { url }, metadata: { pages: 'two' } })],
		['as a text', (data) => ({ schema: { fields: [{ name: 'a' }] }, data })],
		['where a record is declared', (url) => ({ schema: { properties: { a: {} } }, data: { url } })],
		['under any name, at any place', (href) => ({ data: { links: [{ href }] } })],
		['in a list of words', (url) => [url, url]],
		['beside numbers and times', (url) => ({ url, bytes: 7, ends: '2026-11-24T09:00:00Z' })],
		['beside what is empty', (url) => ({ url, data: [], error: '', note: null })],
		['in the metadata too', (url) => ({ data: { url }, metadata: { source: url } })],
	])('has nothing but addresses: %s', (_form, made) => {
		expect(readStepData('s', made(whole), [])).toMatchObject({
			rows: [],
			other: made(shown),
			isAtUrl: true,
			scores: [],
			faults: [],
		});
	});

	it.each<[Json]>([
		['see page 2'],
		[`See ${whole}`],
		[`${whole} has the letter`],
		[{ url: whole, summary: 'The insured reports water damage' }],
		['1/2 of the building'],
		['/'],
		['mailto:a@example.com'],
		['data:text/plain,x'],
		['2026-11-24'],
		[{ url: 7, pages: null }],
		[{ schema: at(whole), data: { first: { a: 1 } } }],
		[{}],
		[null],
	])('is never content such as %j', (data) => {
		expect(readStepData('s', data, [])).toMatchObject({ rows: [], other: data, isAtUrl: false });
	});

	it('is not a row, whose values may be addresses', () => {
		const all: Json[] = [[at(whole)], { data: [at(whole)] }, { url: whole, data: [{ a: 1 }] }];
		for (const data of all)
			expect(readStepData('s', data, [])).toMatchObject({
				rows: [expect.anything()],
				isAtUrl: false,
			});
		expect(rowsOf([at(whole)])).toEqual([{ url: [whole, undefined] }]);
		expect(rowsOf({ url: { value: whole, confidence_score: 0.9 } })).toEqual([
			{ url: [whole, 0.9] },
		]);
	});
});
