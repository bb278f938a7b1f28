import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Above the ports that browsers refuse, and below those of outgoing connections, which could take one while its server restarts. */
const [FIRST, BEHIND] = [10_100, 32_000];

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
	const ports = new Set<number>();
	while (ports.size < count) {
		const port = randomInt(FIRST, BEHIND);
		if (await isFree(port)) ports.add(port);
	}
	return [...ports];
}
