import { freePorts } from './ports';
import { HOST, serverFolder, startServer, firstOutput, type Server } from './server';

/** A running Redis without files; it ends with this process, however that ends. */
export interface Redis extends Server {
	host: string;
	port: number;
}

/** Starts Redis and waits until it answers. Raises Trouble when it is missing or does not start. */
export async function startRedis(): Promise<Redis> {
	const [port = 0] = await freePorts(1);
	const folder = serverFolder('redis');
	const server = await startServer({
		name: 'Redis',
		command: process.env.REDIS_PATH ?? 'redis-server',
		args: [
			'--bind',
			HOST,
			'--port',
			String(port),
			'--dir',
			folder,
			'--save',
			'',
			'--appendonly',
			'no',
		],
		folder,
		install:
			'Install it (Debian: "apt-get install redis-server") or set REDIS_PATH to the executable "redis-server".',
		isReady: async () => (await firstOutput(port, 'PING\r\n')).startsWith('+PONG'),
	});
	return { ...server, host: HOST, port };
}
