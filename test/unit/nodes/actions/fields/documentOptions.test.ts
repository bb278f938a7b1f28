import type { INodeProperties } from 'n8n-workflow';

import {
	documentOptionsField,
	readDocumentOptions,
} from '../../../../../nodes/DocumentWorkflow/actions/fields/sending';
import { contextOf } from '../../../support/context';

const read = (options: Record<string, unknown> = {}) =>
	readDocumentOptions({
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
	source: 'files',
	choice: {
		patterns: ['data', 'attachment_*'],
		fileNames: [],
		includeInlineImages: false,
		unusableFiles: 'skip',
		skipsSent: false,
	},
	handling: { withoutDocuments: 'skip', skipsSent: false },
};

describe('the choice of documents', () => {
	it('skips logos, unusable files and items without documents by default', () =>
		expect(read()).toEqual(AT_FIRST));

	it('reads each entry that the panel offers', () => {
		const offered = (documentOptionsField.options ?? []) as INodeProperties[];
		const chosen = offered.map(({ name, type }) => [
			name,
			type === 'options' ? 'fail' : type === 'boolean' ? true : 'text',
		]);
		expect(read(Object.fromEntries(chosen) as Record<string, unknown>)).toEqual({
			source: 'files',
			choice: {
				patterns: AT_FIRST.choice.patterns,
				fileNames: ['text'],
				includeInlineImages: true,
				unusableFiles: 'fail',
				skipsSent: true,
			},
			handling: { withoutDocuments: 'fail', skipsSent: true },
		});
	});

	it('accepts lists from expressions', () => {
		expect(read({ fileNames: [7, 'a*, b'] })).toMatchObject({
			choice: { fileNames: ['7', 'a*', 'b'] },
		});
	});

	it.each([
		[{ pdf: true }, '{"pdf":true}'],
		[['a*', null], 'null'],
		[true, 'true'],
	])(
		'fails when File Names is no list, which would accept all documents: %j',
		(fileNames, shown) => {
			expect(() => read({ fileNames })).toThrow(
				`'File Names' must be names separated by commas, but contains ${shown}`,
			);
		},
	);

	it.each(['fail', 'skip', 'send'])(
		'contains what to do when no document is left: %s',
		(withoutDocuments) =>
			expect(read({ withoutDocuments })).toMatchObject({ handling: { withoutDocuments } }),
	);

	it.each([
		['unusableFiles', 'send', `'On Unusable File' is "send", but must be one of these: fail, skip`],
		['withoutDocuments', 7, "'On No Documents' is 7, but must be one of these: fail, send, skip"],
		[
			'skipAlreadySent',
			'true',
			`'Skip Already Sent' is "true", but must be one of these: true, false`,
		],
	])('fails when an expression gives what the panel does not offer: %s %j', (name, value, words) =>
		expect(() => read({ [name]: value })).toThrow(`${words}. Correct its expression, or choose`),
	);
});
