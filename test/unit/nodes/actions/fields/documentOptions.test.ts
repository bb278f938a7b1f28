import type { INodeProperties } from 'n8n-workflow';

import {
	documentOptionsField,
	readDocumentChoice,
} from '../../../../../nodes/DocumentWorkflow/actions/fields/documentOptions';
import { contextOf, errorWith } from '../../../support/context';

const read = (options: Record<string, unknown> = {}) =>
	readDocumentChoice({
		context: contextOf({
			parameters: {
				inputDataFieldName: 'data, attachment_*',
				...Object.fromEntries(
					Object.entries(options).map(([name, value]) => [`documentOptions.${name}`, value]),
				),
			},
		}),
		itemIndex: 1,
	});

const AT_FIRST = {
	patterns: ['data', 'attachment_*'],
	filters: {
		fileNamePatterns: [],
		extensions: [],
		mediaTypes: [],
		smallestBytes: undefined,
		largestBytes: undefined,
	},
	includeInlineImages: false,
	unusableFiles: 'skip',
	withoutDocuments: 'skip',
	sentMemory: 'off',
};

describe('the choice of documents', () => {
	it('skips logos, unusable files and items without documents by default', () =>
		expect(read()).toEqual(AT_FIRST));

	it('is read from the panel', () => {
		const filters = {
			fileNamePattern: 'policy*, *claim*',
			extensions: 'PDF, .docx, *.tif',
			mediaTypes: 'Application/PDF, image/*',
			smallestKilobytes: 5,
			largestMegabytes: '2.5',
			includeInlineImages: true,
			unusableFiles: 'fail',
			withoutDocuments: 'send',
			skipAlreadySent: 'workflow',
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
			includeInlineImages: true,
			unusableFiles: 'fail',
			withoutDocuments: 'send',
			sentMemory: 'workflow',
		});
	});

	it.each([[0], ['0'], [' 0.0 '], [null]])('has no size limit when the size is %j', (size) =>
		expect(read({ smallestKilobytes: size, largestMegabytes: size })).toEqual(AT_FIRST),
	);

	it('reads each entry that the panel offers', () => {
		const offered = (documentOptionsField.options ?? []) as INodeProperties[];
		const chosen = offered.map(({ name, type }) => [
			name,
			type === 'options' ? 'fail' : type === 'boolean' ? true : type === 'number' ? 7 : 'text',
		]);
		const { patterns, filters, ...others } = read(
			Object.fromEntries(chosen) as Record<string, unknown>,
		);
		expect([patterns, Object.values(filters).flat()]).toEqual([
			AT_FIRST.patterns,
			['text', 'text', 'text', 7_000_000, 7000],
		]);
		expect(others).toEqual({
			includeInlineImages: true,
			unusableFiles: 'fail',
			withoutDocuments: 'fail',
			sentMemory: 'off',
		});
	});

	it.each([
		['off', 'off'],
		['node', 'node'],
		['workflow', 'workflow'],
		[true, 'off'],
		[undefined, 'off'],
	])('remembers, for documents sent before with %j: %s', (skipAlreadySent, sentMemory) =>
		expect(read({ skipAlreadySent })).toMatchObject({ sentMemory }),
	);

	it('accepts lists from expressions', () => {
		expect(read({ extensions: ['pdf', 'docx, tif'], fileNamePattern: [7, 'a*'] })).toMatchObject({
			filters: { extensions: ['pdf', 'docx', 'tif'], fileNamePatterns: ['7', 'a*'] },
		});
	});

	it.each([
		['File Extensions', { extensions: { pdf: true } }, '{"pdf":true}'],
		['File Name Pattern', { fileNamePattern: ['a*', null] }, 'null'],
		['Media Types', { mediaTypes: true }, 'true'],
	])('fails when %s is no list, which would accept all documents: %j', (field, filters, shown) => {
		expect(() => read(filters)).toThrow(
			`'${field}' must be names separated by commas, but contains ${shown}`,
		);
	});

	it.each(['fail', 'skip', 'send'])(
		'contains what to do when no document is left: %s',
		(withoutDocuments) => expect(read({ withoutDocuments })).toMatchObject({ withoutDocuments }),
	);

	it('accepts only the treatments that the panel offers', () => {
		expect(
			read({
				unusableFiles: 'send',
				withoutDocuments: 'guess',
				includeInlineImages: 'yes',
			}),
		).toEqual(AT_FIRST);
	});

	it.each([
		['Minimum Size (kB)', '10000000', { smallestKilobytes: 'small' }, '"small"'],
		['Maximum Size (MB)', '10000', { largestMegabytes: -1 }, '-1'],
		['Maximum Size (MB)', '10000', { largestMegabytes: Infinity }, 'Infinity'],
	])('fails when %s is not from 0 to %s: %j', (field, max, filters, shown) => {
		expect(() => read(filters)).toThrow(
			errorWith({
				message: `'${field}' must be a number from 0 to ${max}, but is ${shown}`,
				description: `Enter a number from 0 to ${max}, or remove the option`,
				itemIndex: 1,
			}),
		);
	});
});
