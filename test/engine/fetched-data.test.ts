import type { ServerResponse } from 'node:http';
import type { IDataObject } from 'n8n-workflow';
import { answer, cell, getAnswered, jsonOf } from './support/answers';
import { runFlow, startFlow, type Flow, type Outcome } from './support/engine';
import { deepText, expectNoSecretIn } from './support/secrets';
import {
	startHandler,
	startSelfSignedServer,
	startServer,
	unusedAddress,
	type Answer,
} from './support/servers';
import { operation, policyItem, useService, WORKFLOW_ID } from './support/service';
import { stopWhen } from './support/stop';
import { time, until, untilInRequest } from './support/time';

const service = useService();

const SIGNATURE = 'sig-5d0e2b9c71';
const QUERY = `expires=99&signature=${SIGNATURE}`;
const CONTENT = JSON.stringify({ data: [{ policy_number: cell('CPP-7', 0.9) }] });
const stepAt = (url: string, step_name = 'policy') => ({ step_name, data: { url } });
const fetchData = (steps: unknown[], more: IDataObject = {}, flow: Partial<Flow> = {}) =>
	getAnswered(service, { steps }, { output: 'simplified', ...more }, flow);

/** Gets an execution whose data URL belongs to a server with this answer. */
async function fetchFrom(answer: Answer, flow: Partial<Flow> = {}) {
	const server = await startServer(answer);
	try {
		return {
			...(await fetchData([stepAt(`${server.url}/data?${QUERY}`)], {}, flow)),
			seen: server.seen,
			url: server.url,
		};
	} finally {
		await server.stop();
	}
}

/** The signature is in nothing that n8n stores, shows or logs. */
function expectNotSigned(
	{ outputs, received, error, thrown, hints, run, logs }: Outcome,
	signature = SIGNATURE,
): void {
	expectNoSecretIn([outputs, received, error, thrown, hints, run, logs], [signature]);
}

/** The item goes on without the data of its only step, and says why. */
function expectMissing(outcome: Outcome, reason: string): void {
	const dataNotRead = `The data of step "policy" could not be downloaded: ${reason}. Use Get Execution with the executionId for a new URL`;
	expect(outcome.error).toBeUndefined();
	expect(jsonOf(outcome)).toMatchObject([
		{ needsReview: true, dataNotRead, executionId: 'e-1', status: 'completed' },
	]);
	expect(outcome.hints).toEqual([
		`The item needs review. ${dataNotRead.replaceAll('"', '&quot;')}`,
	]);
}

describe('Data at a URL', () => {
	it.each(['get', 'wait', 'createAndWait'] as const)(
		'%s replaces the URL of each step with its data',
		async (name) => {
			service.state.workflows.change(WORKFLOW_ID, { answerFormat: 'url' });
			await runFlow({ ...service, parameters: operation('create'), items: [policyItem()] });
			const [created] = service.state.executions.all();
			const isRunning = () =>
				service.state.executions.find(String(created?.executionId))?.status === 'running';
			await until(() => !isRunning());
			const parameters = {
				...(name === 'createAndWait' ? {} : { executionId: String(created?.executionId) }),
			};
			const outcome = await runFlow({
				...service,
				parameters: operation(name, parameters),
				items: [policyItem()],
			});
			expect(jsonOf(outcome)).toMatchObject([
				{
					status: 'completed',
					data: { policy: [{ policy_number: 'CPP-1001', premium: 1250 }] },
					confidence: { policy: [{ premium: expect.any(Number) }] },
				},
			]);
			expect(outcome.hints).toEqual([]);
			const fetches = service.requests('other');
			expect(
				fetches.map(({ path, status, authorization }) => [
					path.split('/')[1],
					status,
					authorization,
				]),
			).toEqual([['signed', 200, 'none']]);
			expect(deepText([outcome.outputs, outcome.run, outcome.logs])).not.toContain('signature=');
		},
	);

	it('requests the URL without token or cookie, and shows the signature nowhere', async () => {
		const outcome = await fetchFrom({ body: CONTENT, headers: { 'set-cookie': 'session=1' } });
		expect(jsonOf(outcome)).toMatchObject([{ data: { policy: [{ policy_number: 'CPP-7' }] } }]);
		expect(outcome.seen).toHaveLength(1);
		expect(Object.keys(outcome.seen[0] ?? {}).sort()).toEqual([
			'accept',
			'accept-encoding',
			'connection',
			'host',
			'user-agent',
		]);
		expectNotSigned(outcome);
	});

	it('is fetched from at most eight URLs at a time in one run', async () => {
		let underWay: ServerResponse[] = [];
		let most = 0;
		// Answers eight together; the 80 URLs are ten times eight.
		const { url, stop } = await startHandler((_request, response) => {
			most = Math.max(most, underWay.push(response));
			if (underWay.length < 8) return;
			for (const each of underWay) each.end(CONTENT);
			underWay = [];
		});
		const outcome = await fetchData(
			[1, 2].map((number) => stepAt(`${url}/${number}?${QUERY}`)),
			{},
			{ items: Array.from({ length: 40 }, () => ({})) },
		);
		await stop();
		expect(jsonOf(outcome).map(({ data }) => Object.keys(data ?? {}))).toEqual(
			Array.from({ length: 40 }, () => ['policy', 'policy_2']),
		);
		expect(most).toBe(8);
	});
});

