import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { runLeashed } from './processes';
import { Trouble } from './report';
import { unprivileged } from './server';

const CANDIDATES = ['/usr/sbin/dovecot', '/usr/local/sbin/dovecot', '/opt/homebrew/sbin/dovecot'];
export const DOVECOT_INSTALL =
	'Install it (Debian: "apt-get install dovecot-imapd") or set DOVECOT_PATH to the executable "dovecot".';

/** The executable of Dovecot 2.3. Raises Trouble when it is missing. */
export async function dovecotPath(): Promise<string> {
	const named = process.env.DOVECOT_PATH;
	const found = (named ? [named] : CANDIDATES).find((path) => existsSync(path));
	if (!found)
		throw new Trouble(
			named
				? `There is no Dovecot at DOVECOT_PATH (${named}).`
				: 'The mail server Dovecot was not found.',
			DOVECOT_INSTALL,
		);
	const { output, error } = await runLeashed(found, ['--version']);
	if (output.startsWith('2.3.')) return found;
	throw new Trouble(
		`${found} is not Dovecot 2.3: ${(error ?? output).trim()}`,
		'Later versions have another configuration. Install Dovecot 2.3, as Debian 12 has it.',
	);
}

export interface Account {
	user: string;
	password: string;
}

/** The line of the password file for an account. */
export function passwordLine({ user, password }: Account): string {
	return `${user}:{PLAIN}${password}\n`;
}

/**
 * A complete configuration: IMAP without TLS on a port of the loopback interface, with all files in one folder.
 * As root, Dovecot's own unprivileged users serve the logins; as another user, that user serves everything.
 */
export function dovecotConfiguration(folder: string, port: number): string {
	const { uid, gid } = unprivileged();
	return `
base_dir = ${join(folder, 'run')}
state_dir = ${join(folder, 'state')}
log_path = /dev/stderr
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login
first_valid_uid = 1
mail_location = maildir:${join(folder, 'Maildir')}
passdb {
  driver = passwd-file
  args = ${join(folder, 'passwords')}
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${folder}
}
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
${userInfo().uid === 0 ? '' : withoutRoot()}`;
}

/** Everything as this user, without chroot, which only root may use. */
function withoutRoot(): string {
	const { username } = userInfo();
	const group = execFileSync('id', ['-gn'], { encoding: 'utf8' }).trim();
	return `
default_internal_user = ${username}
default_internal_group = ${group}
default_login_user = ${username}
service anvil {
  chroot =
}
service imap-login {
  chroot =
}
`;
}
