import { setTimeout as sleep } from 'node:timers/promises';
import type { Prepared } from './n8n-prepare';
import { appended, startProcess, type N8nProcess, type ProcessOptions } from './n8n-process';

type Launched = Pick<N8nProcess, 'ended' | 'signal'>;

const SHUTDOWN_PATIENCE = 40_000; // milliseconds; n8n waits 30 s for running executions

/** A process of n8n that a test can end and start again. */
export interface RestartableProcess {
	/** Its output so far, including that of earlier starts. */
	log: () => string;
	/** The process id of the current or last start; the process has its own process group. */
	pid: () => number;
	/** SIGKILL, the default, is a crash, also while it starts; with SIGTERM it finishes its work, as in a deployment. Resolves when it is gone. */
	end: (signal?: 'SIGKILL' | 'SIGTERM') => Promise<void>;
	/** Starts it, always at the same address, and waits until it is ready. With a delay the process stands still for so many milliseconds first. */
	start: (delay?: number) => Promise<void>;
	/** Ends it, also while it is starting. */
	stop: () => Promise<void>;
}

/** A process of n8n, not yet started. */
export function restartable(prepared: Prepared, options: ProcessOptions): RestartableProcess {
	let log = '';
	let starting: Promise<N8nProcess> | undefined;
	let latest: N8nProcess | undefined;
	let launched: Launched | undefined;
	const onOutput = (text: string) => {
		log = appended(log, text);
		options.onOutput?.(text);
	};
	const current = () => {
		if (!latest) throw new Error(`n8n's process "${options.command}" has not been started`);
		return latest;
	};
	return {
		log: () => log,
		pid: () => current().pid,
		async start(delay = 0) {
			const onLaunch = (process: Launched) => {
				launched = process;
				if (delay > 0) void standStill(process, delay);
			};
			starting = startProcess(prepared, { ...options, onOutput, onLaunch });
			latest = await starting;
		},
		async end(signal = 'SIGKILL') {
			if (signal === 'SIGTERM') return void (await current().stop(SHUTDOWN_PATIENCE));
			launched?.signal(signal);
			await launched?.ended;
		},
		async stop() {
			const process = await starting?.catch(() => undefined);
			await process?.stop();
		},
	};
}

async function standStill(process: Launched, milliseconds: number): Promise<void> {
	await sleep(500); // until it has begun
	process.signal('SIGSTOP');
	await sleep(milliseconds);
	process.signal('SIGCONT');
}
