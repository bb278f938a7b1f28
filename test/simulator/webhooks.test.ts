import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { SimulatorConfiguration } from '../../simulator';
import type { Delivery } from '../../simulator/webhooks/deliveries';
import { startHandler, textOf, type Listening } from '../servers';
import { DOCUMENT, form, POLICY_STEP, ServiceClock, started, until, type Caller } from './support';

type Webhook = NonNullable<
	NonNullable<SimulatorConfiguration['workflows']>[number]['webhooks']
>[number];

const QUICK = { attempts: 4, firstDelayMilliseconds: 10 };

let caller: Caller;
let clock: ServiceClock;
let receiver: Listening;
let received: Array<{
	url: string | undefined;
	headers: IncomingHttpHeaders;
	body: string;
}>;
/** Statuses of the next answers; 0 ends the connection; afterwards 200. */
let answers: number[];
let tokens: number;

beforeAll(async () => {
	receiver = await startHandler((request, response) => void receive(request, response));
});
afterAll(() => receiver.stop());
beforeEach(async () => {
	clock = new ServiceClock();
	const configuration: SimulatorConfiguration = {
		clients: [{ clientId: 'client', clientSecret: 'made-up-secret' }],
		workflows: [{ workflowId: 'hooked', duration: { fixedSeconds: 0 }, steps: [POLICY_STEP] }],
	};
	caller = await started(configuration, clock);
	received = [];
	answers = [];
	tokens = 0;
});
afterEach(() => caller.simulator.stop());

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const body = await textOf(request);
	if (request.url === '/token') {
		response
			.setHeader('content-type', 'application/json')
			.end(JSON.stringify({ access_token: `token-${++tokens}` }));
		return;
	}
	received.push({ url: request.url, headers: request.headers, body });
	const status = answers.shift() ?? 200;
	if (status === 0) request.socket.destroy();
	else response.writeHead(status, { location: `${receiver.url}/elsewhere` }).end();
}

type Given = Omit<Webhook, 'url'> & { url?: string };
const hook = (webhooks: Given[]): void =>
	void caller.simulator.state.workflows.change('hooked', {
		webhooks: webhooks.map((webhook) => ({
			url: `${receiver.url}/hook?key=secret`,
			retry: QUICK,
			...webhook,
		})),
	});
const all = (): Delivery[] => caller.simulator.state.deliveries.all();

/** Runs one execution with the webhooks, and returns its ID when all expected calls were delivered. */
async function run(
	webhooks: Given[],
	deliveries = webhooks.length,
	metadata = '{}',
): Promise<string> {
	hook(webhooks);
	const executionId = await caller.createdId('hooked', form(DOCUMENT, { metadata }));
	await until(async () => {
		if (all().length >= deliveries) return true;
		await clock.passNext();
		return undefined;
	});
	return executionId;
}

const log = (): Array<Partial<Delivery>> =>
	all().map(({ attempt, duplicate, answer, outcome }) => ({ attempt, duplicate, answer, outcome }));
const bodyAt = (index: number): Record<string, unknown> =>
	JSON.parse(received[index]?.body ?? 'null') as Record<string, unknown>;

describe('a webhook with data URLs', () => {
	test('reports a completed execution, with a signed URL for the data of each step', async () => {
		const executionId = await run([{}], 1, '{"external_id":"INV-1"}');
		expect(bodyAt(0)).toEqual({
			workflow_id: 'hooked',
			workflow_execution_id: executionId,
			status: 'completed',
			metadata: { external_id: 'INV-1' },
			steps: [
				{
					step_name: 'Policy',
					data: {
						url: expect.stringContaining(`/signed/executions/${executionId}/steps/0?signature=`),
					},
				},
			],
		});
		expect(received[0]?.headers['content-type']).toBe('application/json');
	});
});

