import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../harness/pack';
import { durationMilliseconds, randomNumbers } from '../../simulator/processing/durations';
import { call, DOCUMENT, form, started, type Caller, type Reply } from './support';

let caller: Caller;
beforeEach(async () => void (caller = await started()));
afterEach(() => caller.simulator.stop());

function administration(method: string, path: string, body?: unknown): Promise<Reply> {
	const init: RequestInit = { method, headers: { 'content-type': 'application/json' } };
	if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body);
	return call(`${caller.simulator.administrationUrl}${path}`, init);
}

describe('the administration interface', () => {
	test('lists the URLs and the workflows', async () => {
		expect((await administration('GET', '/')).body).toMatchObject({
			production: caller.simulator.productionUrl,
			staging: caller.simulator.stagingUrl,
			workflows: expect.arrayContaining(['intake', 'urls']),
		});
	});

	test('shows requests without secrets, and deletes them on request', async () => {
		await caller.create('slow', form(DOCUMENT));
		const { body } = await administration('GET', '/requests');
		expect(body).toMatchObject([
			{ number: 1, route: 'token', status: 200 },
			{
				number: 2,
				route: 'create',
				environment: 'production',
				clientId: 'client',
				status: 200,
				authorization: 'valid',
			},
		]);
		expect(JSON.stringify(body)).not.toMatch(/made-up-secret|eyJ/);
		expect((await administration('DELETE', '/requests')).status).toBe(200);
		expect((await administration('GET', '/requests')).body).toEqual([]);
	});

	test('shows executions, and ends a running one as completed or failed, but only once', async () => {
		const [first, second] = [
			await caller.createdId('slow', form(DOCUMENT)),
			await caller.createdId('slow', form(DOCUMENT)),
		];
		expect((await administration('GET', '/executions')).body).toMatchObject([
			{ executionId: first, status: 'running' },
			{ executionId: second },
		]);
		expect(
			(await administration('POST', `/executions/${first}/finish`, { status: 'completed' })).body,
		).toMatchObject({ status: 'completed', steps: [{}] });
		const failed = await administration('POST', `/executions/${second}/finish`, {
			status: 'failed',
			error: { code: 'unreadable' },
		});
		expect(failed.body).toMatchObject({
			status: 'failed',
			failure: { error: { code: 'unreadable' } },
		});
		expect((await caller.get('slow', second)).body).toMatchObject({
			status: 'failed',
			error: { code: 'unreadable' },
		});
		expect(
			(await administration('POST', `/executions/${second}/finish`, { status: 'completed' }))
				.status,
		).toBe(404);
		expect(
			(await administration('POST', '/executions/none/finish', { status: 'completed' })).status,
		).toBe(404);
		expect(
			(await administration('POST', `/executions/${second}/finish`, { status: 'done' })).status,
		).toBe(422);
	});

	test('fails an execution with a default message when none is given', async () => {
		const executionId = await caller.createdId('slow', form(DOCUMENT));
		await caller.simulator.state.executions.finish(executionId, { status: 'failed' });
		expect((await caller.get('slow', executionId)).body).toMatchObject({
			status: 'failed',
			error: 'The execution failed.',
		});
	});

	test('changes the given fields of a workflow and keeps the others', async () => {
		const change = {
			duration: { fixedSeconds: 0 },
			webhooks: [
				{
					url: 'http://127.0.0.1:1/hook/secret-path',
					authentication: { type: 'api_key', header: 'x', key: 'made-up-key' },
					signature: { type: 'hmac', header: 'y', secret: 'made-up-secret' },
				},
			],
		};
		const { body } = await administration('PATCH', '/workflows/slow', change);
		expect(body).toMatchObject({
			workflowId: 'slow',
			duration: { fixedSeconds: 0 },
			steps: [{ stepName: 'Policy' }],
			webhooks: [{ origin: 'http://127.0.0.1:1', authentication: 'api_key', signature: 'hmac' }],
		});
		const shown = JSON.stringify((await administration('GET', '/workflows')).body);
		expect(shown).not.toMatch(/secret-path|made-up/);
		await administration('PATCH', '/workflows/slow', {
			webhooks: [{ url: 'http://127.0.0.1:1/' }],
			failWith: { error: 'x' },
		});
		expect(
			await caller.ended('slow', await caller.createdId('slow', form(DOCUMENT))),
		).toMatchObject({ status: 'failed', error: 'x' });
	});

	test('rejects an invalid change, naming the field, and an unknown workflow', async () => {
		const { status, body } = await administration('PATCH', '/workflows/slow', {
			duration: { fixedSeconds: -1 },
			workflowId: 'x',
		});
		expect(status).toBe(422);
		expect(body.detail).toMatch(/duration/);
		expect(body.detail).toMatch(/workflowId/);
		expect((await administration('PATCH', '/workflows/none', {})).status).toBe(404);
		expect(
			(await administration('PATCH', '/settings', { tokenLifetimeSeconds: 'x' })).body.detail,
		).toMatch(/tokenLifetimeSeconds/);
		expect(await administration('PATCH', '/settings', '{')).toMatchObject({
			status: 422,
			body: { detail: 'The body is not JSON.' },
		});
	});

	test('changes the lifetime of tokens and the limits', async () => {
		expect(
			(
				await administration('PATCH', '/settings', {
					tokenLifetimeSeconds: 60,
					requestsPerSecond: 5,
				})
			).body,
		).toMatchObject({ tokenLifetimeSeconds: 60, requestsPerSecond: 5 });
		expect((await administration('GET', '/settings')).body).toEqual({
			tokenLifetimeSeconds: 60,
			requestsPerSecond: 5,
			parallelRequests: null,
			maximumBodyBytes: null,
			signedUrlLifetimeSeconds: 3600,
		});
	});

	test('counts tokens, and revokes those of one client or all', async () => {
		expect((await administration('GET', '/tokens')).body).toEqual({ issued: 1 });
		expect((await administration('POST', '/tokens/revoke', { clientId: 'narrow' })).body).toEqual({
			revoked: 0,
		});
		expect((await caller.get('slow', '1')).status).toBe(404);
		expect((await administration('POST', '/tokens/revoke', '')).body).toEqual({ revoked: 1 });
		expect((await caller.get('slow', '1')).status).toBe(401);
		expect(
			(await call(`${caller.simulator.administrationUrl}/tokens/revoke`, { method: 'POST' })).body,
		).toEqual({ revoked: 0 });
	});

	test('adds, shows and removes faults', async () => {
		const fault = { route: 'get', action: { type: 'status', status: 500 } };
		expect((await administration('POST', '/faults', fault)).body).toEqual({
			...fault,
			faultId: 1,
			seen: 0,
			applied: 0,
		});
		await administration('POST', '/faults', fault);
		expect((await caller.get('slow', '1')).status).toBe(500);
		expect((await administration('DELETE', '/faults/1')).body).toEqual({ removed: 1 });
		expect((await administration('GET', '/faults')).body).toMatchObject([{ faultId: 2 }]);
		expect((await administration('DELETE', '/faults')).body).toEqual({ removed: 1 });
		expect(
			(
				await administration('POST', '/faults', {
					route: 'all',
					action: { type: 'status', status: 500 },
				})
			).body.detail,
		).toMatch(/route/);
	});

	test('does what the fault in simulator/README.md says', async () => {
		const page = readFileSync(join(ROOT, 'simulator', 'README.md'), 'utf8');
		const [, fault = ''] = /```json\n(.+)\n```/.exec(page) ?? [];
		expect((await administration('POST', '/faults', fault)).status).toBe(200);
		const statuses: number[] = [];
		for (let number = 1; number <= 20; number++)
			statuses.push((await caller.get('slow', '1')).status);
		const others = Array.from({ length: 9 }, () => 404);
		expect(statuses).toEqual([503, ...others, 503, ...others]);
	});

	test('resets to the configuration, removes all entries and rejects earlier tokens', async () => {
		const executionId = await caller.createdId('slow', form(DOCUMENT));
		caller.simulator.state.faults.add({ route: 'token', action: { type: 'status', status: 500 } });
		caller.simulator.state.settings.change({ tokenLifetimeSeconds: 1 });
		caller.simulator.state.workflows.change('slow', { failWith: {} });
		expect((await administration('POST', '/reset')).status).toBe(200);
		const { state } = caller.simulator;
		expect([
			state.requests.all(),
			state.executions.all(),
			state.faults.all(),
			state.deliveries.all(),
			state.tokens.issued,
		]).toEqual([[], [], [], [], 0]);
		expect(state.settings.current().tokenLifetimeSeconds).toBe(3600);
		expect(state.workflows.find('slow')?.failWith).toBeNull();
		expect(await caller.get('slow', executionId)).toMatchObject({
			status: 401,
			body: { detail: 'Token has been revoked' },
		});
	});

	test('shows deliveries, deletes them on request, and answers 404 for other paths', async () => {
		expect((await administration('GET', '/deliveries')).body).toEqual([]);
		expect((await administration('DELETE', '/deliveries')).body).toEqual({});
		expect(await administration('GET', '/none')).toMatchObject({
			status: 404,
			body: { detail: 'Not Found' },
		});
	});
});