describe('Data that cannot be fetched on the first try', () => {
	/** Fails the first request as given, and returns the data to later ones. */
	async function failingOnce(failFirst: (response: ServerResponse) => void) {
		const times: number[] = [];
		const { url, stop } = await startHandler((_request, response) => {
			times.push(time.now());
			if (times.length === 1) failFirst(response);
			else response.end(CONTENT);
		});
		const outcome = await fetchData([stepAt(`${url}/data?${QUERY}`)]);
		await stop();
		return { outcome, times, pause: (times[1] ?? Infinity) - (times[0] ?? 0) };
	}

	it.each<[string, (response: ServerResponse) => void]>([
		['a 503', (response) => response.writeHead(503).end()],
		['an answer with the beginning of its JSON', (response) => response.end('{"data": [')],
		['a connection that is reset', (response) => response.destroy()],
		[
			'an answer that breaks off',
			(response) =>
				response.writeHead(200, { 'content-length': 1_000 }).write('{', () => response.destroy()),
		],
	])('is fetched a second after %s', async (_what, failFirst) => {
		const { outcome, times, pause } = await failingOnce(failFirst);
		expect(jsonOf(outcome)).toMatchObject([{ data: { policy: [{ policy_number: 'CPP-7' }] } }]);
		expect(times).toHaveLength(2);
		expect(pause).toBe(1_000);
		expectNotSigned(outcome);
	});

	it('is named in the item when the tries are over', async () => {
		const outcome = await fetchFrom({ status: 503, body: '' });
		expectMissing(outcome, 'its URL answers with status 503');
		expect(outcome.seen).toHaveLength(4);
		expectNotSigned(outcome);
	});

	it("is abandoned within half a second of n8n's Stop", async () => {
		const server = await startServer({ status: 503, headers: { 'retry-after': '9' }, body: '' });
		answer(service, { steps: [stepAt(`${server.url}/data?${QUERY}`)] });
		const running = startFlow({
			...service,
			parameters: operation('get', { executionId: 'e-1' }),
		});
		const outcome = await stopWhen(running, () => server.seen.length === 1);
		expect(outcome.stopMilliseconds).toBeLessThanOrEqual(500);
		await server.stop();
		expect(server.seen).toHaveLength(1);
		expectNotSigned(outcome);
	});
});

describe('Data that cannot be fetched', () => {
	it.each<[string, Answer, string]>([
		[
			'has expired',
			{ status: 403, body: '{"detail":"expired"}' },
			'its URL answers with status 403',
		],
		[
			'redirects, which would pass on the signature',
			{ status: 302, headers: { location: 'http://127.0.0.1:9/' }, body: '' },
			'its URL answers with status 302',
		],
	])('is named in the item with the reason when it %s', async (_what, answer, reason) => {
		const outcome = await fetchFrom(answer);
		expectMissing(outcome, reason);
		expectNotSigned(outcome);
	});

	it('is abandoned at 100 MB, and closes the connection when it never ends', async () => {
		let sent = 0;
		let isClosed = false;
		const chunk = Buffer.alloc(1_000_000, ' ');
		const { url, stop } = await startHandler((_request, response) => {
			response.on('close', () => (isClosed = true));
			const write = (): void => {
				while (!isClosed && sent < 300_000_000) {
					sent += chunk.length;
					if (!response.write(chunk)) return void response.once('drain', write);
				}
			};
			write();
		});
		const outcome = await fetchData([stepAt(`${url}/data?${QUERY}`)]);
		await until(() => isClosed);
		await stop();
		expectMissing(outcome, 'it is larger than 100 MB');
		expect(sent).toBeLessThan(200_000_000);
	});

	it('is named in the item when the connection breaks', async () => {
		const outcome = await fetchData([stepAt(`${await unusedAddress()}/data?${QUERY}`)]);
		expectMissing(outcome, 'the connection broke');
		expectNotSigned(outcome);
	});

	it('is named in the item, and no signature is sent, when the certificate is not trusted', async () => {
		const server = await startSelfSignedServer();
		const outcome = await fetchData([stepAt(`${server.url}/data?${QUERY}`)]);
		await server.stop();
		expectMissing(outcome, 'the connection broke');
		expect(server.seen).toEqual([]);
		expectNotSigned(outcome);
	});

	it.each(['http://data.example.com/1', 'http://127.0.0.1.example.com/1', 'http://10.0.0.1/1'])(
		'is named in the item when its URL is not HTTPS: %s',
		async (address) => {
			const outcome = await fetchData([stepAt(`${address}?${QUERY}`)]);
			expectMissing(outcome, 'its URL does not begin with https://');
			expectNotSigned(outcome);
		},
	);

	it("is abandoned at once by n8n's Stop while it arrives", async () => {
		let isRequested = false;
		const { url, stop } = await startHandler((_request, response) => {
			isRequested = response.write('{');
		});
		answer(service, { steps: [stepAt(`${url}/data?${QUERY}`)] });
		const running = startFlow({
			...service,
			parameters: operation('get', { executionId: 'e-1' }),
		});
		await untilInRequest(() => isRequested);
		running.stop();
		const outcome = await running.outcome;
		await stop();
		expect(outcome.run.finished).not.toBe(true);
		expectNotSigned(outcome);
	});
});
