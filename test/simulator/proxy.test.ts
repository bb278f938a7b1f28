import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startProxy, type ConnectionFault, type Proxy } from '../chaos/proxy';

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
