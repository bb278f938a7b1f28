import type { Prepared } from './n8n-prepare';
import { appended, startProcess, type N8nProcess, type ProcessOptions } from './n8n-process';

const SHUTDOWN_PATIENCE = 40_000; // milliseconds; n8n gives what is running 30 s

/** One of n8n's processes, which a test may end and start again. */
export interface RestartableProcess {
	/** All it has written so far, before earlier ends too. */
	log: () => string;
	/** Process id of what runs now, or ran last; it leads a group of its own. */
	pid: () => number;
	/** Ends it at once, as a crash does; with SIGTERM it may finish what it is doing, as in a deployment. Resolves when it is gone. */
	end: (signal?: 'SIGKILL' | 'SIGTERM') => Promise<void>;
	/** Starts it, again at the same address, and waits until it is ready. */
	start: () => Promise<void>;
	/** Ends it for good, also while it is still starting. */
	stop: () => Promise<void>;
}

/** A process of n8n that has not been started yet. */
export function restartable(prepared: Prepared, options: ProcessOptions): RestartableProcess {
	let log = '';
	let starting: Promise<N8nProcess> | undefined;
	let latest: N8nProcess | undefined;
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
		async start() {
			starting = startProcess(prepared, { ...options, onOutput });
			latest = await starting;
		},
		async end(signal = 'SIGKILL') {
			if (signal === 'SIGTERM') return void (await current().stop(SHUTDOWN_PATIENCE));
			current().signal(signal);
			await current().ended;
		},
		async stop() {
			const process = await starting?.catch(() => undefined);
			await process?.stop();
		},
	};
}
