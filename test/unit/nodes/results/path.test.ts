import {
	placeOf,
	partsOf,
	placeInWords,
	shortened,
	textOf,
} from '../../../../nodes/DocumentWorkflow/results/path';

describe('A path', () => {
	it.each([
		['premium', ['premium']],
		['losses[2].paid', ['losses', 2, 'paid']],
		['["Loss Run"][0]["Policy No."]', ['Loss Run', 0, 'Policy No.']],
		['["say \\"yes\\""]', ['say "yes"']],
		['Prämie.保険料', ['Prämie', '保険料']],
		['7.a', ['7', 'a']],
	])('%s has the names and positions %j', (path, parts) => {
		expect(partsOf(path)).toEqual(parts);
	});

	it.each([
		'',
		'Policy No.',
		'a[',
		'a[b]',
		'a["b]',
		'a]',
		'a..b',
		'[-1]',
		'["\\x"].a',
		'["\n"]',
		'["\\u12"]',
	])('is none: %j', (text) => {
		expect(partsOf(text)).toEqual([]);
	});

	it.each([
		'',
		'a.b',
		'["',
		'Policy No.',
		'\\',
		'\n',
		'\u0085',
		'\ud800',
		'__proto__',
		'0',
		'$json',
		'👍',
	])('that is written for the name %j names it', (name) => {
		expect(partsOf(placeOf('losses[2]', name))).toEqual(['losses', 2, name]);
	});
});

describe('A path in words', () => {
	it.each([
		['premium', 'premium'],
		['losses[0].date', 'losses, row 1: date'],
		['policy[1].losses[0].date_of_loss', 'policy, row 2: losses, row 1: date of loss'],
		['["Ünter Feld"]', 'Ünter Feld'],
		['["Loss Run"][0]["Policy No."]', 'Loss Run, row 1: Policy No.'],
		['tags[1]', 'tags, row 2'],
		['loss-run.Date_Of', 'loss run: Date_Of'],
		['_a', '_a'],
	])('%s is read as %s', (path, words) => {
		expect(placeInWords(partsOf(path))).toBe(words);
	});
});

it('A path has its names cut as in its text, because every path below a long name repeats it', () => {
	const path = ['n'.repeat(10_000), 3, 'a'];
	expect(shortened(path)).toEqual([`${'n'.repeat(199)}…`, 3, 'a']);
	expect(partsOf(textOf(path))).toEqual(shortened(path));
});
