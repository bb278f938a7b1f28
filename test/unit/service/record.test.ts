import { textUnder } from '../../../service/json';

describe('the first text among some fields', () => {
	const names = ['status', 'state'];

	it.each([
		[{ status: 'running', state: 'done' }, 'running'],
		[{ status: ' running\n' }, 'running'],
		[{ status: 0, state: 'done' }, '0'],
		[{ status: '', state: 'done' }, 'done'],
		[{ status: ' \t\n', state: 'done' }, 'done'],
		[{ status: null, state: 'done' }, 'done'],
		[{ status: { of: 'a step' }, state: 'done' }, 'done'],
		[{ status: ['running'], state: 'done' }, 'done'],
		[{ status: true, state: 'done' }, 'done'],
	])('of %j is %j', (record, text) => expect(textUnder(record, names)).toBe(text));

	it.each([[{}], [{ other: 'done' }], [{ status: ' ', state: null }]])(
		'of %j is undefined',
		(record) => expect(textUnder(record, names)).toBeUndefined(),
	);
});
