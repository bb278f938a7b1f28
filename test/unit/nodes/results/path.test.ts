import { runInNewContext } from 'node:vm';

import {
	pathInWords,
	shortened,
	textOf,
} from '../../../../nodes/DocumentWorkflow/results/words/words';

describe('A path', () => {
	it.each<[string, Array<string | number>]>([
		['premium', ['premium']],
		['losses[2].paid', ['losses', 2, 'paid']],
		['["Loss Run"][0]["Policy No."]', ['Loss Run', 0, 'Policy No.']],
		['["say \\"yes\\""]', ['say "yes"']],
		['Prämie.保険料', ['Prämie', '保険料']],
		['["7"].a', ['7', 'a']],
	])('is written as an expression has it: %s', (text, path) => {
		expect(textOf(path)).toBe(text);
	});

	it.each(['', 'a.b', '["', '\\', '\n', '\u0085', '\ud800', '0', '$json', '👍'])(
		'that is written for the name %j finds its value',
		(name) => {
			const context = { losses: [{ [name]: 'found' }] };
			expect(runInNewContext(textOf(['losses', 0, name]), context)).toBe('found');
		},
	);
});

describe('A path in words', () => {
	it.each<[Array<string | number>, string]>([
		[['premium'], 'premium'],
		[['losses', 0, 'date'], 'losses, row 1: date'],
		[['policy', 1, 'losses', 0, 'date_of_loss'], 'policy, row 2: losses, row 1: date of loss'],
		[['Ünter Feld'], 'Ünter Feld'],
		[['Loss Run', 0, 'Policy No.'], 'Loss Run, row 1: Policy No.'],
		[['tags', 1], 'tags, row 2'],
		[['loss-run', 'Date_Of'], 'loss run: Date_Of'],
		[['_a'], '_a'],
	])('%j is read as %s', (path, words) => {
		expect(pathInWords(path)).toBe(words);
	});
});

it('A path has its names cut as in its text, because every path below a long name repeats it', () => {
	const path = ['n'.repeat(10_000), 3, 'a'];
	expect(shortened(path)).toEqual([`${'n'.repeat(199)}…`, 3, 'a']);
	expect(textOf(path)).toBe(textOf(shortened(path)));
});
