import type { Json } from '../../../service/contract';
import { readRow } from '../../../service/cells';
import { stepsIn } from '../../../service/steps';

const NUMBER = { number: { value: 'CPP-1', confidence_score: 0.9 } };

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
			expect(stepsIn(steps, [])).toEqual([]);
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
		expect(shown(stepsIn(steps, []))).toEqual(expected);
	});

	it('have names of at most 500 characters', () => {
		const long = 'n'.repeat(600);
		const names = [stepsIn([{ name: long, data: [] }], []), stepsIn({ [long]: [] }, [])].map(
			([step]) => step?.stepName,
		);
		expect(names).toEqual([long.slice(0, 500), long.slice(0, 500)]);
	});
});
