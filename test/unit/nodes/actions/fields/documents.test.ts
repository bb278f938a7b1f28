import {
	readFileUrls,
	readGroupBy,
	readPatterns,
	readSource,
} from '../../../../../nodes/DocumentWorkflow/actions/fields/documents';
import { contextOf, errorWith } from '../../../support/context';

describe('the names of input fields', () => {
	const read = (inputDataFieldName: unknown) =>
		readPatterns(contextOf({ parameters: { inputDataFieldName } }), 2);

	it.each([
		['data', ['data']],
		[' data , attachment_0,', ['data', 'attachment_0']],
		['a,a, b', ['a', 'b']],
		['attachment_*, *', ['attachment_*', '*']],
		['Scan of policy', ['Scan of policy']],
		['', []],
		[' , ', []],
		[
			['a', 'b, c'],
			['a', 'b', 'c'],
		],
		[[], []],
		[null, []],
	])('are read from %j as %j', (given, names) => expect(read(given)).toEqual(names));

	it.each([[{ id: 'filesystem-v2:1', mimeType: 'application/pdf' }], [7], [['data', 7]]])(
		'are not read from %j',
		(given) => {
			expect(() => read(given)).toThrow(
				errorWith({
					message: "'Input Data Field Name' must be the name of a field",
					description: 'Enter the name as text, e.g. data, instead of the file itself',
					itemIndex: 2,
				}),
			);
		},
	);
});

describe('the source of documents', () => {
	it.each([
		['files', 'files'],
		['urls', 'urls'],
		['none', 'none'],
		['elsewhere', 'files'],
		[undefined, 'files'],
	])('is read from %j as %s', (documents, source) =>
		expect(readSource(contextOf({ parameters: { documents } }), 0)).toBe(source),
	);

	it('includes the addresses when it is URLs', () => {
		expect(
			readFileUrls(
				contextOf({
					parameters: { fileUrls: 'https://files.example.com/a, https://files.example.com/b' },
				}),
				0,
			),
		).toEqual({
			fileUrls: ['https://files.example.com/a', 'https://files.example.com/b'],
			skipped: [],
		});
		expect(() => readFileUrls(contextOf(), 3)).toThrow(
			errorWith({ message: "'File URLs' is empty", itemIndex: 3 }),
		);
	});
});

it.each([
	['all', 'all'],
	['document', 'document'],
	['item', 'item'],
	['page', 'item'],
	[undefined, 'item'],
])('The grouping %j is read as one execution per %s', (groupBy, read) =>
	expect(readGroupBy(contextOf({ parameters: { groupBy } }))).toBe(read),
);
