import {
	allTogether,
	onePerDocument,
	withoutRepeated,
	type Submission,
} from '../../../../../nodes/DocumentWorkflow/actions/sending/prepare';
import { aboutSent } from '../../../../../nodes/DocumentWorkflow/actions/sending/send';
import { NO_CONTENT } from '../../../../../nodes/DocumentWorkflow/documents/body';
import { contextOf } from '../../../support/context';
import { documentOf, submissionOf } from '../../../support/documents';
import { fc } from '../../../../properties';

const skippedFile = {
	itemIndex: 0,
	fieldName: 'logo',
	fileName: 'logo.png',
	reason: 'duplicate',
	detail: 'a.png',
} as const;
const skipped = [skippedFile];

describe('one execution for each document', () => {
	it('has one document or address each, with all other content', () => {
		const [first, second] = ['a', 'b'].map((fieldName) => documentOf('1', { fieldName }));
		if (first === undefined || second === undefined) throw new Error('There are two');
		const content = {
			...NO_CONTENT,
			textInputs: { a: '1' },
			metadata: { b: '2' },
			additional: { c: 3 },
		};
		const given = submissionOf({
			key: '3',
			itemIndexes: [3],
			documents: [first, second],
			fileUrls: ['https://files.example.com/3'],
			content,
		});
		expect(onePerDocument(given)).toEqual([
			{ ...given, key: '3/a', fieldNames: ['a'], documents: [first], fileUrls: [] },
			{ ...given, key: '3/b', fieldNames: ['b'], documents: [second], fileUrls: [] },
			{ ...given, key: '3/0', documents: [], fileUrls: ['https://files.example.com/3'] },
		]);
	});

	it('lists what was skipped with the first', () => {
		const parts = onePerDocument(
			submissionOf({ documents: [documentOf('1'), documentOf('2')], skipped }),
		);
		expect(parts.map((part) => part.skipped)).toEqual([skipped, []]);
	});

	it('is a single execution when there is no document', () => {
		const given = submissionOf({ skipped });
		expect(onePerDocument(given)).toEqual([given]);
	});

	const unusable = { ...skippedFile, fileName: 'a.pdf', reason: 'empty' } as const;
	const other = { ...unusable, fileName: 'b.pdf' };

	it('has a part without an execution for each unusable file, behind the documents', () => {
		const document = documentOf('1');
		const handling = { withoutDocuments: 'fail' } as const;
		const given = submissionOf({
			documents: [document],
			skipped: [unusable, skippedFile, other],
			handling,
		});
		const alone = submissionOf({ handling: { withoutDocuments: 'skip' } });
		expect(onePerDocument(given)).toEqual([
			{ ...given, key: '0/data', fieldNames: ['data'], skipped: [skippedFile] },
			{ ...alone, key: '0/logo', skipped: [unusable] },
			{ ...alone, key: '0/logo', skipped: [other] },
		]);
	});

	it('has only parts of unusable files where there is nothing else', () => {
		const parts = onePerDocument(submissionOf({ skipped: [unusable, skippedFile, other] }));
		expect(parts.map((part) => part.skipped)).toEqual([[skippedFile, unusable], [other]]);
	});

	it('is a single execution of text inputs alone, with all unusable files', () => {
		const handling = { withoutDocuments: 'send' } as const;
		const given = submissionOf({ skipped: [unusable, other], handling });
		expect(onePerDocument(given)).toEqual([given]);
	});
});

