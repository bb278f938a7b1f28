import { CLIENT, form, started, type Caller } from './support';

const NAMES = { files: 'documents', textInputs: 'inputs', metadata: 'labels', fileUrls: 'links' };

let caller: Caller;
beforeAll(async () => {
	caller = await started({
		clients: [CLIENT],
		workflows: [
			{ workflowId: 'renamed', fieldNames: NAMES },
			{ workflowId: 'renamed-urls', fileAccess: 'publicUrls', fieldNames: NAMES },
			{ workflowId: 'one-renamed', fieldNames: { files: 'documents' } },
			{ workflowId: 'as-published' },
		],
	});
});
afterAll(() => caller.simulator.stop());

const lastExecution = () => caller.simulator.state.executions.all().at(-1);
const URLS = ['http://127.0.0.1:1/a.txt'];

describe('a workflow with other field names', () => {
	test('uses the published names by default', async () => {
		const texts = { user_inputs: '{"a":1}', metadata: '{"b":2}' };
		const data = form({}, texts);
		data.append('documents', new Blob(['a']), 'a.txt');
		expect((await caller.create('one-renamed', data)).status).toBe(200);
		expect(lastExecution()).toMatchObject({
			userInputs: { a: 1 },
			metadata: { b: 2 },
			files: [{ fieldName: 'documents' }],
		});
		expect((await caller.create('as-published', form({ 'a.txt': 'a' }, texts))).status).toBe(200);
	});

	test.each<[string, string, FormData | object, string[], string]>([
		['files', 'renamed', form({ 'a.txt': 'a' }), ['files'], 'extra fields not permitted'],
		['text inputs', 'renamed', form({}, { user_inputs: '{}' }), ['documents'], 'field required'],
		['URLs', 'renamed-urls', { file_urls: URLS }, ['links'], 'field required'],
	])('does not accept the published name of %s', async (_what, workflowId, body, loc, msg) => {
		expect(await caller.create(workflowId, body)).toMatchObject({
			status: 422,
			body: { detail: [{ loc: ['body', ...loc], msg }] },
		});
	});
});