describe('the duration of executions', () => {
	const sample = (seed: number): number[] => {
		const random = randomNumbers(seed);
		const duration = {
			medianSeconds: 100,
			sigma: 0.5,
			tail: { share: 0.1, fromSeconds: 10_000, toSeconds: 20_000 },
		};
		return Array.from({ length: 4000 }, () => durationMilliseconds(duration, random)).sort(
			(a, b) => a - b,
		);
	};

	test('spreads around its median, with the given share of long ones', () => {
		const all = sample(1);
		const short = all.filter((milliseconds) => milliseconds < 10_000_000);
		expect(short.length / all.length).toBeGreaterThan(0.88);
		expect(short.length / all.length).toBeLessThan(0.92);
		expect(short[(short.length / 2) | 0]).toBeGreaterThan(95_000);
		expect(short[(short.length / 2) | 0]).toBeLessThan(105_000);
		// 68 % of a log-normal distribution lie within a factor of e^0.5 of the median.
		const within =
			short.filter((milliseconds) => milliseconds > 60_653 && milliseconds < 164_872).length /
			short.length;
		expect(Math.abs(within - 0.683)).toBeLessThan(0.03);
		expect(all.at(-1)).toBeLessThanOrEqual(20_000_000);
	});

	test('is the same for the same seed, and differs between seeds', () => {
		expect(sample(1)).toEqual(sample(1));
		expect(sample(2)).not.toEqual(sample(1));
	});

	test('has no long ones without a tail', () => {
		const random = randomNumbers(3);
		const longest = Math.max(
			...Array.from({ length: 1000 }, () =>
				durationMilliseconds({ medianSeconds: 1, sigma: 0 }, random),
			),
		);
		expect(longest).toBe(1000);
	});
});
