import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Counts requests by their path: what has arrived outside n8n, and how often. */
export interface Counter {
	url: string;
	counts: Map<string, number>;
	stop: () => void;
}

export async function startCounter(): Promise<Counter> {
	const counts = new Map<string, number>();
	const server = createServer(({ url = '' }, response) => {
		const name = url.slice(1);
		counts.set(name, (counts.get(name) ?? 0) + 1);
		response.setHeader('content-type', 'application/json').end('{}');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	server.unref(); // it ends with this process
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}`, counts, stop: () => void server.close() };
}
