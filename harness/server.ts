import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLeashed, type Ending, type Owner } from './processes';
import { Trouble } from './report';

export const HOST = '127.0.0.1';
const START_TIMEOUT = 20_000; // milliseconds; less than a second on an idle machine

export interface ServerOptions {
	/** The name in messages. */
	name: string;
	command: string;
	args: string[];
	/** Its working folder with all its files; removed when it ends. */
	folder: string;
	/** The user to run as, by default that of this process. */
	owner?: Owner;
	/** What to do when the command is not found. */
	install: string;
	/** Whether it is ready, called 20 times a second. */
	isReady: () => Promise<boolean>;
}

/** A running server other than n8n; it ends with this process, however that ends. */
export interface Server {
	/** Its output so far. */
	log: () => string;
	/** Ends it and removes its folder. */
	stop: () => Promise<void>;
}

/** Starts a server and waits until it is ready. Raises Trouble when it is missing or does not start. */
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

/** A temporary folder for a server, owned by `owner` if given. */
export function serverFolder(name: string, owner?: Owner): string {
	const folder = mkdtempSync(join(tmpdir(), `document-workflow-${name}-`));
	if (owner) chownSync(folder, owner.uid, owner.gid);
	return folder;
}

/** The user for servers that refuse to run as root: for root the user nobody, else the user of this process. */
export function unprivileged(): Owner {
	const { uid, gid } = userInfo();
	return uid === 0 ? { uid: 65534, gid: 65534 } : { uid, gid };
}

/** The first output of a server on a loopback port, after `input` if given; empty when there is none within a second. */
export async function firstOutput(port: number, input?: string): Promise<string> {
	return new Promise((resolve) => {
		const socket = connect(port, HOST, () => input !== undefined && socket.write(input));
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
