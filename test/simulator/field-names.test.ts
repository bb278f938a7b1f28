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
		});
	});

	test('finds URLs, text inputs and metadata of a JSON body under its own names', async () => {
		expect(
			(
				await caller.create('renamed-urls', {
					inputs: { a: 1 },
					links: URLS,
					labels: { b: 2 },
					file_urls: 'x',
				})
			).status,
		).toBe(200);
		expect(lastExecution()).toMatchObject({
			userInputs: { a: 1 },
			metadata: { b: 2 },
			fileUrls: URLS,
			bodyFields: { file_urls: 'x' },
		});
	});

	test('keeps the order in which the fields came', async () => {
		await caller.create('renamed', renamedForm());
		expect(lastExecution()?.fieldOrder).toEqual([
			'inputs',
			'documents',
			'priority',
			'documents',
			'labels',
		]);
		await caller.create('renamed-urls', { labels: {}, links: URLS, a: 1 });
		expect(lastExecution()?.fieldOrder).toEqual(['labels', 'links', 'a']);
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

	test('does not accept the published names in place of its own', async () => {
		expect(await caller.create('renamed', form({ 'a.txt': 'a' }))).toMatchObject({
			status: 422,
			body: { detail: [{ loc: ['body', 'files'], msg: 'extra fields not permitted' }] },
		});
		expect(await caller.create('renamed', form({}, { user_inputs: '{}' }))).toMatchObject({
			status: 422,
			body: { detail: [{ loc: ['body', 'documents'], msg: 'field required' }] },
		});
		expect(await caller.create('renamed-urls', { file_urls: URLS })).toMatchObject({
			status: 422,
			body: { detail: [{ loc: ['body', 'links'], msg: 'field required' }] },
		});
	});

	test.each([
		[
			'a text in place of a file',
			'renamed',
			form({}, { documents: 'x' }),
			['body', 'documents'],
			'expected a file with a file name',
		],
		[
			'text inputs that are not JSON',
			'renamed',
			form({}, { inputs: '{' }),
			['body', 'inputs'],
			expect.stringContaining('invalid JSON'),
		],
		[
			'an empty list of URLs',
			'renamed-urls',
			{ links: [] },
			['body', 'links'],
			'ensure this value has at least 1 items',
		],
		[
			'an invalid URL',
			'renamed-urls',
			{ links: ['a.pdf'] },
			['body', 'links', 0],
			'invalid or missing URL scheme',
		],
		[
			'metadata that is a list',
			'renamed-urls',
			{ links: URLS, labels: [] },
			['body', 'labels'],
			'value is not a valid dict',
		],
	])('names its own field when it rejects %s', async (_what, workflowId, body, loc, msg) => {
		expect(await caller.create(workflowId, body)).toMatchObject({
			status: 422,
			body: { detail: [{ loc, msg }] },
		});
	});

	test('can be changed while the simulator runs', async () => {
		caller.simulator.state.workflows.change('as-published', { fieldNames: { files: 'papers' } });
		const data = new FormData();
		data.append('papers', new Blob(['a']), 'a.txt');
		expect((await caller.create('as-published', data)).status).toBe(200);
	});
});