describe('one execution for all items', () => {
	const together = (items: Submission[]) => allTogether({ context: contextOf() }, items);

	it('has the documents of all items in order, and what was skipped', () => {
		const documents = ['1', '2', '3'].map((content) => documentOf(content));
		const [first, second, third] = documents.map((document, index) =>
			submissionOf({
				itemIndexes: [index],
				documents: [document],
				skipped: index === 1 ? skipped : [],
			}),
		);
		if (first === undefined || second === undefined || third === undefined)
			throw new Error('There are three');
		expect(together([first, second, third])).toEqual([
			{ ...first, key: 'all', itemIndexes: [0, 1, 2], documents, skipped },
		]);
	});

	it('has each address once', () => {
		const urls = (itemIndex: number, ...fileUrls: string[]) =>
			submissionOf({ itemIndexes: [itemIndex], fileUrls });
		expect(
			together([
				urls(0, 'https://a/1', 'https://b/1?s=x'),
				urls(1, 'https://b/1?s=x', 'https://c/1'),
				urls(2, 'https://a/1'),
			]),
		).toMatchObject([{ fileUrls: ['https://a/1', 'https://b/1?s=x', 'https://c/1'], skipped: [] }]);
	});

	it('does not exist without items', () => expect(together([])).toEqual([]));

	const first = submissionOf({
		content: { ...NO_CONTENT, textInputs: { a: '1' } },
	});
	const along = first.content;
	it.each([
		['another workflow', submissionOf({ workflowId: 'claims', content: along })],
		['another text input', submissionOf({ content: { ...along, textInputs: { a: '2' } } })],
		['a text input more', submissionOf({ content: { ...along, textInputs: { a: '1', b: '' } } })],
		['other metadata', submissionOf({ content: { ...along, metadata: { mailbox: 'claims' } } })],
		[
			'another additional field',
			submissionOf({ content: { ...along, additional: { desk: 'claims' } } }),
		],
		['another way of handling it', submissionOf({ content: along, handling: { skipsSent: true } })],
	])('fails for %s, and names the first item that differs', (_, conflict) => {
		const items = [first, first, { ...conflict, itemIndexes: [2] }, first];
		expect(together(items)).toMatchObject([
			{
				itemIndexes: [0, 1, 2, 3],
				work: { error: { message: expect.stringMatching(/^Items 0 and 2 cannot be sent in one/) } },
			},
		]);
	});
});

describe('what the output says of a submission', () => {
	it('needs review where a file was unusable', () => {
		const unusable = { ...skippedFile, reason: 'empty' } as const;
		expect(aboutSent(submissionOf({ skipped: [skippedFile, unusable] }), [])).toEqual({
			documents: [],
			skipped: [skippedFile, unusable],
			needsReview: true,
		});
		expect(aboutSent(submissionOf({ skipped }), [])).toEqual({ documents: [], skipped });
	});

	it('has the External ID, also where no answer of the service repeats it', () => {
		const about = { workflowId: 'w', externalId: 'CASE-1' };
		expect(aboutSent(submissionOf({ about }), [])).toMatchObject({ externalId: 'CASE-1' });
	});
});

describe('repeated documents', () => {
	it('are skipped by their content, whatever their names', async () => {
		const documents = [
			documentOf('policy', { fileName: 'a.pdf', fieldName: 'attachment_0' }),
			documentOf('claim 1', { fileName: 'b.pdf' }),
			documentOf('policy', { fileName: 'c.pdf', fieldName: 'attachment_2', itemIndex: 1 }),
			documentOf('claim 2', { fileName: 'b.pdf' }),
			documentOf('policy', { fileName: 'd.pdf', fieldName: 'attachment_3', itemIndex: 2 }),
		];
		const given = submissionOf({ documents, skipped });
		expect(await withoutRepeated(given)).toEqual({
			...given,
			documents: [documents[0], documents[1], documents[3]],
			skipped: [
				...skipped,
				{
					itemIndex: 1,
					fieldName: 'attachment_2',
					fileName: 'c.pdf',
					reason: 'duplicate',
					detail: 'a.pdf',
				},
				{
					itemIndex: 2,
					fieldName: 'attachment_3',
					fileName: 'd.pdf',
					reason: 'duplicate',
					detail: 'a.pdf',
				},
			],
		});
	});

	it('are read once, and only if another has the same size', async () => {
		const documents = ['one', 'two', 'three', 'fourth', 'one'].map((content) =>
			documentOf(content),
		);
		await withoutRepeated(submissionOf({ documents }));
		expect(documents.map(({ opened }) => opened)).toEqual([1, 1, 0, 0, 1]);
	});

	it('leave the first document of each content', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.constantFrom('', 'a', 'b', 'ab', 'ba', 'abc'), { maxLength: 12 }),
				async (contents) => {
					const documents = contents.map((content, itemIndex) =>
						documentOf(content, { itemIndex, reference: `stored:${itemIndex}` }),
					);
					const reduced = await withoutRepeated(submissionOf({ documents }));
					expect(reduced.documents.map(({ itemIndex }) => itemIndex)).toEqual(
						[...new Set(contents)].map((content) => contents.indexOf(content)),
					);
					expect(reduced.skipped).toHaveLength(contents.length - reduced.documents.length);
				},
			),
		);
	});
});
