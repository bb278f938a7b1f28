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

function renamedForm(): FormData {
	const data = new FormData();
	data.append('inputs', '{"line":"auto"}');
	data.append('documents', new Blob(['a']), 'a.txt');
	data.append('priority', 'high');
	data.append('documents', new Blob(['b']), 'b.txt');
	data.append('labels', '{"external_id":"INV-1"}');
	return data;
}

describe('a workflow with other field names', () => {
	test('finds files, text inputs and metadata of a form under its own names', async () => {
		expect((await caller.create('renamed', renamedForm())).status).toBe(200);
		expect(lastExecution()).toMatchObject({
			userInputs: { line: 'auto' },
			metadata: { external_id: 'INV-1' },
			bodyFields: { priority: 'high' },
			files: [
				{ fieldName: 'documents', fileName: 'a.txt' },
				{ fieldName: 'documents', fileName: 'b.txt' },
			],
			fieldOrder: ['inputs', 'documents', 'priority', 'documents', 'labels'],
		});
	});

	test('finds URLs, text inputs and metadata of a JSON body under its own names', async () => {
		const body = { inputs: { a: 1 }, links: URLS, labels: { b: 2 }, file_urls: 'x' };
		expect((await caller.create('renamed-urls', body)).status).toBe(200);
		expect(lastExecution()).toMatchObject({
			userInputs: body.inputs,
			metadata: body.labels,
			fileUrls: URLS,
			bodyFields: { file_urls: 'x' },
		});
	});

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
