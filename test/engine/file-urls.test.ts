import type { INodeParameters } from 'n8n-workflow';
import { OAUTH2_FIELDS } from '../../simulator/processing/remote-files';
import { runFlow, type Outcome } from './support/engine';
import type { InputItem } from './support/helper-nodes';
import { expectNoSecretIn } from './support/secrets';
import { startHandler } from '../servers';
import { operation, sha256, useService, workflowById } from './support/service';

const service = useService();

const SIGNATURE = 'sig-4c1d9e7a';
const FILES_SECRET = 'files-secret-8b2e6f';
const asked: Array<{ path: string; authorization: string | undefined }> = [];
let files = { url: '', stop: async (): Promise<void> => undefined };

beforeAll(async () => {
	files = await startHandler((request, response) => {
		const { authorization } = request.headers;
		asked.push({ path: String(request.url), authorization });
		if (request.url === '/token') return void response.end('{"access_token":"token-of-files"}');
		if (request.url?.startsWith('/protected/') && authorization !== 'Bearer token-of-files')
			return void response.writeHead(401).end();
		response.setHeader('content-type', 'text/plain').end(`file ${request.url}`);
	});
});
beforeEach(() => void asked.splice(0));
afterAll(() => files.stop());

const run = (
	fileUrls: INodeParameters[string],
	more: INodeParameters = {},
	items: InputItem[] = [{}],
	name: 'create' | 'createAndWait' = 'create',
): Promise<Outcome> =>
	runFlow({
		...service,
		parameters: operation(name, {
			workflowId: workflowById('by-address'),
			documents: 'urls',
			fileUrls,
			...more,
		}),
		items,
	});
const url = (path: string) => `${files.url}/${path}`;
const handedOver = () => service.state.executions.all().map(({ fileUrls }) => fileUrls);

describe('Create sends file URLs', () => {
	it('so that the service fetches the files itself', async () => {
		const { outputs } = await run(
			url('a.txt'),
			{ waiting: { firstCheckSeconds: 0.1 } },
			[{}],
			'createAndWait',
		);
		expect(outputs[0]?.[0]?.json).toMatchObject({
			status: 'completed',
			documents: [{ address: url('a.txt') }],
			skipped: [],
		});
		expect(service.state.executions.all()[0]?.files).toEqual([
			expect.objectContaining({ fileName: 'a.txt', sha256: sha256(Buffer.from('file /a.txt')) }),
		]);
		expect(asked).toEqual([{ path: '/a.txt', authorization: undefined }]);
	});

	it('with their signatures, which are shown nowhere', async () => {
		const items = [{ json: { address: `${url('a.txt')}?signature=${SIGNATURE}#${SIGNATURE}` } }];
		const { outputs, hints, logs } = await run('={{ $json.address }}', {}, items);
		expect(handedOver()).toEqual([[items[0]?.json.address]]);
		expect(outputs[0]?.[0]?.json.documents).toEqual([{ address: url('a.txt') }]);
		expectNoSecretIn([outputs, hints, logs], [SIGNATURE]);
	});

	it('and fails where addresses with another query get the same execution ID', async () => {
		const body = { workflow_execution_id: 'e-1' };
		service.state.faults.add({ route: 'create', action: { type: 'status', status: 200, body } });
		const address = `=${url('a.txt')}?id={{ $json.id }}`;
		const items = [1, 2].map((id) => ({ json: { id } }));
		expect((await run(address, {}, items)).error?.message).toBe(
			'Other documents or text inputs of this run have the same execution ID: e-1',
		);
	});
});

describe('The file access fields of the credential', () => {
	const fields = (more: Record<string, unknown> = {}) => ({
		[OAUTH2_FIELDS.tokenUrl]: `${files.url}/token`,
		[OAUTH2_FIELDS.clientId]: 'files',
		[OAUTH2_FIELDS.clientSecret]: FILES_SECRET,
		...more,
	});
	const enter = (given: object) => service.enter({ fileAccessFields: JSON.stringify(given) });
	const PROTECTED = {
		workflowId: workflowById('by-protected-address'),
		waiting: { firstCheckSeconds: 0.1 },
	};
	const fetchProtected = () => run(url('protected/a.txt'), PROTECTED, [{}], 'createAndWait');

	it('are sent with protected URLs, and are in no output, log or stored run', async () => {
		await enter(fields());
		const outcome = await fetchProtected();
		expect(outcome.outputs[0]?.[0]?.json.status).toBe('completed');
		expect(asked.map(({ path }) => path)).toEqual(['/token', '/protected/a.txt']);
		expect(service.state.executions.all()[0]?.fieldOrder).toEqual(
			expect.arrayContaining(Object.keys(fields())),
		);
		expectNoSecretIn(outcome, [FILES_SECRET]);
		expect(service.store.encrypted(String(service.credential.id))).not.toContain(FILES_SECRET);
	});

	it.each([
		[
			'that echoes the request',
			{
				type: 'status',
				status: 422,
				body: {
					detail: [
						{ loc: ['body', 'oauth2_client_secret'], msg: 'malformed', input: FILES_SECRET },
					],
				},
			},
		],
		['that breaks the connection', { type: 'reset', when: 'after' }],
		['that fails', { type: 'status', status: 500 }],
	] as const)('are in no error, log or stored run with a service %s', async (_what, action) => {
		await enter(fields());
		service.state.faults.add({ route: 'create', action });
		const outcome = await fetchProtected();
		expect(outcome.thrown).toHaveLength(1);
		expectNoSecretIn(outcome, [FILES_SECRET]);
	});

	it('are in no error, log or stored run when the files cannot be fetched with them', async () => {
		await enter(fields({ [OAUTH2_FIELDS.tokenUrl]: `${files.url}/nothing` }));
		const outcome = await fetchProtected();
		expect(outcome.hints).toEqual([expect.stringContaining('The files cannot be reached')]);
		expectNoSecretIn(outcome, [FILES_SECRET]);
	});
});
