import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { SimulatorConfiguration } from '../../simulator';
import type { Delivery } from '../../simulator/webhooks/deliveries';
import {
	call,
	DOCUMENT,
	form,
	listening,
	POLICY_STEP,
	started,
	textOf,
	until,
	type Caller,
	type Listening,
} from './support';

type Webhook = NonNullable<
	NonNullable<SimulatorConfiguration['workflows']>[number]['webhooks']
>[number];

const QUICK = { attempts: 4, firstDelayMilliseconds: 10 };

let caller: Caller;
let receiver: Listening;
let received: Array<{
	url: string | undefined;
	headers: IncomingHttpHeaders;
	body: string;
	at: number;
}>;
/** Statuses of the next answers; 0 ends the connection; afterwards 200. */
let answers: number[];
let tokens: number;

beforeAll(async () => {
	receiver = await listening((request, response) => void receive(request, response));
});
afterAll(() => receiver.stop());
beforeEach(async () => {
	caller = await started({
		clients: [{ clientId: 'client', clientSecret: 'made-up-secret' }],
		workflows: [{ workflowId: 'hooked', duration: { fixedSeconds: 0 }, steps: [POLICY_STEP] }],
	});
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
	received.push({ url: request.url, headers: request.headers, body, at: Date.now() });
	const status = answers.shift() ?? 200;
	if (status === 0) request.socket.destroy();
	else response.writeHead(status, { location: `${receiver.url}/elsewhere` }).end();
}

/** Runs one execution with the webhooks, and returns its ID when all expected calls were delivered. */
async function run(
	webhooks: Array<Omit<Webhook, 'url'> & { url?: string }>,
	deliveries = webhooks.length,
	metadata = '{}',
): Promise<string> {
	caller.simulator.state.workflows.change('hooked', {
		webhooks: webhooks.map((webhook) => ({
			url: `${receiver.url}/hook?key=secret`,
			retry: QUICK,
			...webhook,
		})),
	});
	const executionId = await caller.createdId('hooked', form(DOCUMENT, { metadata }));
	await until(() =>
		caller.simulator.state.deliveries.all().length >= deliveries ? true : undefined,
	);
	return executionId;
}

const log = (): Array<Partial<Delivery>> =>
	caller.simulator.state.deliveries
		.all()
		.map(({ attempt, duplicate, answer, outcome }) => ({ attempt, duplicate, answer, outcome }));
const bodyAt = (index: number): Record<string, unknown> =>
	JSON.parse(received[index]?.body ?? 'null') as Record<string, unknown>;

describe('a webhook with data URLs', () => {
	test('reports a completed execution, with a signed URL for the data of each step', async () => {
		const executionId = await run([{}], 1, '{"external_id":"INV-1"}');
		const payload = bodyAt(0);
		expect(payload).toEqual({
			workflow_id: 'hooked',
			workflow_execution_id: executionId,
			status: 'completed',
			metadata: { external_id: 'INV-1' },
			steps: [
				{
					step_name: 'Policy',
					data: { url: expect.stringContaining(`${caller.simulator.productionUrl}/signed/`) },
				},
			],
		});
		expect(received[0]?.headers['content-type']).toBe('application/json');
		const { url } = (payload.steps as Array<{ data: { url: string } }>)[0]?.data ?? { url: '' };
		expect(await call(url)).toMatchObject({
			status: 200,
			body: { data: [{ policy_number: { value: 'AB-1' } }] },
		});
		expect((await call(url.replace('/steps/0', '/steps/1'))).status).toBe(403);
		expect((await call(url.replace(/expires=\d+/, 'expires=99999999999999'))).status).toBe(403);
		expect((await call(url.split('?')[0] ?? '')).status).toBe(403);
		expect(JSON.stringify(caller.simulator.state.requests.all())).not.toContain('signature');
		caller.simulator.state.executions.clear();
		expect((await call(url)).status).toBe(404);
	});

	test('sends a URL that expires', async () => {
		caller.simulator.state.settings.change({ signedUrlLifetimeSeconds: 0.001 });
		await run([{}]);
		const { url } = (bodyAt(0).steps as Array<{ data: { url: string } }>)[0]?.data ?? { url: '' };
		await new Promise((resolve) => setTimeout(resolve, 5));
		expect((await call(url)).status).toBe(403);
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

test('all webhooks are called, each after its own delay', async () => {
	const executionId = await run([
		{ delaySeconds: 0.5, url: `${receiver.url}/late` },
		{ url: `${receiver.url}/soon` },
	]);
	expect(received.map(({ url }) => url)).toEqual(['/soon', '/late']);
	const { completesAt = Infinity } = caller.simulator.state.executions.find(executionId) ?? {};
	expect((received[1]?.at ?? 0) - completesAt).toBeGreaterThanOrEqual(490);
});

test('a call is retried with twice the delay each time, up to the maximum', async () => {
	answers = [500, 500, 500];
	await run(
		[{ retry: { attempts: 4, firstDelayMilliseconds: 500, longestDelayMilliseconds: 10 } }],
		4,
	);
	expect(log().map(({ outcome }) => outcome)).toEqual(['repeat', 'repeat', 'repeat', 'accepted']);
	expect((received[3]?.at ?? Infinity) - (received[0]?.at ?? 0)).toBeLessThan(3_500);
});

describe('a webhook authenticates its calls', () => {
	test('with a key in a header', async () => {
		await run([{ authentication: { type: 'api_key', header: 'x-api-key', key: 'made-up-key' } }]);
		expect(received[0]?.headers['x-api-key']).toBe('made-up-key');
		expect(JSON.stringify(caller.simulator.state.deliveries.all())).not.toMatch(
			/made-up-key|key=secret/,
		);
	});

	test('with a token of the receiver, fetched once for several deliveries', async () => {
		const authentication = {
			type: 'oauth2' as const,
			tokenUrl: `${receiver.url}/token`,
			clientId: 'hooks',
			clientSecret: 'made-up',
		};
		await run([{ authentication, duplicates: 1 }], 2);
		expect(received.map(({ headers }) => headers.authorization)).toEqual([
			'Bearer token-1',
			'Bearer token-1',
		]);
	});

	test.each([
		['hex', undefined],
		['base64', 'sha256='],
	] as const)(
		'with a signature of the raw body in %s with the prefix %s',
		async (encoding, prefix) => {
			await run([
				{
					signature: {
						type: 'hmac',
						header: 'x-signature',
						secret: 'made-up',
						encoding,
						...(prefix ? { prefix } : {}),
					},
				},
			]);
			const expected = createHmac('sha256', 'made-up')
				.update(received[0]?.body ?? '')
				.digest(encoding);
			expect(received[0]?.headers['x-signature']).toBe(`${prefix ?? ''}${expected}`);
		},
	);

	test('with a signature of the time and the body', async () => {
		await run([
			{
				signature: {
					type: 'hmac',
					header: 'x-signature',
					secret: 'made-up',
					timestampHeader: 'x-timestamp',
				},
			},
		]);
		const [first] = received;
		const time = String(first?.headers['x-timestamp']);
		expect(first?.headers['x-signature']).toBe(
			createHmac('sha256', 'made-up').update(`${time}.${first?.body}`).digest('hex'),
		);
		expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(5);
	});
});

describe('a delivery', () => {
	test('is retried after a network error and after 5xx, with growing delays', async () => {
		answers = [0, 503, 200];
		await run([{}], 3);
		expect(log()).toEqual([
			{ attempt: 1, duplicate: 0, answer: null, outcome: 'repeat' },
			{ attempt: 2, duplicate: 0, answer: 503, outcome: 'repeat' },
			{ attempt: 3, duplicate: 0, answer: 200, outcome: 'accepted' },
		]);
		const [first = 0, second = 0, third = 0] = received.map(({ at }) => at);
		expect(second - first).toBeGreaterThanOrEqual(9);
		expect(third - second).toBeGreaterThanOrEqual(19);
		expect(new Set(received.map(({ body }) => body)).size).toBe(1);
	});

	test('fails after the last attempt, with the reason', async () => {
		await run(
			[{ url: 'http://127.0.0.1:1/hook', retry: { attempts: 2, firstDelayMilliseconds: 1 } }],
			2,
		);
		expect(log().map(({ outcome }) => outcome)).toEqual(['repeat', 'givenUp']);
		expect(caller.simulator.state.deliveries.all()[1]).toMatchObject({
			answer: null,
			fault: expect.any(String),
			origin: 'http://127.0.0.1:1',
		});
	});

	test.each([400, 401, 403, 404, 410, 302])('is never retried after %i', async (status) => {
		answers = [status];
		await run([{}]);
		await new Promise((resolve) => setTimeout(resolve, 30));
		expect(log()).toEqual([{ attempt: 1, duplicate: 0, answer: status, outcome: 'givenUp' }]);
		expect(received).toHaveLength(1);
	});

	test.each([401, 403])(
		'is retried with a new token after %i from a receiver with OAuth2',
		async (status) => {
			answers = [status, 200];
			await run(
				[
					{
						authentication: {
							type: 'oauth2',
							tokenUrl: `${receiver.url}/token`,
							clientId: 'hooks',
							clientSecret: 'made-up',
							scope: 'hooks',
						},
					},
				],
				2,
			);
			expect(received.map(({ headers }) => headers.authorization)).toEqual([
				'Bearer token-1',
				'Bearer token-2',
			]);
		},
	);

	test('is retried when the token could not be fetched', async () => {
		const authentication = {
			type: 'oauth2' as const,
			tokenUrl: `${receiver.url}/hook`,
			clientId: 'hooks',
			clientSecret: 'made-up',
		};
		answers = [500, 500];
		await run([{ authentication, retry: { attempts: 2, firstDelayMilliseconds: 1 } }], 2);
		expect(caller.simulator.state.deliveries.all()[0]).toMatchObject({
			answer: null,
			fault: 'the token address answered 500',
		});
	});

	test('is repeated for each configured duplicate, with the same body', async () => {
		await run([{ duplicates: 2 }], 3);
		expect(log().map(({ duplicate, outcome }) => [duplicate, outcome])).toEqual([
			[0, 'accepted'],
			[1, 'accepted'],
			[2, 'accepted'],
		]);
		expect(new Set(received.map(({ body }) => body)).size).toBe(1);
	});

	test('is not made after the simulator was stopped', async () => {
		caller.simulator.state.workflows.change('hooked', {
			webhooks: [{ url: `${receiver.url}/hook`, delaySeconds: 0.2 }],
		});
		await caller.ended('hooked', await caller.createdId('hooked', form(DOCUMENT)));
		await caller.simulator.stop();
		await new Promise((resolve) => setTimeout(resolve, 250));
		expect(received).toEqual([]);
	});
});
