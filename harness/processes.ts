import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';

/** How a command ended: its exit code, or the signal that ended it, or why it could not be started. */
export interface Ending {
	code: number | null;
	signal: string | null;
	error?: string;
}

/** A user and its group, by number. */
export interface Owner {
	uid: number;
	gid: number;
}

export interface LeashedOptions {
	cwd?: string;
	env?: NodeJS.ProcessEnv;
	/** The user to run as, by default that of this process. */
	owner?: Owner;
	/** A temporary folder that is removed when this process ends before the command. */
	removeAtEnd?: string;
	/** Called with standard output and standard error, in order of arrival. */
	onOutput?: (text: string) => void;
}

/** A running command with its process group. */
export interface Leashed {
	/** The command's own process id, once it runs. */
	started: Promise<number>;
	ended: Promise<Ending>;
	/** Sends a signal to the whole process group. */
	signal: (signal: NodeJS.Signals) => void;
	/** Sends SIGTERM, and SIGKILL after `patience` milliseconds; resolves when the command is gone. */
	stop: (patience?: number) => Promise<Ending>;
}

const message = z.union([
	z.object({ pid: z.number() }),
	z.object({ code: z.number().nullable(), signal: z.string().nullable() }),
	z.object({ error: z.string() }),
]);

/**
 * Starts a command that cannot outlive this process: a small process (leash.cjs) starts it and ends its whole group
 * when this process ends for any reason.
 */
export function startLeashed(
	command: string,
	args: string[],
	options: LeashedOptions = {},
): Leashed {
	const settings = JSON.stringify({
		command,
		args,
		owner: options.owner,
		removeAtEnd: options.removeAtEnd,
	});
	const leash = spawn(process.execPath, [join(__dirname, 'leash.cjs'), settings], {
		cwd: options.cwd,
		env: options.env ?? process.env,
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
		detached: process.platform !== 'win32',
	});
	for (const stream of [leash.stdout, leash.stderr]) {
		stream?.setEncoding('utf8').on('data', (text: string) => options.onOutput?.(text));
	}

	const ended = new Promise<Ending>((resolve) => {
		let ending: Ending | undefined;
		leash.on('message', (raw) => {
			const parsed = message.parse(raw);
			if ('code' in parsed) ending = parsed;
			if ('error' in parsed) ending = { code: null, signal: null, error: parsed.error };
		});
		// 'close' comes after the last output: leash.cjs ends what the command left running, which might hold the pipes open.
		leash.on('close', () => resolve(ending ?? { code: null, signal: 'SIGKILL' }));
		leash.on('error', (error) => resolve({ code: null, signal: null, error: error.message }));
	});
	const started = new Promise<number>((resolve, reject) => {
		leash.on('message', (raw) => {
			const parsed = message.parse(raw);
			if ('pid' in parsed) resolve(parsed.pid);
		});
		void ended.then((ending) =>
			reject(new Error(ending.error ?? `${command} ended before it had started`)),
		);
	});
	started.catch(() => undefined); // callers that do not await `started` get the failure from `ended`

	const signal = (name: NodeJS.Signals) => {
		if (leash.connected) leash.send({ signal: name }, () => undefined);
	};
	return {
		started,
		ended,
		signal,
		async stop(patience = 5000) {
			signal('SIGTERM');
			const force = setTimeout(() => signal('SIGKILL'), patience);
			const ending = await ended;
			clearTimeout(force);
			return ending;
		},
	};
}

/** Runs a command to its end; returns how it ended and its output. */
export async function runLeashed(
	command: string,
	args: string[],
	options: LeashedOptions = {},
): Promise<Ending & { output: string }> {
	let output = '';
	const running = startLeashed(command, args, {
		...options,
		onOutput: (text) => {
			output += text;
			options.onOutput?.(text);
		},
	});
	return { ...(await running.ended), output };
}
