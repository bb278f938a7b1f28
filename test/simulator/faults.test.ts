import { PATHS } from '../../simulator/http/routes';
import type { Fault } from '../../simulator/state/faults';
import {
	begin,
	CONFIGURATION,
	createPath,
	DOCUMENT,
	exchange,
	form,
	ServiceClock,
	started,
	until,
	type Caller,
} from './support';

const clock = new ServiceClock();
let caller: Caller;
beforeAll(async () => void (caller = await started(CONFIGURATION, clock)));
afterAll(() => caller.simulator.stop());
afterEach(() => {
	caller.simulator.state.faults.clear();
	caller.simulator.state.settings.change({ parallelRequests: null, maximumBodyBytes: null });
});

const create = () => caller.create('slow', form(DOCUMENT));
const executions = () => caller.simulator.state.executions.all().length;
const lastRequest = () => caller.simulator.state.requests.all().at(-1);
const add = (fault: Fault) => caller.simulator.state.faults.add(fault);

describe('a fault', () => {
	test('replaces the answer by a status, a body and headers', async () => {
		const before = executions();
		const answer = { status: 503, body: { detail: 'Down' }, headers: { 'x-reason': 'test' } };
		add({ route: 'create', action: { type: 'status', ...answer } });
		const { status, headers, body } = await create();
		expect({ status, body, headers: { 'x-reason': headers.get('x-reason') } }).toEqual(answer);
		expect(executions()).toBe(before);
		const logged = { status: 503, faultApplied: 'status', authorization: 'valid' };
		expect(lastRequest()).toMatchObject(logged);
	});

	test.each<[number | string | { dateInSeconds: number }, string]>([
		[7, '7'],
		['Thu, 01 Jan 1970 00:00:00 GMT', 'Thu, 01 Jan 1970 00:00:00 GMT'],
		[{ dateInSeconds: 90 }, 'Thu, 01 Jan 1970 00:02:30 GMT'],
	])('can give Retry-After as %j, and has a default body', async (retryAfter, shown) => {
		add({ route: 'get', action: { type: 'status', status: 429, retryAfter } });
		await clock.pass(60_000 - clock.now());
		const { status, headers, body } = await caller.get('slow', '1');
		const detail = 'Fault on demand';
		expect([status, headers.get('retry-after'), body]).toEqual([429, shown, { detail }]);
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
		add({ route: 'any', action: { type: 'delay', milliseconds: 40 } });
		const begin = clock.now();
		const reply = exchange(caller.simulator.productionUrl, {});
		await until(() => (lastRequest()?.faultApplied === 'delay' ? true : undefined));
		await clock.pass(60);
		await clock.pass(40);
		expect((await reply).status).toBe(422);
		const { faultApplied, startedAt, finishedAt } = lastRequest() ?? {};
		expect([faultApplied, startedAt, finishedAt]).toEqual(['delay', begin, begin + 100]);
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

	test('drips spaces behind the beginning of an answer until the caller leaves', async () => {
		add({ route: 'get', action: { type: 'drip', milliseconds: 5, afterBytes: 9 } });
		expect(await textOf(20)).toMatch(/^\{"detail" +$/);
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

	test('applies only to its route and its workflow', async () => {
		add({ route: 'get', workflowId: 'slow', action: { type: 'status', status: 500 } });
		expect((await caller.get('slow', '1')).status).toBe(500);
		expect((await caller.get('intake', '1')).status).toBe(404);
		expect((await create()).status).toBe(200);
	});
});

describe('a limit', () => {
	const HALF =
		'--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nhalf of it';
	const upload = () => begin(caller, createPath('slow'), 'multipart/form-data; boundary=b', HALF);
	const answered = (wanted: number) =>
		until(async () => {
			const reply = await caller.get('slow', '1');
			return reply.status === wanted ? reply : undefined;
		});

	test('rejects excess parallel requests, and does not count those that have ended or broken off', async () => {
		caller.simulator.state.settings.change({ parallelRequests: 1 });
		const first = upload();
		expect((await answered(429)).headers.get('retry-after')).toBe('1');
		first.sent.end();
		expect(await first.status).toBe(422);
		await answered(404);
		const second = upload();
		await answered(429);
		second.sent.destroy();
		await answered(404);
	});

	test('rejects larger bodies with 413, also when their length is not announced', async () => {
		caller.simulator.state.settings.change({ maximumBodyBytes: 100 });
		const before = executions();
		const detail = 'Request body is too large';
		expect(await create()).toMatchObject({ status: 413, body: { detail } });
		const text = JSON.stringify({ client_id: 'x'.repeat(200) });
		const { sent, status } = begin(caller, PATHS.token, 'application/json', text);
		sent.end();
		expect(await status).toBe(413);
		expect(executions()).toBe(before);
	});
});
