import {
	placeOf,
	partsOf,
	placeInWords,
	valueAt,
	withValueAt,
} from '../../../../nodes/DocumentWorkflow/results/path';

import type { JsonRecord } from '../../../../service/contract';

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

describe('A copy with another value at a path', () => {
	const losses: JsonRecord[] = [{ paid: 10 }, { paid: 20, '0': 'x' }];
	const item = { losses, note: null };

	it.each<[string, object]>([
		['note', { ...item, note: 'new' }],
		['losses[1].paid', { ...item, losses: [{ paid: 10 }, { paid: 'new', '0': 'x' }] }],
		['losses[1]["0"]', { ...item, losses: [{ paid: 10 }, { paid: 20, '0': 'new' }] }],
		['losses[0]', { ...item, losses: ['new', { paid: 20, '0': 'x' }] }],
	])('differs only there: %s', (path, expected) => {
		const before = JSON.stringify(item);
		expect(withValueAt(item, partsOf(path), 'new')).toEqual(expected);
		expect(JSON.stringify(item)).toBe(before);
	});

	it('keeps a field named __proto__ as an ordinary one', () => {
		const given = JSON.parse('{"__proto__":{"a":1},"b":2}') as { b: number };
		expect(JSON.stringify(withValueAt(given, ['__proto__', 'a'], 3))).toBe(
			'{"__proto__":{"a":3},"b":2}',
		);
	});
});

describe('The value at a path', () => {
	const item = { losses: [{ paid: 10, note: null }], text: 'none', nothing: null };

	it.each([
		['losses[0].paid', 10],
		['losses[0].note', null],
		['losses', item.losses],
	])('%s is found', (path, value) => {
		expect(valueAt(item, partsOf(path))).toEqual(value);
	});

	it.each([
		'paid',
		'losses[1]',
		'losses[0].paid.cents',
		'losses.paid',
		'losses.length',
		'text.length',
		'text[0]',
		'nothing.paid',
		'constructor',
		'__proto__',
		'losses[0].toString',
	])('%s is missing', (path) => {
		expect(valueAt(item, partsOf(path))).toBeUndefined();
	});
});
