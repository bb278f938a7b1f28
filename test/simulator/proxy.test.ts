import { startProxy, type ConnectionFault, type Proxy } from '../../harness/proxy';
import { startHandler, textOf, type Listening } from '../servers';

const ANSWER = 'x'.repeat(200);
let service: Listening;
/** Lengths of the bodies that have arrived completely. */
let received: number[] = [];
let proxy: Proxy | undefined;

beforeAll(async () => {
	service = await startHandler((request, response) => {
		textOf(request).then(
			({ length }) => {
				received.push(length);
				response.end(ANSWER);
			},
			() => undefined,
		);
	});
});
afterAll(() => service.stop());
afterEach(async () => {
	await proxy?.stop();
	received = [];
});

async function through(fault: ConnectionFault | undefined, bytes = 10): Promise<Response> {
	proxy = await startProxy(service.url, (line) => {
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

	it('passes requests to several services in turns', async () => {
		const named = async (name: string) => startHandler((_request, response) => response.end(name));
		const both = [await named('first'), await named('second')];
		proxy = await startProxy(both.map(({ url }) => url));
		const answers: string[] = [];
		for (let count = 0; count < 4; count++) answers.push(await (await fetch(proxy.url)).text());
		for (const each of both) await each.stop();
		expect(answers).toEqual(['first', 'second', 'first', 'second']);
	});

	it('cuts an answer', async () => {
		const answer = await through({ type: 'cut', afterBytes: 200 });
		expect(answer.status).toBe(200);
		await expect(answer.text()).rejects.toThrow('terminated');
		expect(received).toEqual([10]);
	});

	it('lets an answer drip until it is complete', async () => {
		const { body } = await through({ type: 'drip' });
		const reader = (body as ReadableStream<Uint8Array>).getReader();
		const pieces: string[] = [];
		for (let part = await reader.read(); !part.done; part = await reader.read())
			pieces.push(Buffer.from(part.value).toString());
		expect(pieces.join('')).toBe(ANSWER);
		expect(pieces.length).toBeGreaterThan(3);
	});
});
