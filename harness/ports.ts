import { createServer } from 'node:net';

/** Whether a port of the loopback interface is free. */
export async function isFree(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}

/** Finds different free ports of the loopback interface. */
export async function freePorts(count: number): Promise<number[]> {
	const servers = await Promise.all(
		Array.from({ length: count }, async () => {
			const server = createServer();
			await new Promise<void>((resolve, reject) => {
				server.once('error', reject);
				server.listen(0, '127.0.0.1', resolve);
			});
			return server;
		}),
	);
	const ports = servers.map((server) => {
		const address = server.address();
		return typeof address === 'object' && address ? address.port : 0;
	});
	await Promise.all(servers.map(async (server) => new Promise((resolve) => server.close(resolve))));
	return ports;
}
