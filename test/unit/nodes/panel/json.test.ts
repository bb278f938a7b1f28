import { jsonObjectOf } from '../../../../nodes/DocumentWorkflow/panel/values';
import { contextOf, errorWith } from '../../support/context';

const CIRCULAR: Record<string, unknown> = {};
CIRCULAR.self = CIRCULAR;

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
