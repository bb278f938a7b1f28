import type { Content } from '../../../../nodes/DocumentWorkflow/documents/body';
import { createBody } from '../../../../nodes/DocumentWorkflow/documents/body';
import { SentDocument } from '../../../../nodes/DocumentWorkflow/documents/open';
import { CREATE_FIELDS } from '../../../../service/contract';
import type { FilePart, FormDataShaped } from '../../../../service/http';
import { bytesOf, documentOf } from '../../support/documents';

const NOTHING = { textInputs: {}, metadata: {}, additional: {} };
const OTHER_NAMES = {
	files: 'documents',
	textInputs: 'inputs',
	metadata: 'tags',
	fileUrls: 'links',
};
const URLS = ['https://files.example.com/a.pdf', 'https://files.example.com/b.pdf?sig=1'];
const form = (files: FilePart[], content: Content, names = CREATE_FIELDS) =>
	createBody(files, [], content, { names, fileAccess: { token: 't' } }) as FormDataShaped;
const json = (content: Content, names = CREATE_FIELDS, fileAccess = {}) =>
	createBody([], URLS, content, { names, fileAccess });
const part = (content: string) => new SentDocument(documentOf(content));

/** The parts of a form, each with its text. */
async function read(body: FormDataShaped): Promise<Array<[string, string]>> {
	return Promise.all(
		[...body].map(async ([name, entry]): Promise<[string, string]> => [
			name,
			typeof entry === 'string' ? entry : (await bytesOf(entry.stream())).toString(),
		]),
	);
}

describe('the form of a create', () => {
	it('gives the same parts each time it is sent', async () => {
		const body = form([part('one'), part('two')], {
			textInputs: { number: 1 },
			metadata: { external_id: 'INV-1' },
			additional: {},
		});
		for (let time = 0; time < 2; time++) {
			expect(await read(body)).toEqual([
				['files', 'one'],
				['files', 'two'],
				['user_inputs', '{"number":1}'],
				['metadata', '{"external_id":"INV-1"}'],
			]);
		}
		expect([...body.entries()]).toEqual([...body]);
	});

	it('has no part for text inputs and metadata where there are none', async () => {
		expect(await read(form([part('one')], NOTHING))).toEqual([['files', 'one']]);
		expect(await read(form([], { ...NOTHING, textInputs: { a: '' } }))).toEqual([
			['user_inputs', '{"a":""}'],
		]);
	});

	it('has further fields as texts, or as JSON where they are no texts', async () => {
		const additional = {
			priority: 'high',
			quoted: '"a"',
			copies: 2,
			urgent: false,
			nothing: null,
			client: { id: 'x' },
			tags: ['a'],
		};
		expect(await read(form([], { ...NOTHING, additional }))).toEqual([
			['priority', 'high'],
			['quoted', '"a"'],
			['copies', '2'],
			['urgent', 'false'],
			['nothing', 'null'],
			['client', '{"id":"x"}'],
			['tags', '["a"]'],
		]);
	});

	it('takes the names of a deployment that has others', async () => {
		const body = form(
			[part('one')],
			{ textInputs: { a: '1' }, metadata: { b: '2' }, additional: {} },
			OTHER_NAMES,
		);
		expect(await read(body)).toEqual([
			['documents', 'one'],
			['inputs', '{"a":"1"}'],
			['tags', '{"b":"2"}'],
		]);
	});

	it('is taken for a form by n8n', () => {
		expect(Object.prototype.toString.call(form([], NOTHING))).toBe('[object FormData]');
	});
});

describe('the JSON of a create whose files the service fetches', () => {
	it('holds the addresses, text inputs and metadata as they are, and further fields', () => {
		const along = {
			textInputs: { number: 1 },
			metadata: { external_id: 'INV-1' },
			additional: { oauth2: { client_id: 'x' }, priority: 'high' },
		};
		expect(json(along)).toEqual({
			file_urls: URLS,
			user_inputs: { number: 1 },
			metadata: { external_id: 'INV-1' },
			oauth2: { client_id: 'x' },
			priority: 'high',
		});
	});

	it('has no text inputs and metadata where there are none', () =>
		expect(json(NOTHING)).toEqual({ file_urls: URLS }));

	it('takes the names of a deployment that has others', () => {
		expect(
			json({ textInputs: { a: '1' }, metadata: { b: '2' }, additional: {} }, OTHER_NAMES),
		).toEqual({ links: URLS, inputs: { a: '1' }, tags: { b: '2' } });
	});

	it('has the fields with which the service may fetch the files, which a form does not have', async () => {
		const fileAccess = { oauth2: { client_id: 'x' } };
		expect(json(NOTHING, CREATE_FIELDS, fileAccess)).toEqual({ file_urls: URLS, ...fileAccess });
		expect(await read(form([part('one')], NOTHING))).toEqual([['files', 'one']]);
	});

	it('never lets a further field take the place of another', () => {
		expect(
			json({ ...NOTHING, textInputs: { a: '1' }, additional: { file_urls: [], user_inputs: {} } }),
		).toEqual({ file_urls: URLS, user_inputs: { a: '1' } });
	});
});
