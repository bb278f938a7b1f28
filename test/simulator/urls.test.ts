import type { IncomingMessage, ServerResponse } from 'node:http';
import { createHash } from 'node:crypto';
import { startHandler, textOf, type Listening } from '../servers';
import { form, DOCUMENT, started, type Caller } from './support';

const CONTENT = 'Policy Number: URL-1\n';

let caller: Caller;
let files: Listening;
let asked: Array<{ url: string | undefined; authorization: string | undefined; body: string }>;

beforeAll(async () => {
	caller = await started();
	files = await startHandler((request, response) => void serve(request, response));
});
afterAll(() => Promise.all([caller.simulator.stop(), files.stop()]));
beforeEach(() => void (asked = []));

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const { url, headers } = request;
	asked.push({ url, authorization: headers.authorization, body: await textOf(request) });
	if (url === '/token')
		response.setHeader('content-type', 'application/json').end('{"access_token":"file-token"}');
	else if (url === '/no-token') response.setHeader('content-type', 'application/json').end('{}');
	else if (url === '/named')
		response.setHeader('content-disposition', 'attachment; filename="given name.txt"').end(CONTENT);
	else if (url === '/plainly-named')
		response.setHeader('content-disposition', 'attachment; filename=plain.txt').end(CONTENT);
	else if (url === '/protected.txt' && headers.authorization !== 'Bearer file-token')
		response.writeHead(401).end();
	else if (url === '/absent.txt?key=secret') response.writeHead(404).end();
	else response.setHeader('content-type', 'text/plain').end(CONTENT);
}

describe('creating an execution from public URLs', () => {
	test('fetches, hashes and reads each file without authentication', async () => {
		const file_urls = [
			`${files.url}/a%20b.txt`,
			`${files.url}/named`,
			`${files.url}/plainly-named`,
		];
		const executionId = await caller.createdId('urls', {
			file_urls,
			user_inputs: { a: 1 },
			metadata: { b: 2 },
			priority: [3],
		});
		const { steps } = await caller.ended('urls', executionId);
		expect(steps).toMatchObject([
			{
				data: {
					data: [{ policy_number: { value: 'URL-1' } }, { policy_number: { value: 'URL-1' } }, {}],
				},
			},
		]);
		const sha256 = createHash('sha256').update(CONTENT).digest('hex');
		expect(caller.simulator.state.executions.find(executionId)).toMatchObject({
			fileUrls: file_urls,
			userInputs: { a: 1 },
			metadata: { b: 2 },
			bodyFields: { priority: [3] },
			files: [
				{
					fieldName: 'file_urls',
					fileName: 'a b.txt',
					mediaType: 'text/plain',
					bytes: CONTENT.length,
					sha256,
				},
				{ fileName: 'given name.txt', sha256 },
				{ fileName: 'plain.txt', sha256 },
			],
		});
		expect(asked.map(({ authorization }) => authorization)).toEqual([
			undefined,
			undefined,
			undefined,
		]);
	});

	test('fails when a file cannot be fetched, and names it without its query', async () => {
		const executionId = await caller.createdId('urls', {
			file_urls: [`${files.url}/absent.txt?key=secret`],
		});
		const body = await caller.ended('urls', executionId);
		expect(body).toMatchObject({
			status: 'failed',
			error: `The file ${files.url}/absent.txt could not be fetched: it answered 404.`,
		});
	});

	const GOOD = 'https://files.example.com/a';
	const URLS = ['body', 'file_urls'];
	const NO_SCHEME = 'invalid or missing URL scheme';
	const HTTPS = 'URL scheme not permitted: https is required';
	test.each([
		['no file_urls', { user_inputs: {} }, URLS, 'field required'],
		['an empty list', { file_urls: [] }, URLS, 'ensure this value has at least 1 items'],
		['a single string', { file_urls: GOOD }, URLS, 'value is not a valid list'],
		['an invalid URL', { file_urls: [GOOD, 'a.pdf'] }, [...URLS, 1], NO_SCHEME],
		['a number', { file_urls: [1] }, [...URLS, 0], NO_SCHEME],
		['plain HTTP', { file_urls: ['http://files.example.com/a'] }, [...URLS, 0], HTTPS],
		[
			'text inputs that are a list',
			{ file_urls: [GOOD], user_inputs: [] },
			['body', 'user_inputs'],
			'value is not a valid dict',
		],
	])('rejects %s with 422', async (_what, body, loc, msg) => {
		expect(await caller.create('urls', body)).toMatchObject({
			status: 422,
			body: { detail: [{ loc, msg }] },
		});
	});

	test('rejects documents in a multipart form with 422', async () => {
		expect(await caller.create('urls', form(DOCUMENT))).toMatchObject({
			status: 422,
			body: { detail: [{ loc: ['header', 'content-type'], msg: 'application/json expected' }] },
		});
	});
});

describe('creating an execution from OAuth2-protected URLs', () => {
	const settings = {
		oauth2_client_id: 'files',
		oauth2_client_secret: 'made-up',
		oauth2_scope: 'read',
	};

	test.each([
		['the settings have unknown names', () => ({ login: 'x' }), /settings are not complete/],
		[
			'no token is issued',
			() => ({ ...settings, oauth2_token_url: `${files.url}/no-token` }),
			/^The files cannot be reached: the token address answered 200 without an access_token\.$/,
		],
	])('fails when %s', async (_why, fields, error) => {
		const body = { file_urls: [`${files.url}/protected.txt`], ...fields() };
		const ended = await caller.ended('protected', await caller.createdId('protected', body));
		expect(ended).toMatchObject({ status: 'failed', error: expect.stringMatching(error) });
	});

	test('rejects a body without client settings with 422', async () => {
		expect(await caller.create('protected', { file_urls: [`${files.url}/a`] })).toMatchObject({
			status: 422,
			body: { detail: [{ loc: ['body'], msg: expect.stringContaining('OAuth2 client settings') }] },
		});
	});
});

describe('creating an execution from Box links', () => {
	test('accepts links of Box and rejects others with 422', async () => {
		expect((await caller.create('box', { file_urls: [`${files.url}/s/1`] })).status).toBe(200);
		const file_urls = ['https://files.example.com/s/1', 'https://notbox.com/s/1'];
		const msg = 'a Box shared link is required';
		expect(await caller.create('box', { file_urls })).toMatchObject({
			status: 422,
			body: {
				detail: [0, 1].map((index) => ({ loc: ['body', 'file_urls', index], msg })),
			},
		});
	});
});
