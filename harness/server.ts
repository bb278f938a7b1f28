import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLeashed, type Ending, type Owner } from './processes';
import { Trouble } from './report';

export const HOST = '127.0.0.1';
const START_TIMEOUT = 20_000; // milliseconds; well below a second on an idle machine

export interface ServerOptions {
	/** What people call it. */
	name: string;
	command: string;
	args: string[];
	/** Its working folder, with all that it writes; removed when it ends. */
	folder: string;
	/** Runs as this user; by default as the one of this process. */
	owner?: Owner;
	/** What to do when the command is not found. */
	install: string;
	/** Whether it serves by now, asked some times a second. */
	isReady: () => Promise<boolean>;
}

/** A running server that is not n8n; it ends with this process, however that ends. */
export interface Server {
	/** All it has written so far. */
	log: () => string;
	/** Ends it and removes its folder. */
	stop: () => Promise<void>;
}

/** Starts a server and waits until it is ready. Raises Trouble when it is not installed or does not start. */
export async function startServer({
	name,
	command,
	args,
	folder,
	owner,
	install,
	isReady,
}: ServerOptions): Promise<Server> {
	let log = '';
	const running = startLeashed(command, args, {
		cwd: folder,
		owner,
		removeAtEnd: folder,
		onOutput: (text) => (log += text),
	});
	const stop = async () => {
		await running.stop();
		rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
	};
	let ending: Ending | undefined;
	void running.ended.then((value) => (ending = value));
	const ready = async () => {
		const deadline = Date.now() + START_TIMEOUT;
		while (Date.now() < deadline) {
			if (ending?.error?.includes('ENOENT')) throw new Trouble(`${name} was not found.`, install);
			if (ending)
				throw new Trouble(
					`${name} ended while starting:\n${ending.error ?? log.trim()}`,
					'The lines above are its own.',
				);
			if (await isReady()) return;
			await sleep(50);
		}
		throw new Trouble(
			`${name} did not answer within ${START_TIMEOUT / 1000} s:\n${log.trim()}`,
			'Start again when the machine is less busy.',
		);
	};
	try {
		await ready();
	} catch (error) {
		await stop();
		throw error;
	}
	return { log: () => log, stop };
}

/** A throw-away folder for a server, which belongs to `owner`, if there is one. */
export function serverFolder(name: string, owner?: Owner): string {
	const folder = mkdtempSync(join(tmpdir(), `document-workflow-${name}-`));
	if (owner) chownSync(folder, owner.uid, owner.gid);
	return folder;
}

/** Who runs what refuses to run or to serve as root: for root the user nobody, else the user of this process. */
export function withoutRights(): Owner {
	const { uid, gid } = userInfo();
	return uid === 0 ? { uid: 65534, gid: 65534 } : { uid, gid };
}

/** What a server on a port of the loopback interface says first, or on being told something; nothing when nobody listens, or nothing came within a second. */
export async function wordsOf(port: number, told?: string): Promise<string> {
	return new Promise((resolve) => {
		const socket = connect(port, HOST, () => told !== undefined && socket.write(told));
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
