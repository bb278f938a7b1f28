import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dovecotConfiguration, dovecotPath, mailOwner, passwordLine, type Account } from './dovecot';
import { freePorts } from './ports';
import { startLeashed, type Ending } from './processes';
import { Trouble } from './report';

const START_TIMEOUT = 20_000; // milliseconds; well below a second on an idle machine
const HOST = '127.0.0.1';

/** A running IMAP server with one account and its INBOX; it ends with this process, however that ends. */
export interface MailServer extends Account {
	host: string;
	/** IMAP without TLS. */
	port: number;
	/** Puts a mail into the INBOX as a mail transfer agent does; a client that is waiting hears of it at once. */
	deliver: (mail: Uint8Array) => void;
	/** All Dovecot has written so far. */
	log: () => string;
	/** Ends the server and removes its mails. */
	stop: () => Promise<void>;
}

/** Starts Dovecot and waits until it greets. Raises Trouble when it is not installed or does not start. */
export async function startMailServer(): Promise<MailServer> {
	const executable = await dovecotPath();
	const [port = 0] = await freePorts(1);
	const account = { user: 'intake@example.com', password: randomBytes(12).toString('hex') };
	const folder = prepareFolder(port, account);
	let log = '';
	const server = startLeashed(executable, ['-F', '-c', join(folder, 'dovecot.conf')], {
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
	return { ...account, host: HOST, port, deliver: (mail) => deliver(join(folder, 'Maildir'), mail), log: () => log, stop };
}

/** A folder with the configuration, the password file and an empty mailbox. */
function prepareFolder(port: number, account: Account): string {
	const folder = mkdtempSync(join(tmpdir(), 'document-workflow-mail-'));
	const { uid, gid } = mailOwner();
	writeFileSync(join(folder, 'dovecot.conf'), dovecotConfiguration(folder, port), { mode: 0o600 });
	writeFileSync(join(folder, 'passwords'), passwordLine(account), { mode: 0o644 });
	chownSync(folder, uid, gid);
	chmodSync(folder, 0o711); // root's Dovecot reads the password file as a user of its own
	for (const part of ['Maildir', 'Maildir/new', 'Maildir/cur', 'Maildir/tmp']) {
		mkdirSync(join(folder, part));
		chownSync(join(folder, part), uid, gid);
	}
	return folder;
}

/** Written beside the mailbox and then moved into it, so that nobody sees half of a mail. */
function deliver(maildir: string, mail: Uint8Array): void {
	const name = `${Date.now()}.${randomUUID()}.localhost`;
	const { uid, gid } = mailOwner();
	writeFileSync(join(maildir, 'tmp', name), mail);
	chownSync(join(maildir, 'tmp', name), uid, gid);
	renameSync(join(maildir, 'tmp', name), join(maildir, 'new', name));
}

async function ready(port: number, ended: Promise<Ending>, log: () => string): Promise<void> {
	let over = false;
	void ended.then(() => (over = true));
	const deadline = Date.now() + START_TIMEOUT;
	while (Date.now() < deadline) {
		if (over) throw new Trouble(`Dovecot ended while starting:\n${log().trim()}`, 'The lines above are its own.');
		if ((await greeting(port)).startsWith('* OK')) return;
		await sleep(50);
	}
	throw new Trouble(`Dovecot did not answer within ${START_TIMEOUT / 1000} s:\n${log().trim()}`, 'Start again when the machine is less busy.');
}

/** What the server says first; nothing when nobody listens, or nothing came within a second. */
async function greeting(port: number): Promise<string> {
	return new Promise((resolve) => {
		const socket = connect(port, HOST);
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
