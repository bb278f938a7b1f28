import type { Content } from '../../../../nodes/DocumentWorkflow/documents/body';
import { createBody } from '../../../../nodes/DocumentWorkflow/documents/body';
import { SentDocument } from '../../../../nodes/DocumentWorkflow/documents/sent';
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
const form = (files: SentDocument[], content: Content, names = CREATE_FIELDS) =>
	createBody(files, [], content, { names, fileAccess: { token: 't' } }) as FormDataShaped;
const json = (content: Content, names = CREATE_FIELDS, fileAccess = {}) =>
	createBody([], URLS, content, { names, fileAccess });
const part = (content: string) => new SentDocument(documentOf(content));

/** The parts of a form as texts. */
async function read(body: FormDataShaped): Promise<Array<[string, string]>> {
	return Promise.all(
		[...body].map(async ([name, entry]): Promise<[string, string]> => [
			name,
			typeof entry === 'string' ? entry : (await bytesOf(entry.stream())).toString(),
		]),
	);
}

describe('the form of a create', () => {
	it('has the same parts each time it is sent', async () => {
		const body = form([part('one'), part('two')], {
			textInputs: { number: 1 },
			metadata: { external_id: 'INV-1' },
			additional: {},
		});
		for (let time = 0; time < 2; time++) {
			expect(await read(body)).toEqual([
				['user_inputs', '{"number":1}'],
				['metadata', '{"external_id":"INV-1"}'],
				['files', 'one'],
				['files', 'two'],
			]);
		}
		expect([...body.entries()]).toEqual([...body]);
	});

	it('has no part for empty text inputs and metadata', async () => {
		expect(await read(form([part('one')], NOTHING))).toEqual([['files', 'one']]);
		expect(await read(form([], { ...NOTHING, textInputs: { a: '' } }))).toEqual([
			['user_inputs', '{"a":""}'],
		]);
	});

	it('has additional fields as texts, or as JSON for other values', async () => {
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

	it('has the field names of the deployment', async () => {
		const body = form(
			[part('one')],
			{ textInputs: { a: '1' }, metadata: { b: '2' }, additional: {} },
			OTHER_NAMES,
		);
		expect(await read(body)).toEqual([
			['inputs', '{"a":"1"}'],
			['tags', '{"b":"2"}'],
			['documents', 'one'],
		]);
	});

	describe('knows how far an attempt got:', () => {
		const lastOf = (body: FormDataShaped) =>
			([...body].at(-1)?.[1] as FilePart).stream()[Symbol.asyncIterator]();

		it('it is complete after the last byte of its last file was taken, in each attempt anew', async () => {
			const body = form([part('one'), part('two')], { ...NOTHING, textInputs: { a: '1' } });
			const completions: number[] = [];
			for (const number of [1, 2]) {
				body.begin(() => completions.push(number));
				const reading = lastOf(body);
				await reading.next();
				await reading.next();
				expect(completions).toHaveLength(number - 1);
				await reading.next();
				expect(completions).toHaveLength(number);
				expect(body.end()).toBe(true);
			}
			body.begin();
			expect(body.end()).toBe(false);
		});

		it('after the end of an attempt nothing more is taken, and the form does not end normally', async () => {
			for (const taken of [0, 1, 2]) {
				const body = form([part('one'), part('two')], NOTHING);
				const whenComplete = jest.fn();
				body.begin(whenComplete);
				const reading = lastOf(body);
				for (let number = 0; number < taken; number++) await reading.next();
				const pending = taken === 1 ? reading.next() : undefined;
				expect(body.end()).toBe(false);
				await expect(pending ?? reading.next()).rejects.toThrow('The request is over');
				expect(whenComplete).not.toHaveBeenCalled();
			}
		});

		it('it counts as complete from the beginning when it has no file', () => {
			const body = form([], { ...NOTHING, textInputs: { a: '1' } });
			const whenComplete = jest.fn();
			body.begin(whenComplete);
			expect(whenComplete).toHaveBeenCalledTimes(1);
			expect(body.end()).toBe(true);
		});
	});

	it('is recognized as a form by n8n', () => {
		expect(Object.prototype.toString.call(form([], NOTHING))).toBe('[object FormData]');
	});
});

describe('the JSON of a create whose files the service fetches', () => {
	it('has the unchanged addresses, text inputs, metadata and additional fields', () => {
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

	it('has no field for empty text inputs and metadata', () =>
		expect(json(NOTHING)).toEqual({ file_urls: URLS }));

	it('has the field names of the deployment', () => {
		expect(
			json({ textInputs: { a: '1' }, metadata: { b: '2' }, additional: {} }, OTHER_NAMES),
		).toEqual({ links: URLS, inputs: { a: '1' }, tags: { b: '2' } });
	});

	it('has the file access fields, which a form has not', async () => {
		const fileAccess = { oauth2: { client_id: 'x' } };
		expect(json(NOTHING, CREATE_FIELDS, fileAccess)).toEqual({ file_urls: URLS, ...fileAccess });
		expect(await read(form([part('one')], NOTHING))).toEqual([['files', 'one']]);
	});

	it('never lets an additional field replace another', () => {
		expect(
			json({ ...NOTHING, textInputs: { a: '1' }, additional: { file_urls: [], user_inputs: {} } }),
		).toEqual({ file_urls: URLS, user_inputs: { a: '1' } });
	});
});
