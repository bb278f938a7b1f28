import type { Json } from '../../../service/contract';
import { readRow } from '../../../service/cells';
import { stepsIn } from '../../../service/steps';

const NUMBER = { number: { value: 'CPP-1', confidence_score: 0.9 } };
const ADDRESS = 'https://files.example.com/1?signature=not-to-be-seen';

/** The names of steps, and what each of them holds: its rows, or else its other data. */
const shown = (steps: ReturnType<typeof stepsIn>): unknown[] =>
	steps.map(({ stepName, rows, other }) => [
		stepName,
		rows.length === 0
			? other
			: rows.map((row) => Object.fromEntries(readRow(row).map(({ name, value }) => [name, value]))),
	]);

describe('The steps of an execution', () => {
	it.each<[Json | undefined]>([[undefined], [null], [''], [[]], [{}]])(
		'are none in %j',
		(steps) => {
			expect(stepsIn(steps)).toEqual([]);
		},
	);

	it.each<[string, Json, unknown[]]>([
		[
			'in a list, each with the name that it has, or else its number',
			[{ step_name: 'policy', data: [NUMBER] }, { data: [NUMBER] }, 'text', null],
			[
				['policy', [{ number: 'CPP-1' }]],
				['step_2', [{ number: 'CPP-1' }]],
				['step_3', 'text'],
				['step_4', null],
			],
		],
		[
			'in a record by name, even if one of them is called data',
			{ data: [NUMBER] },
			[['data', [{ number: 'CPP-1' }]]],
		],
		[
			'in a record by name, even if one of them is called name',
			{ name: 'Anna', text: { note: 'x' } },
			[
				['name', 'Anna'],
				['text', { note: 'x' }],
			],
		],
		[
			'one, when its name and its data are all there is',
			{ name: 'policy', data: [NUMBER] },
			[['policy', [{ number: 'CPP-1' }]]],
		],
		[
			'of which one has its rows under another name, because its data is null',
			[{ name: 'policy', data: null, rows: [NUMBER] }],
			[['policy', [{ number: 'CPP-1' }]]],
		],
		[
			'of which one has nothing but a name, or no data',
			[{ name: 'first' }, { name: 'second', data: null, pages: 2 }],
			[
				['first', null],
				['second', { pages: 2 }],
			],
		],
	])('are read: %s', (_which, steps, expected) => {
		expect(shown(stepsIn(steps))).toEqual(expected);
	});

	it('have names of at most 500 characters', () => {
		const long = 'n'.repeat(600);
		const names = [stepsIn([{ name: long, data: [] }]), stepsIn({ [long]: [] })].map(
			([step]) => step?.stepName,
		);
		expect(names).toEqual([long.slice(0, 500), long.slice(0, 500)]);
	});
});

describe('Data that is not called steps', () => {
	it.each<[string, Json, unknown[]]>([
		[
			'steps, when each entry has a name and data',
			[
				{ name: 'policy', data: [NUMBER] },
				{ name: 'text', output: 'x' },
			],
			[
				['policy', [{ number: 'CPP-1' }]],
				['text', 'x'],
			],
		],
		[
			'rows, when not every entry has a name and data',
			[
				{ name: 'Anna', result: 7 },
				{ name: 'Ben', age: 4 },
			],
			[
				[
					'results',
					[
						{ name: 'Anna', result: 7 },
						{ name: 'Ben', age: 4 },
					],
				],
			],
		],
		[
			'rows of persons with names',
			[{ name: 'Anna', age: 3 }],
			[['results', [{ name: 'Anna', age: 3 }]]],
		],
		[
			'rows that have data, but no name',
			[{ data: 'x' }, { data: 'y' }],
			[['results', [{ data: 'x' }, { data: 'y' }]]],
		],
		['a list of words', [null, 'x'], [['results', [null, 'x']]]],
		[
			'steps by name, when every value is a record or a list',
			{ policy: [NUMBER], text: { note: 'x' } },
			[
				['policy', [{ number: 'CPP-1' }]],
				['text', { note: 'x' }],
			],
		],
		[
			'one step without rows, when one value is a number',
			{ policy: [NUMBER], pages: 3 },
			[['results', { policy: [NUMBER], pages: 3 }]],
		],
		[
			'one step without rows, when one value is null',
			{ policy: [NUMBER], text: null },
			[['results', { policy: [NUMBER], text: null }]],
		],
	])('is %s', (_what, data, expected) => {
		expect(shown(stepsIn(data, 'results'))).toEqual(expected);
	});

	it('is one step with the address that it holds, also when that is wrapped', () => {
		expect(stepsIn({ data: { url: ADDRESS }, metadata: {} }, 'results')).toEqual([
			{
				stepName: 'results',
				rows: [],
				other: { data: { url: 'https://files.example.com/1' }, metadata: {} },
				address: ADDRESS,
			},
		]);
	});
});
