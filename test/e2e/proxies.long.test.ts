import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Line } from '../../harness/install';
import { startN8n } from '../../harness/n8n';
import { chain, documentWorkflow, EARLY, TEXT_ONLY } from './flows';
import { startWorld } from './support';

/** A proxy of a company, with the addresses that it was asked for. */
async function startCompanyProxy() {
	const asked: string[] = [];
	const server: Server = createServer((asking, answer) => {
		const { url = '', method, headers } = asking;
		asked.push(`${method} ${new URL(url).pathname}`);
		const onward = request(url, { method, headers }, (given) => {
			answer.writeHead(given.statusCode ?? 502, given.headers);
			given.pipe(answer);
		});
		onward.on('error', () => answer.destroy());
		asking.pipe(onward);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}`, asked, server };
}

/** Runs Create and Wait with settings of n8n; returns what the proxy and what the service was asked for. */
async function runBehindProxy(line: Line, settings: (url: string) => NodeJS.ProcessEnv) {
	const { url, asked, server } = await startCompanyProxy();
	try {
		const world = await startWorld(line, settings(url), startN8n);
		try {
			const flow = chain(
				'Proxy',
				documentWorkflow(world, 'createAndWait', 'quick', { ...TEXT_ONLY, ...EARLY }),
			);
			expect((await world.client.runToEnd(flow)).status).toBe('success');
			const got = world.simulator.state.requests
				.all()
				.map(({ method, path }) => `${method} ${path}`);
			return { asked, got };
		} finally {
			await world.stop();
		}
	} finally {
		server.closeAllConnections();
		server.close();
	}
}

describe.each(['n8n-1', 'n8n-2'] as const)('A proxy on %s', (line) => {
	it('gets every request of the node', async () => {
		const { asked, got } = await runBehindProxy(line, (url) => ({ HTTP_PROXY: url }));
		expect(got.length).toBeGreaterThanOrEqual(3);
		expect(asked.filter((each) => each.includes('/api/'))).toEqual(got);
	});

	it('gets none for a host in NO_PROXY', async () => {
		const noProxy = (url: string) => ({ HTTP_PROXY: url, NO_PROXY: '127.0.0.1' });
		const { asked, got } = await runBehindProxy(line, noProxy);
		expect(got.length).toBeGreaterThanOrEqual(3);
		expect(asked).toEqual([]);
	});
});
