import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from './ports';
import { startLeashed, type Ending } from './processes';
import { Trouble } from './report';

const START_TIMEOUT = 20_000; // milliseconds; well below a second on an idle machine
const HOST = '127.0.0.1';
const INSTALL = 'Install it (Debian: "apt-get install redis-server") or set REDIS_PATH to the executable "redis-server".';

/** A running Redis that keeps nothing on disk; it ends with this process, however that ends. */
export interface Redis {
	host: string;
	port: number;
	/** All Redis has written so far. */
	log: () => string;
	/** Ends Redis; what it held is gone. */
	stop: () => Promise<void>;
}

/** Starts Redis and waits until it answers. Raises Trouble when it is not installed or does not start. */
export async function startRedis(): Promise<Redis> {
	const [port = 0] = await freePorts(1);
	const folder = mkdtempSync(join(tmpdir(), 'document-workflow-redis-'));
	let log = '';
	const settings = ['--bind', HOST, '--port', String(port), '--dir', folder, '--save', '', '--appendonly', 'no'];
	const server = startLeashed(process.env.REDIS_PATH ?? 'redis-server', settings, {
		cwd: folder,
		removeAtEnd: folder,
		onOutput: (text) => (log += text),
	});
	const stop = async () => {
		await server.stop();
		rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
	};
	try {
		await ready(port, server.ended, () => log);
	} catch (error) {
		await stop();
		throw error;
	}
	return { host: HOST, port, log: () => log, stop };
}

async function ready(port: number, ended: Promise<Ending>, log: () => string): Promise<void> {
	let ending: Ending | undefined;
	void ended.then((value) => (ending = value));
	const deadline = Date.now() + START_TIMEOUT;
	while (Date.now() < deadline) {
		if (ending?.error?.includes('ENOENT')) throw new Trouble('Redis was not found.', INSTALL);
		if (ending) throw new Trouble(`Redis ended while starting:\n${ending.error ?? log().trim()}`, 'The lines above are its own.');
		if ((await answerToPing(port)).startsWith('+PONG')) return;
		await sleep(50);
	}
	throw new Trouble(`Redis did not answer within ${START_TIMEOUT / 1000} s:\n${log().trim()}`, 'Start again when the machine is less busy.');
}

/** What the server answers; nothing when nobody listens, or nothing came within a second. */
async function answerToPing(port: number): Promise<string> {
	return new Promise((resolve) => {
		const socket = connect(port, HOST, () => socket.write('PING\r\n'));
		const answer = (text: string) => {
			socket.destroy();
			resolve(text);
		};
		socket.setTimeout(1000, () => answer(''));
		socket.once('data', (data) => answer(data.toString('latin1')));
		socket.once('error', () => answer(''));
		socket.once('close', () => answer(''));
	});
}