describe('a webhook with inline data', () => {
	test('sends the same data as a GET of the execution', async () => {
		const executionId = await run([{ format: 'inline' }]);
		expect(bodyAt(0)).toEqual((await caller.get('hooked', executionId)).body);
	});

	test('sends no steps when they are too large', async () => {
		await run([{ format: 'inline', inlineLimitBytes: 100 }]);
		expect(bodyAt(0)).toMatchObject({ status: 'completed', steps: [] });
	});
});

test('a webhook reports a failed execution with its error details', async () => {
	caller.simulator.state.workflows.change('hooked', { failWith: { error: 'Unreadable' } });
	const executionId = await run([{ format: 'inline' }]);
	expect(bodyAt(0)).toEqual({
		workflow_id: 'hooked',
		workflow_execution_id: executionId,
		status: 'failed',
		metadata: {},
		error: 'Unreadable',
	});
});

const urls = () => received.map(({ url }) => url);
const haveArrived = (count: number) => until(() => (received.length === count ? true : undefined));

test('all webhooks are called, each after its own delay', async () => {
	hook([{ delaySeconds: 0.5, url: `${receiver.url}/late` }, { url: `${receiver.url}/soon` }]);
	await caller.createdId('hooked', form(DOCUMENT));
	await haveArrived(1);
	await clock.pass(499);
	expect(urls()).toEqual(['/soon']);
	await clock.pass(1);
	await haveArrived(2);
	expect(urls()).toEqual(['/soon', '/late']);
});

describe('a webhook authenticates its calls', () => {
	test('with a key in a header', async () => {
		await run([{ authentication: { type: 'api_key', header: 'x-api-key', key: 'made-up-key' } }]);
		expect(received[0]?.headers['x-api-key']).toBe('made-up-key');
		expect(JSON.stringify(all())).not.toMatch(/made-up-key|key=secret/);
	});

	test('with a token of the receiver, fetched once for several deliveries', async () => {
		await run([{ authentication: oauth2('/token'), duplicates: 1 }], 2);
		expect(authorizations()).toEqual(['Bearer token-1', 'Bearer token-1']);
	});
});

function oauth2(path: string) {
	const tokenUrl = `${receiver.url}${path}`;
	return { type: 'oauth2' as const, tokenUrl, clientId: 'hooks', clientSecret: 'made-up' };
}
const authorizations = () => received.map(({ headers }) => headers.authorization);

describe('a delivery', () => {
	const TWICE = { attempts: 2, firstDelayMilliseconds: 1 };

	test('fails after the last attempt, with the reason', async () => {
		const origin = 'http://127.0.0.1:1';
		await run([{ url: `${origin}/hook`, retry: TWICE }], 2);
		expect(log().map(({ outcome }) => outcome)).toEqual(['repeat', 'givenUp']);
		expect(all()[1]).toMatchObject({ answer: null, fault: expect.any(String), origin });
	});

	test.each([400, 401, 403, 404, 410, 302])('is never retried after %i', async (status) => {
		answers = [status];
		await run([{}]);
		expect(log()).toEqual([{ attempt: 1, duplicate: 0, answer: status, outcome: 'givenUp' }]);
		await until(() => (caller.simulator.state.deliveries.isIdle() ? true : undefined));
		expect(received).toHaveLength(1);
	});

	test.each([401, 403])(
		'is retried with a new token after %i from a receiver with OAuth2',
		async (status) => {
			answers = [status, 200];
			await run([{ authentication: { ...oauth2('/token'), scope: 'hooks' } }], 2);
			expect(authorizations()).toEqual(['Bearer token-1', 'Bearer token-2']);
		},
	);

	test('is not made after the simulator was stopped', async () => {
		hook([{ delaySeconds: 0.2 }]);
		await caller.createdId('hooked', form(DOCUMENT));
		await until(() => (clock.waiting === 1 ? true : undefined));
		await caller.simulator.stop();
		await clock.pass(200);
		expect(received).toEqual([]);
	});
});
