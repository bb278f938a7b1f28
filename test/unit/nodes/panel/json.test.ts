import { asText, jsonObjectOf, pairsOf } from '../../../../nodes/DocumentWorkflow/panel/json';
import { contextOf, errorWith } from '../../support/context';

const words = { field: 'Text Inputs', one: 'text input' };
const read = (...pairs: unknown[]) =>
	pairsOf({ context: contextOf(), itemIndex: 2 }, pairs, words, asText);

const CIRCULAR: Record<string, unknown> = {};
CIRCULAR.self = CIRCULAR;

describe('name–value pairs', () => {
	it.each<[string, unknown, string]>([
		['a text as it is', ' CPP-1001\n', ' CPP-1001\n'],
		['a number as JSON writes it', 1200.5, '1200.5'],
		['a very small number', 1e-21, '1e-21'],
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

	it.each([[[]], [undefined], [null]])('are none in %p', (given) => {
		expect(pairsOf({ context: contextOf(), itemIndex: 0 }, given, words, asText)).toEqual({});
	});
});

describe('invalid name–value pairs', () => {
	it.each<[string, unknown]>([
		['NaN', NaN],
		['infinity', -Infinity],
		['an invalid date', new Date('soon')],
		['NaN within a list', [1, NaN]],
		['an invalid date within an object', { at: new Date('soon') }],
		['an integer that was rounded', 2 ** 60],
		['a rounded integer within an object', { policy: { number: 2 ** 53 } }],
		['a function', () => 1],
		['a value within itself', CIRCULAR],
	])('fail the item when a value is %s', (_, value) => {
		expect(() => read({ name: 'a', value: '1' }, { name: 'sum', value })).toThrow(
			errorWith({
				message: "The text input 'sum' cannot be sent as it is",
				description:
					"Its expression under 'Text Inputs' returns an invalid number, an invalid date, or a number with too many digits. Correct the expression, or return a text",
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
				message: "The text input 'a' appears twice",
				description: "Remove one of them under 'Text Inputs'",
				itemIndex: 2,
			}),
		);
	});

	it.each([['text'], [7], [true]])('fail the item when their list is %j', (given) => {
		expect(() => pairsOf({ context: contextOf(), itemIndex: 2 }, given, words, asText)).toThrow(
			'The text input at position 1 has no name',
		);
	});

	it('name their field in the message', () => {
		const read = () =>
			pairsOf(
				{ context: contextOf(), itemIndex: 0 },
				[{ name: '' }],
				{ field: 'Metadata', one: 'metadata entry' },
				asText,
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
			'Original Item',
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
				message: `'Original Item' must be an object, but is ${kind}`,
				description:
					'Enter names and values, e.g. {"policy_number": "CPP-1001"}. In an expression, use JSON.stringify() for whole objects',
				itemIndex: 3,
			}),
		);
	});

	it('fails with the mistake and its place', () => {
		expect(() => readObject('{\n\t"a": "x"\n\t"b": "y"\n}')).toThrow(
			errorWith({
				message: "'Original Item' is not valid JSON: a comma or } is expected at line 3, column 2",
				itemIndex: 3,
			}),
		);
	});

	it.each([['{"policy": 12345678901234567890}'], ['{"policy": 1.10}']])(
		'fails when a number would be altered: %s',
		(given) => {
			expect(() => readObject(given)).toThrow(
				errorWith({
					message:
						"'Original Item' cannot be sent as it is: the number cannot be sent exactly as written at line 1, column 12",
					description: 'Write it in quotes',
					itemIndex: 3,
				}),
			);
		},
	);

	it.each<[string, unknown]>([
		['NaN', { sum: NaN }],
		['an invalid date', { at: [new Date('soon')] }],
		['an object within itself', CIRCULAR],
		['a function', () => 1],
	])('fails when an expression gives %s', (_, given) => {
		expect(() => readObject(given)).toThrow(
			"'Original Item' contains a value that JSON does not support",
		);
	});

	it('fails when an expression gives an integer that was rounded', () => {
		expect(() => readObject({ policy: 2 ** 60 })).toThrow(
			"'Original Item' cannot be sent as it is: the number",
		);
	});
});
