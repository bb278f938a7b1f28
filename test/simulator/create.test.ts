import { call, createPath, DOCUMENT, form, started, type Caller, type Reply } from './support';

let caller: Caller;
beforeAll(async () => void (caller = await started()));
afterAll(() => caller.simulator.stop());
beforeEach(() => caller.simulator.state.requests.clear());

/** Sends a raw body. */
function raw(body: string, contentType = 'multipart/form-data; boundary=b'): Promise<Reply> {
	const headers = { authorization: caller.authorization, 'content-type': contentType };
	return call(`${caller.simulator.productionUrl}${createPath('intake')}`, {
		method: 'POST',
		headers,
		body,
	});
}

function part(disposition: string, content = 'x'): string {
	return `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
}

const END = '--b--\r\n';

describe('creating an execution from documents', () => {
	test('answers with the ID of the running execution, which has no steps until it is completed', async () => {
		const { status, body: created } = await caller.create('slow', form(DOCUMENT));
		expect(status).toBe(200);
		expect(created).toEqual({
			workflow_execution_id: expect.any(String),
			status: 'running',
			message: 'Execution triggered successfully',
		});
		const executionId = String(created.workflow_execution_id);
		const envelope = { workflow_id: 'slow', workflow_execution_id: executionId, metadata: {} };
		const { body: running } = await caller.get('slow', executionId);
		expect(running).toEqual({ ...envelope, status: 'running' });
		await caller.simulator.state.executions.finish(executionId, { status: 'completed' });
		const fields = [
			{ name: 'policy_number', type: 'text' },
			{ name: 'premium', type: 'amount' },
		];
		const row = {
			policy_number: { value: 'AB-1', confidence_score: 0.98 },
			premium: { value: 1250, confidence_score: 0.98 },
		};
		const documents = [
			{ file_name: 'policy.txt', media_type: 'text/plain', bytes: 39, readable: true },
		];
		const data = { schema: { fields }, data: [row], metadata: { documents } };
		const { body } = await caller.get('slow', executionId);
		const steps = [{ step_name: 'Policy', data }];
		expect(body).toEqual({ ...envelope, status: 'completed', steps });
	});

	test('returns one row per document, with empty cells for an unreadable one', async () => {
		const data = form({ 'a.txt': 'Policy Number: A', 'b.txt': 'Policy Number: B' });
		data.append(
			'files',
			new Blob([Buffer.from('%PDF-1.7 broken')], { type: 'application/pdf' }),
			'broken.pdf',
		);
		const { steps } = await caller.ended('intake', await caller.createdId('intake', data));
		const none = { value: null, confidence_score: 0 };
		const rows = [
			...['A', 'B'].map((value) => ({ policy_number: { value } })),
			{ policy_number: none, premium: none },
		];
		const documents = [true, true, false].map((readable) => ({ readable }));
		expect(steps).toMatchObject([{ data: { data: rows, metadata: { documents } } }]);
	});

	test('returns the error details of a workflow that fails', async () => {
		const executionId = await caller.createdId('failing', form(DOCUMENT));
		expect(await caller.ended('failing', executionId)).toEqual({
			workflow_id: 'failing',
			workflow_execution_id: executionId,
			status: 'failed',
			metadata: {},
			error_message: 'Unreadable',
			code: 7,
		});
	});

	test('finds an execution only under its own workflow', async () => {
		const executionId = await caller.createdId('slow', form(DOCUMENT));
		expect(await caller.get('intake', executionId)).toMatchObject({
			status: 404,
			body: { detail: 'Workflow execution not found' },
		});
	});
});

describe('a multipart create', () => {
	const FILES = ['body', 'files'];
	const INPUTS = ['body', 'user_inputs'];
	const NO_NAME = 'expected a file with a file name';
	const large = `--b\r\nContent-Disposition\r\n\r\n${'x'.repeat(5_000_000)}\r\n`;
	const half = part('name="files"; filename="a"').slice(0, -2);
	const oneFile = (disposition: string) => part(disposition) + END;
	test.each<[string, FormData | string, string[], string | RegExp]>([
		['no fields', form({}), FILES, 'field required'],
		['only metadata', form({}, { metadata: '{}' }), FILES, 'field required'],
		[
			'text inputs that are not JSON',
			form(DOCUMENT, { user_inputs: 'a=b' }),
			INPUTS,
			/invalid JSON/,
		],
		[
			'text inputs that are a list',
			form(DOCUMENT, { user_inputs: '[]' }),
			INPUTS,
			/not a valid dict/,
		],
		[
			'metadata that is a string',
			form(DOCUMENT, { metadata: '"x"' }),
			['body', 'metadata'],
			/not a valid dict/,
		],
		[
			'a file under another name',
			oneFile('name="document"; filename="a.txt"'),
			['body', 'document'],
			'extra fields not permitted',
		],
		['a file without a name', oneFile('name="files"'), FILES, NO_NAME],
		['a file with an empty name', oneFile('name="files"; filename=""'), FILES, NO_NAME],
		['a body that ends inside a part', half, ['body'], /cannot be read/],
		['no readable header before megabytes of data', large + END, ['body'], /Malformed part header/],
	])('is rejected with %s', async (_what, body, loc, msg) => {
		const reply = typeof body === 'string' ? raw(body) : caller.create('intake', body);
		expect(await reply).toMatchObject({
			status: 422,
			body: { detail: [{ loc, msg: expect.stringMatching(msg) }] },
		});
	});

	test('is rejected without a boundary', async () => {
		expect(await raw('x', 'multipart/form-data')).toMatchObject({
			status: 422,
			body: { detail: [{ msg: expect.stringContaining('boundary') }] },
		});
	});

	test('is rejected as JSON', async () => {
		expect(
			await caller.create('intake', { file_urls: ['https://files.example.com/a.pdf'] }),
		).toMatchObject({
			status: 422,
			body: { detail: [{ loc: ['header', 'content-type'], msg: 'multipart/form-data expected' }] },
		});
	});
});
