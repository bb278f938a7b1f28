import axios from 'axios';

import type { Content } from '../../../../nodes/DocumentWorkflow/documents/body';
import {
	bodyFault,
	createBody,
	NO_CONTENT,
} from '../../../../nodes/DocumentWorkflow/documents/body';
import { SentDocument } from '../../../../nodes/DocumentWorkflow/documents/sent';
import type { JsonRecord } from '../../../../service/contract';
import type { FilePart, FormDataShaped } from '../../../../service/http';
import { bytesOf, documentOf } from '../../support/documents';

const URLS = ['https://files.example.com/a.pdf', 'https://files.example.com/b.pdf?sig=1'];
const form = (files: SentDocument[], content: Content) =>
	createBody(files, [], content, { fields: { token: 't' } }) as FormDataShaped;
const json = (content: Content, fields: JsonRecord = {}) =>
	JSON.parse(JSON.stringify(createBody([], URLS, content, { fields }))) as JsonRecord;
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
			...NO_CONTENT,
			textInputs: { number: 1 },
			metadata: { external_id: 'INV-1' },
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
		expect(await read(form([part('one')], NO_CONTENT))).toEqual([['files', 'one']]);
		expect(await read(form([], { ...NO_CONTENT, textInputs: { a: '' } }))).toEqual([
			['user_inputs', '{"a":""}'],
		]);
	});

	it('has additional fields as texts, or as JSON for other values', async () => {
		const additional = {
			desk: 'claims',
			quoted: '"a"',
			copies: 2,
			urgent: false,
			nothing: null,
			client: { id: 'x' },
			tags: ['a'],
		};
		expect(await read(form([], { ...NO_CONTENT, additional }))).toEqual([
			['desk', 'claims'],
			['quoted', '"a"'],
			['copies', '2'],
			['urgent', 'false'],
			['nothing', 'null'],
			['client', '{"id":"x"}'],
			['tags', '["a"]'],
		]);
	});

	describe('knows how far an attempt got:', () => {
		const lastOf = (body: FormDataShaped) =>
			([...body].at(-1)?.[1] as FilePart).stream()[Symbol.asyncIterator]();

		it('it is complete after the last byte of its last file was taken, in each attempt', async () => {
			const body = form([part('one'), part('two')], { ...NO_CONTENT, textInputs: { a: '1' } });
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
			body.begin(() => undefined);
			expect(body.end()).toBe(false);
		});

		it('after the end of an attempt nothing more is taken, and the form does not end normally', async () => {
			for (const taken of [0, 1, 2]) {
				const body = form([part('one'), part('two')], NO_CONTENT);
				const whenComplete = jest.fn();
				body.begin(whenComplete);
				const reading = lastOf(body);
				for (let number = 0; number < taken; number++) await reading.next();
				const pending = taken === 1 ? reading.next() : undefined;
				expect(body.end()).toBe(false);
				await expect(pending ?? reading.next()).rejects.toThrow('The request has ended');
				expect(whenComplete).not.toHaveBeenCalled();
			}
		});

		it('it counts as complete from the beginning when it has no file', () => {
			const body = form([], { ...NO_CONTENT, textInputs: { a: '1' } });
			const whenComplete = jest.fn();
			body.begin(whenComplete);
			expect(whenComplete).toHaveBeenCalledTimes(1);
			expect(body.end()).toBe(true);
		});
	});

	it('is recognized as a form by n8n', () => {
		expect(Object.prototype.toString.call(form([], NO_CONTENT))).toBe('[object FormData]');
	});
});

describe('the JSON of a create whose files the service fetches', () => {
	it('has the unchanged addresses, text inputs, metadata and additional fields', () => {
		const along = {
			...NO_CONTENT,
			textInputs: { number: 1 },
			metadata: { external_id: 'INV-1' },
			additional: { oauth2: { client_id: 'x' }, desk: 'claims' },
		};
		expect(json(along)).toEqual({
			file_urls: URLS,
			user_inputs: { number: 1 },
			metadata: { external_id: 'INV-1' },
			oauth2: { client_id: 'x' },
			desk: 'claims',
		});
	});

	it('has no field for empty text inputs and metadata', () =>
		expect(json(NO_CONTENT)).toEqual({ file_urls: URLS }));

	it('has the file access fields, which a form has not', async () => {
		const fileAccess = { oauth2: { client_id: 'x' } };
		expect(json(NO_CONTENT, fileAccess)).toEqual({ file_urls: URLS, ...fileAccess });
		expect(await read(form([part('one')], NO_CONTENT))).toEqual([['files', 'one']]);
	});

	it('reaches the wire with names that axios drops from plain objects', async () => {
		const names = JSON.parse('{"__proto__": 1, "constructor": "2", "toString": 3}') as JsonRecord;
		const body = createBody(
			[],
			URLS,
			{
				...NO_CONTENT,
				textInputs: { inner: names, ...names },
				metadata: names,
				additional: names,
			},
			{ fields: {} },
		);
		let sent: unknown;
		await axios.post('https://api.example.com', body, {
			adapter: async (config) => {
				sent = config.data;
				return { data: '', status: 200, statusText: '', headers: {}, config };
			},
		});
		const wire = JSON.stringify(names).slice(1, -1);
		expect(sent).toBe(
			`{"file_urls":${JSON.stringify(URLS)},"user_inputs":{"inner":{${wire}},${wire}},"metadata":{${wire}},${wire}}`,
		);
	});
});

describe('a body that cannot be built', () => {
	const faultOf = (content: Partial<Content>, fields: JsonRecord = {}) =>
		bodyFault({ ...NO_CONTENT, ...content }, { fields }, URLS);

	it.each<[string, Parameters<typeof faultOf>, string]>([
		[
			'a file access field and the text inputs',
			[{}, { user_inputs: {} }],
			"The request field 'user_inputs' is set twice: by the text inputs and by 'File Access Fields (JSON)' in the credential",
		],
		[
			'an additional field and the metadata, even when there are none',
			[{ additional: { metadata: 1 } }],
			"The request field 'metadata' is set twice: by the metadata and by an additional field",
		],
		[
			'a file access field and an additional one',
			[{ additional: { client: 1 } }, { client: 2 }],
			"The request field 'client' is set twice: by 'File Access Fields (JSON)' in the credential and by an additional field",
		],
	])('names both sources of a name: %s', (_, given, message) => {
		expect(faultOf(...given)).toEqual({ message, advice: 'Remove or rename it in one of the two' });
	});

	it.each([['__proto__'], ['constructor'], ['toString']])(
		'is not one with an additional field of the inherited name %s',
		(name) => expect(faultOf({ additional: Object.fromEntries([[name, 'x']]) })).toBeUndefined(),
	);

	it('has unusable file access fields, which only file URLs need', () => {
		const mistake = {
			message: 'is not valid JSON: a colon is expected at line 1, column 3',
			advice: 'Correct it',
		};
		const fileAccess = { fields: {}, mistake };
		expect(bodyFault(NO_CONTENT, fileAccess, URLS)).toEqual({
			message:
				"'File Access Fields (JSON)' in the credential is not valid JSON: a colon is expected at line 1, column 3",
			advice: 'Correct it in the Document Workflow API credential',
		});
		expect(bodyFault(NO_CONTENT, fileAccess, [])).toBeUndefined();
	});
});
