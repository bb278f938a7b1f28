/** Answers that are cut, huge, endless or strange. */
import type { Fault } from '../../simulator/state/faults';
import { TOKEN_PATH } from '../../service/contract';
import { runFlow, startFlow } from './support/engine';
import { file, textOf } from './support/files';
import { startHandler } from '../servers';
import { operation, policyItem, useService, WORKFLOW_ID } from './support/service';
import { until, untilInRequest } from './support/time';

const service = useService();

const items = [policyItem()];
const create = () => runFlow({ ...service, parameters: operation('create'), items });
const get = (executionId: string) =>
	runFlow({ ...service, parameters: operation('get', { executionId }) });
const fault = (fault: Fault) => service.state.faults.add(fault);
const started = () => service.state.executions.all();
/** The ID of an execution that has ended. */
const existing = async () => {
	await create();
	const [{ executionId = '' } = {}] = started();
	await until(() => service.state.executions.find(executionId)?.status !== 'running');
	return executionId;
};

/** Length of an answer to a create up to the end of its identifier. */
const TO_IDENTIFIER = '{"workflow_execution_id":"00000000-0000-0000-0000-000000000000"'.length;

describe('A create', () => {
	it.each<[string, Fault['action']]>([
		['is cut at the end of its identifier', { type: 'truncated', afterBytes: TO_IDENTIFIER - 1 }],
		['is cut behind its identifier', { type: 'truncated', afterBytes: TO_IDENTIFIER + 7 }],
		['goes on with a gigabyte of white space', { type: 'gzipBomb', megabytes: 1000 }],
	])(
		'has an unknown outcome when its answer %s, and its item, its run and the log show the identifier',
		async (_, action) => {
			fault({ route: 'create', action });
			const before = process.memoryUsage().rss;
			const continued = await runFlow({
				...service,
				parameters: operation('create'),
				items,
				settings: { onError: 'continueErrorOutput' },
			});
			expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
			const [{ executionId = '' } = {}] = started();
			expect(continued.outputs[1]?.[0]?.json.error).toMatchObject({
				outcome: 'unknown',
				message: expect.stringContaining(
					`Its answer begins: "{"workflow_execution_id":"${executionId}`,
				),
			});
			expect(JSON.stringify(continued.logs)).toContain(executionId);
			expect(service.requests('create')).toHaveLength(1);
			expect((await get(executionId)).error).toBeUndefined();

			fault({ route: 'create', action });
			const { error } = await create();
			expect(error?.message).toContain(started()[1]?.executionId);
			expect(error?.description).toContain('It is unknown whether an execution was started');
		},
	);

	it('has an unknown outcome when its answer is cut before it is as long as it says', async () => {
		const body = '{"workflow_execution_id":"e-77","status":"runn';
		fault({ route: 'create', action: { type: 'notJson', body, contentType: 'application/json' } });
		const { error } = await create();
		expect(error?.message).toContain('It is: {"workflow_execution_id":"e-77"');
		expect(error?.description).toContain('It is unknown whether an execution was started');
	});

	it('keeps all digits of a numeric identifier', async () => {
		const body = '{"workflow_execution_id": 12345678901234567890, "status": "running"}';
		fault({ route: 'create', action: { type: 'notJson', body, contentType: 'application/json' } });
		expect((await create()).outputs[0]?.[0]?.json.executionId).toBe('12345678901234567890');
	});

	it('keeps the reason of a refusal that comes in the middle of the upload, a moment behind its status', async () => {
		const gateway = await startHandler((request, response) => {
			if (request.url === TOKEN_PATH)
				return void response.end('{"access_token":"token-of-the-gateway"}');
			request.resume();
			response.writeHead(422, { 'content-type': 'application/json' }).flushHeaders();
			setTimeout(() => response.end('{"detail":"The document is a menu"}'), 30);
		});
		await service.enter({ productionUrl: gateway.url });
		const { error } = await runFlow({
			...service,
			parameters: operation('create'),
			items: [{ files: { data: file('large.txt', textOf(20_000_000)) } }],
		});
		await gateway.stop();
		expect(error?.description).toContain('The document is a menu');
	});

	it('ends at once when it is stopped while the answer of the token endpoint drips', async () => {
		fault({ route: 'token', action: { type: 'drip', milliseconds: 20 } });
		const running = startFlow({ ...service, parameters: operation('create'), items });
		await untilInRequest(() => service.requests('token').length > 0);
		running.stop();
		await running.outcome;
		expect(service.requests('create')).toEqual([]);
	});

	it.each(['9'.repeat(25), '1e400'])(
		'of a whole batch is known to be refused after a 503 with Retry-After %s',
		async (retryAfter) => {
			fault({ route: 'create', action: { type: 'status', status: 503, retryAfter } });
			const { outputs } = await runFlow({
				...service,
				parameters: operation('create', { maximumInParallel: 1 }),
				items: [policyItem(), policyItem(), policyItem()],
				settings: { onError: 'continueRegularOutput' },
			});
			expect(outputs[0]).toHaveLength(3);
			expect(JSON.stringify(outputs)).not.toContain('"outcome"');
			expect(service.requests('create')).toHaveLength(1);
		},
	);
});

