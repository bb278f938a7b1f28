import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startProxy, type ConnectionFault, type Proxy } from '../../harness/proxy';

const ANSWER = 'x'.repeat(200);
let service: Server;
/** Bytes of the bodies that have arrived completely. */
let received: number[] = [];
let proxy: Proxy | undefined;

beforeAll(async () => {
	service = createServer((request, response) => {
		let bytes = 0;
		request.on('data', (chunk: Buffer) => (bytes += chunk.length));
		request.on('end', () => {
			received.push(bytes);
			response.end(ANSWER);
		});
	});
	await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => service.close(resolve)));
afterEach(async () => {
	await proxy?.stop();
	received = [];
});

async function through(fault: ConnectionFault | undefined, bytes = 10): Promise<Response> {
	const { port } = service.address() as AddressInfo;
	proxy = await startProxy(`http://127.0.0.1:${port}`, (line) => {
		expect(line).toBe('POST /path HTTP/1.1');
		return fault;
	});
	return fetch(`${proxy.url}/path`, { method: 'POST', body: 'x'.repeat(bytes) });
}

/** A service that answers with its name. */
async function named(which: number): Promise<{ url: string; stop: () => void }> {
	const server = createServer((_request, response) => response.end(`service ${which}`));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

describe('The proxy in front of the service', () => {
	it('passes requests and answers on unchanged', async () => {
		expect(await (await through(undefined, 1_000_000)).text()).toBe(ANSWER);
		expect(received).toEqual([1_000_000]);
	});

	it.each([
		['before', { type: 'reset before' }, 10, []],
		['during', { type: 'reset during', afterBytes: 300_000 }, 1_000_000, []],
		['after', { type: 'reset after' }, 10, [10]],
	] as const)(
		'resets a connection %s the request was carried out',
		async (_when, fault, bytes, arrived) => {
			await expect(through(fault, bytes)).rejects.toThrow('fetch failed');
			expect(received).toEqual(arrived);
			expect(proxy?.applied.get(fault.type)).toBe(1);
		},
	);

	it('passes requests to several services in turns', async () => {
		const both = await Promise.all([0, 1].map(async (which) => named(which)));
		try {
			proxy = await startProxy(both.map(({ url }) => url));
			const answers: string[] = [];
			for (let count = 0; count < 4; count++) answers.push(await (await fetch(proxy.url)).text());
			expect(answers).toEqual(['service 0', 'service 1', 'service 0', 'service 1']);
		} finally {
			for (const { stop } of both) stop();
		}
	});

	it('cuts an answer', async () => {
		const answer = await through({ type: 'cut', afterBytes: 200 });
		expect(answer.status).toBe(200);
		await expect(answer.text()).rejects.toThrow('terminated');
		expect(received).toEqual([10]);
	});

	it('ends the connection after an answer that is shorter than its cut', async () => {
		const answer = await through({ type: 'cut', afterBytes: 100_000 });
		expect(await answer.text()).toBe(ANSWER);
	});

	it('lets an answer drip until it is complete', async () => {
		const begin = performance.now();
		expect(await (await through({ type: 'drip' })).text()).toBe(ANSWER);
		expect(performance.now() - begin).toBeGreaterThan(200);
	});
});
