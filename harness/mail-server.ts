import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	DOVECOT_INSTALL,
	dovecotConfiguration,
	dovecotPath,
	passwordLine,
	type Account,
} from './dovecot';
import { freePorts } from './ports';
import { HOST, serverFolder, startServer, unprivileged, firstOutput, type Server } from './server';

/** A running IMAP server with one account and its INBOX; it ends with this process, however that ends. */
export interface MailServer extends Account, Server {
	host: string;
	/** IMAP without TLS. */
	port: number;
	/** Delivers a mail into the INBOX as a mail transfer agent does; waiting clients are notified at once. */
	deliver: (mail: Uint8Array) => void;
	/** How many mails of the INBOX are not marked as read. */
	unread: () => number;
}

/** Starts Dovecot and waits until it answers. Raises Trouble when it is missing or does not start. */
export async function startMailServer(): Promise<MailServer> {
	const executable = await dovecotPath();
	const [port = 0] = await freePorts(1);
	const account = { user: 'intake@example.com', password: randomBytes(12).toString('hex') };
	const folder = prepareFolder(port, account);
	const server = await startServer({
		name: 'Dovecot',
		command: executable,
		args: ['-F', '-c', join(folder, 'dovecot.conf')],
		folder,
		install: DOVECOT_INSTALL,
		isReady: async () => (await firstOutput(port)).startsWith('* OK'),
	});
	return {
		...server,
		...account,
		host: HOST,
		port,
		deliver: (mail) => deliver(join(folder, 'Maildir'), mail),
		unread: () =>
			['new', 'cur']
				.flatMap((part) => readdirSync(join(folder, 'Maildir', part)))
				.filter((name) => !/,[A-Z]*S/.test(name)).length,
	};
}

/** A folder with the configuration, the password file and an empty mailbox. */
function prepareFolder(port: number, account: Account): string {
	const owner = unprivileged(); // Dovecot refuses to serve the mails of root
	const folder = serverFolder('mail', owner);
	const { uid, gid } = owner;
	writeFileSync(join(folder, 'dovecot.conf'), dovecotConfiguration(folder, port), { mode: 0o600 });
	writeFileSync(join(folder, 'passwords'), passwordLine(account), { mode: 0o644 });
	chmodSync(folder, 0o711); // root's Dovecot reads the password file as a user of its own
	for (const part of ['Maildir', 'Maildir/new', 'Maildir/cur', 'Maildir/tmp']) {
		mkdirSync(join(folder, part));
		chownSync(join(folder, part), uid, gid);
	}
	return folder;
}

/** Writes beside the mailbox and then moves, so that no client reads an incomplete mail. */
function deliver(maildir: string, mail: Uint8Array): void {
	const name = `${Date.now()}.${randomUUID()}.localhost`;
	const { uid, gid } = unprivileged();
	writeFileSync(join(maildir, 'tmp', name), mail);
	chownSync(join(maildir, 'tmp', name), uid, gid);
	renameSync(join(maildir, 'tmp', name), join(maildir, 'new', name));
}
