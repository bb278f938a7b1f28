import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { untilServed } from '../../../harness/n8n-process';
import { Trouble } from '../../../harness/report';

describe('waiting for an n8n that somebody has started', () => {
	const servers: Server[] = [];
	afterEach(() => servers.splice(0).forEach((server) => server.close()));

	/** Answers as n8n 1 does after it is ready: with 404 and HTML at first, then with its settings. */
	async function startServer(early: number): Promise<{ url: string; calls: () => number }> {
		let calls = 0;
		const server = createServer((_request, response) => {
			calls += 1;
			if (calls <= early) response.writeHead(404).end('<pre>Cannot GET</pre>');
			else response.end('{"data":{}}');
		});
		servers.push(server);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		return { url: `http://127.0.0.1:${port}`, calls: () => calls };
	}

	it('asks until its REST interface answers', async () => {
		const { url, calls } = await startServer(3);
		await untilServed(url, { tries: 10, milliseconds: 1 });
		expect(calls()).toBe(4);
	});

	it('ends with the address and what to do when it never answers', async () => {
		const { url, calls } = await startServer(Infinity);
		const waiting = untilServed(url, { tries: 5, milliseconds: 1 });
		await expect(waiting).rejects.toThrow(Trouble);
		await expect(waiting).rejects.toThrow(url);
		expect(calls()).toBe(5);
	});
});
