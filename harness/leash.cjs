/**
 * Runs one command in its own process group and ends the whole group when the parent process ends for any reason:
 * Ctrl-C, an error, `kill -9`. Plain JavaScript, so that it starts at once.
 *
 * node leash.cjs <settings as JSON: { command, args, owner?, removeAtEnd? }>, with an IPC channel to the parent.
 * Parent to leash: { signal }. Leash to parent: { pid }, then { code, signal } or { error }.
 */
const { spawn, spawnSync } = require('node:child_process');
const { rmSync } = require('node:fs');

const GRACE = 5000; // milliseconds a command has between SIGTERM and SIGKILL once the parent is gone
const windows = process.platform === 'win32';
const { command, args, owner, removeAtEnd } = JSON.parse(process.argv[2]);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

const child = spawn(command, args, {
	...owner,
	stdio: ['ignore', 'inherit', 'inherit'],
	detached: !windows,
	shell: windows && command.endsWith('.cmd'),
});
let ended = false;

function send(message) {
	if (process.connected) process.send(message, () => {});
}

function signalGroup(signal) {
	if (child.pid === undefined) return;
	if (windows) {
		spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
		return;
	}
	try {
		process.kill(-child.pid, signal);
	} catch (error) {
		if (error.code !== 'ESRCH') throw error;
	}
}

/** Ends what is left of the command's group, removes the temporary folder and exits. */
function finish() {
	signalGroup('SIGKILL');
	if (removeAtEnd && !process.connected)
		rmSync(removeAtEnd, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
	process.exit(0);
}

child.on('spawn', () => send({ pid: child.pid }));
child.on('error', (error) => {
	ended = true;
	send({ error: error.message });
	setTimeout(finish, 50);
});
child.on('exit', (code, signal) => {
	ended = true;
	send({ code, signal });
	setTimeout(finish, 50);
});

process.on('message', ({ signal }) => signalGroup(signal));
process.on('disconnect', () => {
	if (ended) return finish();
	signalGroup('SIGTERM');
	setTimeout(finish, GRACE);
});
