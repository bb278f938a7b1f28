import { partsOf, valueAt } from '../../../../nodes/DocumentWorkflow/results/path';
import { placeOf } from '../../../../nodes/DocumentWorkflow/results/cells';

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

	it.each(['', 'Policy No.', 'a[', 'a[b]', 'a["b]', 'a]', 'a..b', '[-1]'])(
		'is none: %j',
		(text) => {
			expect(partsOf(text)).toEqual([]);
		},
	);

	it('keeps a quoted name as it stands where that is no JSON', () => {
		expect(partsOf('["\\x"].a')).toEqual(['"\\x"', 'a']);
	});

	it.each(['', 'a.b', '["', 'Policy No.', '\\', '\n', '__proto__', '0', '$json', '👍'])(
		'that is written for the name %j names it',
		(name) => {
			expect(partsOf(placeOf('losses[2]', name))).toEqual(['losses', 2, name]);
		},
	);
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