describe('A check', () => {
	it.each<[string, Fault['action']]>([
		['a 500', { type: 'status', status: 500 }],
		['an answer that breaks off', { type: 'truncated', afterBytes: 20 }],
	])('of Get is repeated after %s', async (_, action) => {
		const executionId = await existing();
		fault({ route: 'get', times: 2, action });
		const { outputs, error } = await get(executionId);
		expect(error).toBeUndefined();
		expect(outputs[0]?.[0]?.json).toMatchObject({ executionId, status: 'completed' });
		expect(service.requests('get')).toHaveLength(3);
	});

	it('of Get is repeated five times at most, and not after a 404', async () => {
		fault({ route: 'get', times: 5, action: { type: 'status', status: 500 } });
		expect((await get('e-1')).error?.message).toBe('The service answered with status 500');
		expect(service.requests('get')).toHaveLength(5);
		expect((await get('e-1')).error?.message).toContain('has no execution');
		expect(service.requests('get')).toHaveLength(6);
	});

	it('fails once, in bounded memory, when its answer is a gigabyte of white space', async () => {
		const executionId = await existing();
		fault({ route: 'get', action: { type: 'gzipBomb', megabytes: 1000 } });
		const before = process.memoryUsage().rss;
		const { error } = await get(executionId);
		expect(error?.message).toMatch(/^The answer of .* is too large$/);
		expect(error?.description).toContain('up to 100 MB');
		expect(service.requests('get')).toHaveLength(1);
		expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000);
	});
});

describe('The token endpoint', () => {
	it('does not read a gigabyte of white space', async () => {
		fault({ route: 'token', action: { type: 'gzipBomb', megabytes: 1000 } });
		const { error } = await create();
		expect(error?.message).toMatch(/^The answer of 127\.0\.0\.1:\d+ is too large$/);
	});

	it.each<[string, Fault['action']]>([
		['a web page', { type: 'notJson' }],
		['a 404', { type: 'status', status: 404 }],
	])('ends no wait when it gives %s for a while at a renewal', async (_, action) => {
		service.state.workflows.change(WORKFLOW_ID, { duration: { fixedSeconds: 60 } });
		fault({ route: 'token', requests: { from: 2, to: 7 }, action });
		const running = startFlow({
			...service,
			parameters: operation('createAndWait', {
				waiting: { firstCheckSeconds: 1, longestIntervalMinutes: 2 / 60 },
			}),
			items: [policyItem(), policyItem(), policyItem()],
		});
		await until(() => service.requests('get').length === 3);
		service.state.tokens.revokeAll();
		const { outputs, error } = await running.outcome;
		expect(error).toBeUndefined();
		expect(outputs[0]?.map(({ json }) => json.status)).toEqual(Array(3).fill('completed'));
		expect(service.requests('token').length).toBeGreaterThan(7);
	});

	it.each([
		['a create', create],
		['a Get', async () => get('e-1')],
	])('is asked once by %s when its answer drips beyond its time limit', async (_, run) => {
		const timeout = AbortSignal.timeout.bind(AbortSignal);
		jest
			.spyOn(AbortSignal, 'timeout')
			.mockImplementation((milliseconds) => timeout(milliseconds / 100));
		fault({ route: 'token', action: { type: 'drip', milliseconds: 20 } });
		const { error } = await run();
		jest.restoreAllMocks();
		expect(error?.message).toMatch(/^The connection to .* broke or timed out \(ECONNABORTED\)$/);
		expect(service.requests('token')).toHaveLength(1);
	});

	it('is said to issue tokens that expire too soon, after a few exchanges', async () => {
		const body = { access_token: 'short-lived', expires_in: 0.001 };
		fault({ route: 'token', action: { type: 'status', status: 200, body } });
		const { error } = await create();
		expect(error?.message).toMatch(/^The access token from .* expires before it can be used$/);
		expect(service.requests('token').length).toBeLessThanOrEqual(6);
		expect(service.requests('create')).toEqual([]);
	});
});
