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
	/** The user to run as, by default the one of this process. */
	owner?: Owner;
	/** A throw-away folder that goes when this process ends before the command. */
	removeAtEnd?: string;
	/** Everything the command writes, standard output and error in the order of arrival. */
	onOutput?: (text: string) => void;
}

/** A running command and the whole of its process group. */
export interface Leashed {
	/** The command's own process id, once it runs. */
	started: Promise<number>;
	ended: Promise<Ending>;
	/** Sends a signal to the whole process group. */
	signal: (signal: NodeJS.Signals) => void;
	/** SIGTERM, and SIGKILL after `patience` milliseconds; resolves when the command is gone. */
	stop: (patience?: number) => Promise<Ending>;
}

const message = z.union([
	z.object({ pid: z.number() }),
	z.object({ code: z.number().nullable(), signal: z.string().nullable() }),
	z.object({ error: z.string() }),
]);

/**
 * Starts a command that cannot outlive this process: a small process (leash.cjs) holds it and ends its whole group
 * when this process is gone, however it went.
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
		// 'close' comes after the last output; what the command left running may hold the pipes open, its group does not live on.
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
	started.catch(() => undefined); // whoever wants the process id hears of the failure; others learn it from `ended`

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

/** Runs a command to its end and returns how it ended and all it wrote. */
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
