import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from './ports';
import { HOST, serverFolder, startServer, firstOutput, type Server } from './server';

/** A running Redis that writes no files by itself; it ends with this process, however that ends. */
export interface Redis extends Server {
	host: string;
	port: number;
	/** All that it holds, in the form of its file. */
	content: () => Promise<string>;
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
	const content = async () => {
		for (const command of ['CONFIG SET rdbcompression no', 'SAVE'])
			if (!(await firstOutput(port, `${command}\r\n`)).startsWith('+OK'))
				throw new Error(`Redis refused ${command}`);
		return readFileSync(join(folder, 'dump.rdb'), 'latin1');
	};
	return { ...server, host: HOST, port, content };
}
