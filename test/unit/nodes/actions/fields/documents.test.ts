import {
	readDocumentOptions,
	readFileUrls,
	readGroupBy,
} from '../../../../../nodes/DocumentWorkflow/actions/fields/sending';
import { contextOf, errorWith } from '../../../support/context';

describe('the names of input fields', () => {
	const read = (inputDataFieldName: unknown) =>
		readDocumentOptions({
			context: contextOf({ parameters: { inputDataFieldName } }),
			itemIndex: 2,
		}).choice.patterns;

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

	it('are not read from a file', () =>
		expect(() => read({ id: 'filesystem-v2:1' })).toThrow(
			`'Input Data Field Name' must be names separated by commas, but contains {"id":"filesystem-v2:1"}`,
		));
});

describe('the source of documents', () => {
	it.each([
		['files', 'files'],
		['urls', 'urls'],
		['none', 'none'],
		[undefined, 'files'],
	])('is read from %j as %s', (documents, source) =>
		expect(
			readDocumentOptions({ context: contextOf({ parameters: { documents } }), itemIndex: 0 }),
		).toMatchObject({ source }),
	);

	it('includes the addresses when it is URLs', () => {
		const fileUrls = 'https://files.example.com/a, https://files.example.com/b';
		expect(
			readFileUrls({ context: contextOf({ parameters: { fileUrls } }), itemIndex: 0 }),
		).toEqual(['https://files.example.com/a', 'https://files.example.com/b']);
		expect(() => readFileUrls({ context: contextOf(), itemIndex: 3 })).toThrow(
			errorWith({ message: "'File URLs' is empty", itemIndex: 3 }),
		);
	});
});

it.each([
	['all', 'all'],
	['document', 'document'],
	['item', 'item'],
	[undefined, 'item'],
])('The grouping %j is read as one execution per %s', (groupBy, read) =>
	expect(readGroupBy(contextOf({ parameters: { groupBy } }))).toBe(read),
);
