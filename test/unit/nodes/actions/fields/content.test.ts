import { readContent } from '../../../../../nodes/DocumentWorkflow/actions/fields/content';
import { NO_CONTENT } from '../../../../../nodes/DocumentWorkflow/documents/body';
import { CREATE_FIELDS } from '../../../../../service/contract';
import { contextOf, errorWith } from '../../../support/context';

const SETTINGS = { names: CREATE_FIELDS, executionIdField: '', fileAccess: { client: 'x' } };
const read = (inputs: unknown, fileUrls = ['https://files.example.com/a.pdf']) => {
	const context = contextOf({ parameters: { inputs } });
	return readContent({ context, itemIndex: 2 }, SETTINGS, fileUrls);
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

	it('fails when an expression gives something else for all entries', () => {
		expect(() => read('policy_number')).toThrow('The text input at position 1 has no name');
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
				description:
					"Remove or rename it in one of the two. The names for files, text inputs, metadata and file URLs are in the Document Workflow API credential under 'Advanced Settings'",
				itemIndex: 2,
			}),
		);
	});

	it('may have the name of a file access field when files are uploaded, which goes without those', () =>
		expect(read({ additional: one('client', 'y') }, []).additional).toEqual({ client: 'y' }));
});
