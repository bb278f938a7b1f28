import { jsonObjectOf, pairsOf } from '../../../../nodes/DocumentWorkflow/documents/jsonInputs';
import { contextOf, errorWith } from '../../support/context';

const words = { field: 'Text Inputs', one: 'text input' };
const read = (...pairs: unknown[]) => pairsOf(contextOf(), 2, { pairs }, words);

describe('pairs become texts', () => {
	it.each<[string, unknown, string]>([
		['a text as it is', ' CPP-1001\n', ' CPP-1001\n'],
		['a number as JSON writes it', 1200.5, '1200.5'],
		['a very large number', 1e21, '1e+21'],
		['zero', 0, '0'],
		['true', true, 'true'],
		['false', false, 'false'],
		['a date in ISO 8601', new Date(Date.UTC(2026, 0, 31, 8, 5)), '2026-01-31T08:05:00.000Z'],
		['null as an empty text', null, ''],
		['what is not there as an empty text', undefined, ''],
		['an empty text', '', ''],
		['a list as JSON', [1, 'a', null], '[1,"a",null]'],
		['an object as JSON', { a: { b: true } }, '{"a":{"b":true}}'],
	])('%s', (_, value, text) => expect(read({ name: 'value', value })).toEqual({ value: text }));

	it('under their names without the white space around them, in their order', () => {
		const inputs = read(
			{ name: ' policy_number ', value: '1' },
			{ name: 'date of loss', value: '2' },
			{ name: 7, value: '3' },
		);
		expect(Object.entries(inputs)).toEqual([
			['7', '3'],
			['policy_number', '1'],
			['date of loss', '2'],
		]);
	});

	it('also under a name that every object has', () => {
		expect(
			Object.entries(read({ name: '__proto__', value: '1' }, { name: 'constructor', value: '2' })),
		).toEqual([
			['__proto__', '1'],
			['constructor', '2'],
		]);
	});

	it.each([[{}], [{ pairs: undefined }], [undefined], [null], ['text']])(
		'of which there are none in %j',
		(collection) => {
			expect(pairsOf(contextOf(), 0, collection, words)).toEqual({});
		},
	);
});

describe('pairs are refused, with the item', () => {
	it.each<[string, unknown]>([
		['NaN', NaN],
		['infinity', -Infinity],
		['a date that is none', new Date('soon')],
	])('when a value is %s', (_, value) => {
		expect(() => read({ name: 'a', value: '1' }, { name: 'sum', value })).toThrow(
			errorWith({
				message: "The text input 'sum' is not a value",
				description: 'Its expression gives no number, or no valid date. Correct it',
				itemIndex: 2,
			}),
		);
	});

	it.each([[''], ['  '], [null], [undefined]])('when a name is %j, by its position', (name) => {
		expect(() => read({ name: 'a', value: '1' }, { name, value: '2' })).toThrow(
			errorWith({
				message: 'The text input at position 2 has no name',
				description: "Enter its name under 'Text Inputs', or remove it",
				itemIndex: 2,
			}),
		);
	});

	it('when one has neither name nor value', () =>
		expect(() => read('text')).toThrow('The text input at position 1 has no name'));

	it('when a name is there twice, also with white space around it', () => {
		expect(() => read({ name: 'a', value: '1' }, { name: ' a', value: '2' })).toThrow(
			errorWith({
				message: "The text input 'a' is there twice",
				description: "Remove one of them under 'Text Inputs'",
				itemIndex: 2,
			}),
		);
	});

	it('in the words of their field', () => {
		const read = () =>
			pairsOf(
				contextOf(),
				0,
				{ pairs: [{ name: '' }] },
				{ field: 'Metadata', one: 'metadata entry' },
			);
		expect(read).toThrow(
			errorWith({
				message: 'The metadata entry at position 1 has no name',
				description: "Enter its name under 'Metadata', or remove it",
			}),
		);
	});
});

describe('an object', () => {
	const readObject = (given: unknown) =>
		jsonObjectOf(contextOf(), 3, given, 'Text Inputs (JSON)', '{"policy_number": "CPP-1001"}');

	it.each<[string, unknown, unknown]>([
		['as JSON text', ' {"a": 1, "b": [true, null]}\n', { a: 1, b: [true, null] }],
		['from an expression', { a: 1 }, { a: 1 }],
		['is empty without a text', '', {}],
		['is empty for white space', ' \n', {}],
		['is empty for null', null, {}],
		['is empty when it is not there', undefined, {}],
	])('%s', (_, given, value) => expect(readObject(given)).toEqual(value));

	it.each<[string, unknown, string]>([
		['a list', [1], 'a list'],
		['a list as text', '[1]', 'a list'],
		['a number', 7, 'a number'],
		['null as text', 'null', 'null'],
		['a text', '"a"', 'a string'],
		['true', 'true', 'a boolean'],
	])('is not %s', (_, given, kind) => {
		expect(() => readObject(given)).toThrow(
			errorWith({
				message: `'Text Inputs (JSON)' must be an object, and it is ${kind}`,
				description:
					'Enter names with their values between braces, e.g. {"policy_number": "CPP-1001"}',
				itemIndex: 3,
			}),
		);
	});

	it.each([
		['{"a": 1,}', 'line 1, column 9, at "}"'],
		['{\n\t"a": "x"\n\t"b": "y"\n}', String.raw`line 3, column 2, at "\"b\": \"y\""`],
		['{"a": "1"', 'line 1, column 10, where it breaks off'],
		['{"a": "12\n34"}', String.raw`line 1, column 7, at "\"12"`],
		["{'a': 1}", `line 1, column 2, at "'a': 1}"`],
		['{"a": aVeryLongWordThatIsNoJson}', 'line 1, column 7, at "aVeryLongWordThatIsN"'],
	])('is refused with the place of the fault: %j', (given, place) => {
		expect(() => readObject(given)).toThrow(
			errorWith({
				message: `'Text Inputs (JSON)' is not valid JSON: ${place}`,
				description:
					'Enter an object, e.g. {"policy_number": "CPP-1001"}. In an expression, use JSON.stringify() for whole objects',
				itemIndex: 3,
			}),
		);
	});
});
