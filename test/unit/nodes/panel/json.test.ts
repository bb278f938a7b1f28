import { jsonObjectOf, mistakeIn, pairsOf } from '../../../../nodes/DocumentWorkflow/panel/json';
import { contextOf, errorWith } from '../../support/context';

const words = { field: 'Text Inputs', one: 'text input' };
const read = (...pairs: unknown[]) =>
	pairsOf({ context: contextOf(), itemIndex: 2 }, { pairs }, words);

describe('name–value pairs', () => {
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
	])('are read: %s', (_, value, text) =>
		expect(read({ name: 'value', value })).toEqual({ value: text }),
	);

	it('are read in order, with trimmed names', () => {
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

	it('may have the names of inherited properties', () => {
		expect(
			Object.entries(read({ name: '__proto__', value: '1' }, { name: 'constructor', value: '2' })),
		).toEqual([
			['__proto__', '1'],
			['constructor', '2'],
		]);
	});

	it.each([[{}], [{ pairs: undefined }], [undefined], [null], ['text']])(
		'are none in %j',
		(collection) => {
			expect(pairsOf({ context: contextOf(), itemIndex: 0 }, collection, words)).toEqual({});
		},
	);
});

describe('invalid name–value pairs', () => {
	it.each<[string, unknown]>([
		['NaN', NaN],
		['infinity', -Infinity],
		['an invalid date', new Date('soon')],
	])('fail the item when a value is %s', (_, value) => {
		expect(() => read({ name: 'a', value: '1' }, { name: 'sum', value })).toThrow(
			errorWith({
				message: "The text input 'sum' is not a value",
				description: 'Its expression gives no number, or no valid date. Correct it',
				itemIndex: 2,
			}),
		);
	});

	it.each([[''], ['  '], [null], [undefined]])(
		'fail the item, naming the position, when a name is %j',
		(name) => {
			expect(() => read({ name: 'a', value: '1' }, { name, value: '2' })).toThrow(
				errorWith({
					message: 'The text input at position 2 has no name',
					description: "Enter its name under 'Text Inputs', or remove it",
					itemIndex: 2,
				}),
			);
		},
	);

	it('fail the item when one has neither name nor value', () =>
		expect(() => read('text')).toThrow('The text input at position 1 has no name'));

	it('fail the item when a name occurs twice, even with white space around it', () => {
		expect(() => read({ name: 'a', value: '1' }, { name: ' a', value: '2' })).toThrow(
			errorWith({
				message: "The text input 'a' is there twice",
				description: "Remove one of them under 'Text Inputs'",
				itemIndex: 2,
			}),
		);
	});

	it('name their field in the message', () => {
		const read = () =>
			pairsOf(
				{ context: contextOf(), itemIndex: 0 },
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
		jsonObjectOf(
			{ context: contextOf(), itemIndex: 3 },
			given,
			'Text Inputs (JSON)',
			'{"policy_number": "CPP-1001"}',
		);

	it.each<[string, unknown, unknown]>([
		['as JSON text', ' {"a": 1, "b": [true, null]}\n', { a: 1, b: [true, null] }],
		['from an expression', { a: 1 }, { a: 1 }],
		['as empty from an empty text', '', {}],
		['as empty from white space', ' \n', {}],
		['as empty from null', null, {}],
		['as empty when it is missing', undefined, {}],
	])('is read %s', (_, given, value) => expect(readObject(given)).toEqual(value));

	it.each<[string, unknown, string]>([
		['a list', [1], 'a list'],
		['a list as text', '[1]', 'a list'],
		['a number', 7, 'a number'],
		['null as text', 'null', 'null'],
		['a text', '"a"', 'a string'],
		['true', 'true', 'a boolean'],
	])('fails its item when it is %s', (_, given, kind) => {
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
		['{"a": 1,}', 'Expected double-quoted property name at line 1, column 9'],
		[
			'{\n\t"a": "x"\n\t"b": "y"\n}',
			"Expected ',' or '}' after property value at line 3, column 2",
		],
		['{"a": "1"', "Expected ',' or '}' after property value at line 1, column 10"],
		['[,]', `Unexpected token ',' in "[,]"`],
		['{"a": ', 'Unexpected end of JSON input'],
		['{"a": "12\n34"}', 'Bad control character in string literal at line 1, column 10'],
		['{"a": 1} x', 'Unexpected non-whitespace character after JSON at line 1, column 10'],
		['{"a": aVeryLongWordThatIsNoJson}', `Unexpected token 'a' in "{"a": aVeryLongW"...`],
		[
			`{"a": "${'x'.repeat(5000)}",\r\n\t"b": undefined, "c": "${'x'.repeat(5000)}"}`,
			`Unexpected token 'u' in ...""${','} "b": undefined,"...`,
		],
	])('fails with the mistake and its place: %j', (given, mistake) => {
		expect(() => readObject(given)).toThrow(
			errorWith({
				message: `'Text Inputs (JSON)' is not valid JSON: ${mistake}`,
				description:
					'Enter an object, e.g. {"policy_number": "CPP-1001"}. In an expression, use JSON.stringify() for whole objects',
				itemIndex: 3,
			}),
		);
	});

	it('fails with the place in a text of many megabytes', () => {
		expect(() => readObject(`{"file": "${'a'.repeat(20_000_000)}",\n}`)).toThrow(
			'Expected double-quoted property name at line 2, column 1',
		);
	});

	// Node 24 adds line and column to the message of Node 20.
	it.each([
		['Bad escaped character in JSON at position 5 (line 2 column 3)', 'Bad escaped character'],
		['Unexpected string in JSON at position 5', 'Unexpected string'],
	])('fails with the same message on each version of Node: %s', (message, words) => {
		expect(mistakeIn('{\n\r\n  \\x', message)).toBe(`${words} at line 3, column 2`);
	});
});
