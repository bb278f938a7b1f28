import { readContent } from '../../../../../nodes/DocumentWorkflow/actions/fields/content';
import { NO_CONTENT } from '../../../../../nodes/DocumentWorkflow/documents/body';
import { contextOf, errorWith } from '../../../support/context';

const FILE_ACCESS = { fields: { client: 'x' } };
const read = (inputs: unknown, fileUrls = ['https://files.example.com/a.pdf']) => {
	const context = contextOf({ parameters: { inputs } });
	return readContent({ context, itemIndex: 2 }, FILE_ACCESS, fileUrls);
};
const one = (name: unknown, value: unknown) => [{ name, value }];

describe('the content of a create', () => {
	it.each([[undefined], [null], [{}], [{ textInputs: [], metadata: [] }]])(
		'is empty for %j',
		(inputs) => expect(read(inputs)).toEqual(NO_CONTENT),
	);

	it('has each entry where it belongs', () => {
		expect(
			read({
				textInputs: one('policy_number', 'CPP-1001'),
				metadata: one('external_id', 'INV-1'),
				additional: one('desk', 'claims'),
			}),
		).toEqual({
			...NO_CONTENT,
			textInputs: { policy_number: 'CPP-1001' },
			metadata: { external_id: 'INV-1' },
			additional: { desk: 'claims' },
		});
	});

	it.each([
		[7, '7', 7],
		[true, 'true', true],
		[{ a: [1, null] }, '{"a":[1,null]}', { a: [1, null] }],
		[undefined, '', ''],
		['{"a": 1}', '{"a": 1}', '{"a": 1}'],
		[new Date(Date.UTC(2026, 0, 31)), '2026-01-31T00:00:00.000Z', '2026-01-31T00:00:00.000Z'],
	])(
		'has the result %j of an expression as text, and as JSON in an additional field',
		(value, text, json) => {
			const all = one('a', value);
			expect(read({ textInputs: all, metadata: all, additional: all })).toEqual({
				...NO_CONTENT,
				textInputs: { a: text },
				metadata: { a: text },
				additional: { a: json },
			});
		},
	);

	it.each([
		['textInputs', 'text input'],
		['metadata', 'metadata'],
		['additional', 'additional field'],
	])('fails for an entry without a name in %s, and calls it %s', (kind, words) => {
		expect(() => read({ [kind]: one('', 'x') })).toThrow(
			errorWith({
				message: `The ${words} at position 1 has no name`,
				description: "Enter its name under 'Text Inputs and Metadata', or remove it",
				itemIndex: 2,
			}),
		);
	});
});

describe('an additional field of the body', () => {
	it.each([
		['files', 'the files'],
		['user_inputs', 'the text inputs'],
		['client', "'File Access Fields (JSON)' in the credential"],
	])('fails when it has the name %s, which is that of %s', (name, other) => {
		expect(() => read({ additional: [...one('a', 1), ...one(name, 'x')] })).toThrow(
			errorWith({
				message: `The request field '${name}' is set twice: by ${other} and by an additional field`,
				description: 'Remove or rename it in one of the two',
				itemIndex: 2,
			}),
		);
	});

	it('may have the name of a file access field when files are uploaded, which goes without those', () =>
		expect(read({ additional: one('client', 'y') }, []).additional).toEqual({ client: 'y' }));
});

const pairs = (...textInputs: unknown[]) => read({ textInputs }).textInputs;

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
		expect(pairs({ name: 'value', value })).toEqual({ value: text }),
	);

	it('are read in order, with trimmed names', () => {
		const inputs = pairs(
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
			Object.entries(pairs({ name: '__proto__', value: '1' }, { name: 'constructor', value: '2' })),
		).toEqual([
			['__proto__', '1'],
			['constructor', '2'],
		]);
	});

	it.each([[[]], [undefined], [null]])('are none in %p', (given) => {
		expect(read({ textInputs: given }).textInputs).toEqual({});
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
		expect(() => pairs({ name: 'a', value: '1' }, { name: 'sum', value })).toThrow(
			errorWith({
				message: "The text input 'sum' cannot be sent as it is",
				description:
					"Its expression under 'Text Inputs and Metadata' returns an invalid number, an invalid date, or a number with too many digits. Correct the expression, or return a text",
				itemIndex: 2,
			}),
		);
	});

	it.each([[''], ['  '], [null], [undefined]])(
		'fail the item, naming the position, when a name is %j',
		(name) => {
			expect(() => pairs({ name: 'a', value: '1' }, { name, value: '2' })).toThrow(
				errorWith({
					message: 'The text input at position 2 has no name',
					description: "Enter its name under 'Text Inputs and Metadata', or remove it",
					itemIndex: 2,
				}),
			);
		},
	);

	it('fail the item when a name occurs twice, even with white space around it', () => {
		expect(() => pairs({ name: 'a', value: '1' }, { name: ' a', value: '2' })).toThrow(
			errorWith({
				message: "The text input 'a' appears twice",
				description: "Remove one of them under 'Text Inputs and Metadata'",
				itemIndex: 2,
			}),
		);
	});

	it.each([['text'], [7], [true]])('fail the item when their list is %j', (given) => {
		expect(() => read({ textInputs: given })).toThrow('The text input at position 1 has no name');
	});
});
