import type { INodeProperties } from 'n8n-workflow';

import {
	filterFields,
	readChoice,
} from '../../../../../nodes/DocumentWorkflow/actions/fields/filters';
import { contextOf, errorWith } from '../../../support/context';

const read = (filters?: unknown) =>
	readChoice(
		contextOf({
			parameters: {
				inputDataFieldName: 'data, attachment_*',
				...(filters === undefined ? {} : { filters }),
			},
		}),
		1,
	);

const AT_FIRST = {
	patterns: ['data', 'attachment_*'],
	filters: {
		fileNamePatterns: [],
		extensions: [],
		mediaTypes: [],
		smallestBytes: undefined,
		largestBytes: undefined,
	},
	skipInlineImages: false,
	skipSameDocument: false,
	emptyDocuments: 'refuse',
	mislabelledDocuments: 'refuse',
	lockedPdfs: 'refuse',
	withoutDocuments: 'automatic',
};

describe('the choice of documents', () => {
	it.each([[undefined], [{}], [null], ['text']])(
		'sends everything except invalid documents when the filters are %j',
		(filters) => expect(read(filters)).toEqual(AT_FIRST),
	);

	it('is read from the panel', () => {
		const filters = {
			fileNamePattern: 'policy*, *claim*',
			extensions: 'PDF, .docx, *.tif',
			mediaTypes: 'Application/PDF, image/*',
			smallestKilobytes: 5,
			largestMegabytes: '2.5',
			skipInlineImages: true,
			skipSameDocument: true,
			emptyDocuments: 'skip',
			mislabelledDocuments: 'send',
			lockedPdfs: 'skip',
			withoutDocuments: 'send',
		};
		expect(read(filters)).toEqual({
			...AT_FIRST,
			filters: {
				fileNamePatterns: ['policy*', '*claim*'],
				extensions: ['pdf', 'docx', 'tif'],
				mediaTypes: ['application/pdf', 'image/*'],
				smallestBytes: 5000,
				largestBytes: 2_500_000,
			},
			skipInlineImages: true,
			skipSameDocument: true,
			emptyDocuments: 'skip',
			mislabelledDocuments: 'send',
			lockedPdfs: 'skip',
			withoutDocuments: 'send',
		});
	});

	it('has no size limit when the size is zero', () =>
		expect(read({ smallestKilobytes: 0, largestMegabytes: 0 })).toEqual(AT_FIRST));

	it('reads each filter that the panel offers', () => {
		const offered = (filterFields[0]?.options ?? []) as INodeProperties[];
		const chosen = offered.map(({ name, type }) => [
			name,
			type === 'options' ? 'skip' : type === 'boolean' ? true : type === 'number' ? 7 : 'text',
		]);
		const { patterns, filters, ...others } = read(Object.fromEntries(chosen));
		expect([patterns, Object.values(filters).flat()]).toEqual([
			AT_FIRST.patterns,
			['text', 'text', 'text', 7000, 7_000_000],
		]);
		expect(Object.values(others)).toEqual([true, true, 'skip', 'skip', 'skip', 'skip']);
	});

	it('accepts lists from expressions', () => {
		expect(read({ extensions: ['pdf', 'docx, tif'], fileNamePattern: [7, 'a*'] })).toMatchObject({
			filters: { extensions: ['pdf', 'docx', 'tif'], fileNamePatterns: ['a*'] },
		});
	});

	it.each(['refuse', 'skip', 'send', 'automatic'])(
		'contains what to do when no document is left: %s',
		(withoutDocuments) => expect(read({ withoutDocuments })).toMatchObject({ withoutDocuments }),
	);

	it('accepts only the treatments that the panel offers', () => {
		expect(
			read({
				emptyDocuments: 'send',
				mislabelledDocuments: 'delete',
				lockedPdfs: 7,
				withoutDocuments: 'guess',
				skipInlineImages: 'yes',
			}),
		).toEqual(AT_FIRST);
	});

	it.each([
		['Smallest Size (kB)', { smallestKilobytes: 'small' }, '"small"'],
		['Largest Size (MB)', { largestMegabytes: -1 }, '-1'],
	])('fails when %s is not above zero: %j', (field, filters, shown) => {
		expect(() => read(filters)).toThrow(
			errorWith({
				message: `'${field}' must be a number above zero, and it is ${shown}`,
				description: 'Enter a number, or remove the option',
				itemIndex: 1,
			}),
		);
	});
});
