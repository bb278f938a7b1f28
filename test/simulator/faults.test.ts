import { getMaxListeners } from 'node:events';
import { request } from 'node:http';
import type { Fault } from '../../simulator/state/faults';
import { call, createPath, DOCUMENT, exchange, form, started, until, type Caller } from './support';

let caller: Caller;
beforeAll(async () => void (caller = await started()));
afterAll(() => caller.simulator.stop());
afterEach(() => {
	caller.simulator.state.faults.clear();
	caller.simulator.state.settings.change({
		requestsPerSecond: null,
		parallelRequests: null,
		maximumBodyBytes: null,
	});
});

const create = () => caller.create('slow', form(DOCUMENT));
const executions = () => caller.simulator.state.executions.all().length;
const lastRequest = () => caller.simulator.state.requests.all().at(-1);
const add = (fault: Fault) => caller.simulator.state.faults.add(fault);

describe('a fault', () => {
	test('replaces the answer by a status, a body, headers and Retry-After', async () => {
		const before = executions();
		add({
			route: 'create',
			action: {
				type: 'status',
				status: 503,
				body: { detail: 'Down' },
				headers: { 'x-reason': 'test' },
				retryAfter: 7,
			},
		});
		const { status, headers, body } = await create();
		expect([status, headers.get('retry-after'), headers.get('x-reason'), body]).toEqual([
			503,
			'7',
			'test',
			{ detail: 'Down' },
		]);
		expect(executions()).toBe(before);
		expect(lastRequest()).toMatchObject({
			status: 503,
			faultApplied: 'status',
			authorization: 'valid',
		});
	});

	test('reads the whole request before it answers', async () => {
		add({ route: 'create', action: { type: 'status', status: 500 } });
		await caller.create('slow', form({ 'large.txt': 'x'.repeat(1_000_000) }));
		expect(lastRequest()?.bodyBytes).toBeGreaterThan(1_000_000);
	});

	test('can give Retry-After as a date, and has a default body', async () => {
		const date = new Date(Date.now() + 60_000).toUTCString();
		add({ route: 'get', action: { type: 'status', status: 429, retryAfter: date } });
		const { status, headers, body } = await caller.get('slow', '1');
		expect([status, headers.get('retry-after'), body]).toEqual([
			429,
			date,
			{ detail: 'Fault on demand' },
		]);
	});

	test('gives Retry-After as a date that is counted from the answer', async () => {
		const retryAfter = { dateInSeconds: 90 };
		add({ route: 'get', action: { type: 'status', status: 429, retryAfter } });
		await new Promise((resolve) => setTimeout(resolve, 1_100));
		const { headers } = await caller.get('slow', '1');
		const left = Date.parse(headers.get('retry-after') ?? '') - Date.now();
		expect(left).toBeGreaterThan(88_000);
		expect(left).toBeLessThanOrEqual(90_000);
	});

	test.each([
		{ type: 'status', status: 502, carriedOut: true },
		{ type: 'notJson', carriedOut: true },
		{ type: 'redirect', location: 'http://127.0.0.1:1/', status: 302, carriedOut: true },
	] as const)(
		'answers $type after the execution was started, as a failing gateway does',
		async (action) => {
			const before = executions();
			add({ route: 'create', times: 1, action });
			const response = await fetch(`${caller.simulator.productionUrl}${createPath('slow')}`, {
				method: 'POST',
				headers: { authorization: caller.authorization },
				body: form(DOCUMENT),
				redirect: 'manual',
			});
			const expected = { status: 502, notJson: 200, redirect: 302 }[action.type];
			expect([response.status, executions()]).toEqual([expected, before + 1]);
			expect(await response.text()).not.toContain('workflow_execution_id');
			expect(lastRequest()).toMatchObject({ faultApplied: action.type, status: expected });
		},
	);

	test('delays a request and then handles it normally', async () => {
		add({ route: 'token', action: { type: 'delay', milliseconds: 60 } });
		add({ route: 'any', action: { type: 'delay', milliseconds: 60 } });
		const begun = performance.now();
		expect((await exchange(caller.simulator.productionUrl, {})).status).toBe(422);
		expect(performance.now() - begun).toBeGreaterThan(115);
		expect(lastRequest()?.faultApplied).toBe('delay');
	});

	test('delays a request until it is removed', async () => {
		const { faultId } = add({ route: 'create', action: { type: 'delay', milliseconds: 600_000 } });
		add({ route: 'create', action: { type: 'delay', milliseconds: 1 } });
		const created = create();
		await until(() => (lastRequest()?.faultApplied === 'delay' ? true : undefined));
		caller.simulator.state.faults.clear(faultId);
		expect((await created).status).toBe(200);
	});

	test('lets any number of delayed requests wait for its removal, without a warning of Node about a leak', () => {
		add({ route: 'token', action: { type: 'delay', milliseconds: 1 } });
		const request = { route: 'token', environment: 'production', workflowId: undefined } as const;
		const limits = caller.simulator.state.faults
			.next(request)
			.delays.map(({ removed }) => getMaxListeners(removed));
		expect(limits).toEqual([Infinity]);
	});

	test.each([
		['before', 0],
		['during', 0],
		['after', 1],
	] as const)(
		'resets the connection %s the request is handled, so that %i executions are started',
		async (when, more) => {
			const before = executions();
			add({ route: 'create', action: { type: 'reset', when } });
			await expect(
				caller.create('slow', form({ 'large.txt': 'x'.repeat(2_000_000) })),
			).rejects.toThrow('fetch failed');
			expect(executions()).toBe(before + more);
			const entry = lastRequest();
			expect(entry).toMatchObject({ status: null, faultApplied: `reset ${when}` });
			if (when === 'before') expect(entry?.bodyBytes).toBe(0);
			if (when === 'during') expect(entry?.bodyBytes).toBeGreaterThan(0);
			if (when === 'after') expect(entry?.bodyBytes).toBe(entry?.contentLength);
		},
	);

	test('resets a request without a body', async () => {
		add({ route: 'get', action: { type: 'reset', when: 'during', afterBytes: 10 } });
		await expect(caller.get('slow', '1')).rejects.toThrow('fetch failed');
	});

	test('cuts an answer short after the execution was started', async () => {
		const before = executions();
		add({ route: 'create', action: { type: 'truncated' } });
		const response = await fetch(`${caller.simulator.productionUrl}${createPath('slow')}`, {
			method: 'POST',
			headers: { authorization: caller.authorization },
			body: form(DOCUMENT),
		});
		expect(response.status).toBe(200);
		await expect(response.text()).rejects.toThrow('terminated');
		expect(executions()).toBe(before + 1);
	});

	/** The text of an answer to a check, until it breaks off or is longer than `enough`. */
	const textOf = async (enough = Infinity) => {
		const response = await fetch(`${caller.simulator.productionUrl}${createPath('slow')}/1`);
		const reader = (response.body as ReadableStream<Uint8Array>).getReader();
		let text = '';
		try {
			while (text.length <= enough)
				text += Buffer.from((await reader.read()).value ?? []).toString();
			await reader.cancel();
		} catch {
			text += ' (broken off)';
		}
		return text;
	};

	test('cuts an answer after some bytes', async () => {
		add({ route: 'get', action: { type: 'truncated', afterBytes: 9 } });
		expect(await textOf()).toBe('{"detail" (broken off)');
	});

	test('drips spaces behind the beginning of an answer until the caller leaves', async () => {
		add({ route: 'get', action: { type: 'drip', milliseconds: 5, afterBytes: 9 } });
		expect(await textOf(20)).toMatch(/^\{"detail" +$/);
	});

	test('answers with much compressed white space behind the answer', async () => {
		add({ route: 'get', action: { type: 'gzipBomb', megabytes: 3 } });
		const response = await fetch(`${caller.simulator.productionUrl}${createPath('slow')}/1`);
		expect(Number(response.headers.get('content-length'))).toBeLessThan(10_000);
		const text = await response.text();
		expect(text.length).toBeGreaterThan(3_000_000);
		expect(JSON.parse(text)).toHaveProperty('detail');
	});

	test('answers 200 with something that is not JSON', async () => {
		add({ route: 'get', times: 1, action: { type: 'notJson' } });
		add({ route: 'get', action: { type: 'notJson', body: 'plain', contentType: 'text/plain' } });
		const url = `${caller.simulator.productionUrl}${createPath('slow')}/1`;
		const page = await fetch(url);
		expect([page.status, page.headers.get('content-type'), await page.text()]).toEqual([
			200,
			'text/html; charset=utf-8',
			expect.stringContaining('<html>'),
		]);
		const plain = await fetch(url);
		expect([plain.headers.get('content-type'), await plain.text()]).toEqual([
			'text/plain',
			'plain',
		]);
	});

	test('answers with a redirect', async () => {
		add({
			route: 'get',
			times: 1,
			action: { type: 'redirect', location: 'https://elsewhere.example.com/' },
		});
		add({ route: 'get', times: 1, action: { type: 'redirect', location: '/x', status: 307 } });
		const first = await caller.get('slow', '1');
		expect([first.status, first.headers.get('location')]).toEqual([
			302,
			'https://elsewhere.example.com/',
		]);
		expect((await caller.get('slow', '1')).status).toBe(307);
		expect((await caller.get('slow', '1')).status).toBe(404);
	});

	test('applies to the requests that it names by from, to, every and times', async () => {
		add({
			route: 'get',
			requests: { from: 2, to: 6, every: 2 },
			times: 2,
			action: { type: 'status', status: 500 },
		});
		const statuses: number[] = [];
		for (let count = 0; count < 7; count++) statuses.push((await caller.get('slow', '1')).status);
		expect(statuses).toEqual([404, 500, 404, 500, 404, 404, 404]);
		expect(caller.simulator.state.faults.all()).toMatchObject([{ seen: 7, applied: 2 }]);
	});

	test('applies only to its route, its workflow and its environment', async () => {
		add({
			route: 'get',
			workflowId: 'slow',
			environment: 'production',
			action: { type: 'status', status: 500 },
		});
		expect((await caller.get('slow', '1')).status).toBe(500);
		expect((await caller.get('intake', '1')).status).toBe(404);
		expect((await call(`${caller.simulator.stagingUrl}${createPath('slow')}/1`)).status).toBe(401);
		expect((await create()).status).toBe(200);
	});

	test('yields to a fault that was added earlier', async () => {
		const first = add({ route: 'get', action: { type: 'status', status: 500 } });
		add({ route: 'get', action: { type: 'status', status: 502 } });
		expect((await caller.get('slow', '1')).status).toBe(500);
		expect(caller.simulator.state.faults.clear(first.faultId)).toBe(1);
		expect((await caller.get('slow', '1')).status).toBe(502);
	});

	test('is rejected with the name of the field when it is invalid', () => {
		const wrong = { route: 'get', action: { type: 'status', status: 99 } } as Fault;
		expect(() => add(wrong)).toThrow('action.status: Number must be greater than or equal to 200');
	});
});

describe('a limit', () => {
	test('rejects excess requests per second with 429 and Retry-After, and accepts requests again later', async () => {
		caller.simulator.state.settings.change({ requestsPerSecond: 2 });
		const statuses = [];
		for (let count = 0; count < 3; count++) statuses.push((await caller.get('slow', '1')).status);
		expect(statuses).toEqual([404, 404, 429]);
		const { headers } = await caller.get('slow', '1');
		expect(headers.get('retry-after')).toBe('1');
		await new Promise((resolve) => setTimeout(resolve, 1010));
		expect((await caller.get('slow', '1')).status).toBe(404);
	});

	test('rejects excess parallel requests, and does not count finished ones', async () => {
		caller.simulator.state.settings.change({ parallelRequests: 1 });
		const url = `${caller.simulator.productionUrl}${createPath('slow')}`;
		let end = (): void => undefined;
		const body = new ReadableStream({
			start(controller) {
				controller.enqueue(Buffer.from('--b\r\n'));
				end = () => controller.close();
			},
		});
		const headers = {
			authorization: caller.authorization,
			'content-type': 'multipart/form-data; boundary=b',
		};
		const init: RequestInit & { duplex: 'half' } = {
			method: 'POST',
			headers,
			body,
			duplex: 'half',
		};
		const first = call(url, init);
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect((await caller.get('slow', '1')).status).toBe(429);
		end();
		expect((await first).status).toBe(422);
		expect((await caller.get('slow', '1')).status).toBe(404);
	});

	test('does not count a parallel upload whose connection broke inside a file', async () => {
		caller.simulator.state.settings.change({ parallelRequests: 1 });
		const headers = {
			authorization: caller.authorization,
			'content-type': 'multipart/form-data; boundary=b',
		};
		const sent = request(`${caller.simulator.productionUrl}${createPath('slow')}`, {
			method: 'POST',
			headers,
		});
		sent.on('error', () => undefined);
		sent.write(
			'--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nhalf of it',
		);
		await until(async () => ((await caller.get('slow', '1')).status === 429 ? true : undefined));
		sent.destroy();
		await until(async () => ((await caller.get('slow', '1')).status === 404 ? true : undefined));
	});

	test('rejects larger bodies with 413', async () => {
		caller.simulator.state.settings.change({ maximumBodyBytes: 100 });
		const before = executions();
		expect(await create()).toMatchObject({
			status: 413,
			body: { detail: 'Request body is too large' },
		});
		const body = new ReadableStream({
			start(controller) {
				controller.enqueue(Buffer.from(JSON.stringify({ client_id: 'x'.repeat(200) })));
				controller.close();
			},
		});
		const chunked: RequestInit & { duplex: 'half' } = {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body,
			duplex: 'half',
		};
		expect(
			(await call(`${caller.simulator.productionUrl}/api/v1/oauth2/access_token`, chunked)).status,
		).toBe(413);
		expect(executions()).toBe(before);
	});
});
