import { setTimeout as sleep } from 'node:timers/promises';
import type { Prepared } from './n8n-prepare';
import { startLeashed, type Ending, type Leashed } from './processes';
import { Trouble } from './report';

const START_TIMEOUT = 600_000; // milliseconds; 10 s on two idle cores, and some tests delay it by 190 s
const LOG_LIMIT = 4_000_000; // characters of output kept
const LAST_LINES = 25;

export interface ProcessOptions {
	command: 'start' | 'webhook' | 'worker';
	env: NodeJS.ProcessEnv;
	/** Whether the process is ready, called four times a second. */
	isReady: (log: string) => Promise<boolean>;
	onOutput?: (text: string) => void;
	/** Called at once, before it is ready. */
	onLaunch?: (launched: Pick<Leashed, 'ended' | 'signal'>) => void;
}

/** One running process of n8n. */
export interface N8nProcess extends Pick<Leashed, 'ended' | 'signal' | 'stop'> {
	/** Process id; the process has its own process group. */
	pid: number;
	/** Its output so far. */
	log: () => string;
}

/** Starts a command of n8n and waits until it is ready. Raises Trouble with the last lines of its log. */
export async function startProcess(
	prepared: Prepared,
	{ command, env, isReady, onOutput, onLaunch }: ProcessOptions,
): Promise<N8nProcess> {
	let log = '';
	const { ended, signal, started, stop } = startLeashed(
		prepared.node,
		[prepared.program, command],
		{
			cwd: prepared.userFolder,
			env,
			removeAtEnd: prepared.removeAtEnd,
			onOutput: (text) => {
				log = appended(log, text);
				onOutput?.(text);
			},
		},
	);
	onLaunch?.({ ended, signal });
	try {
		await untilReady(ended, () => log, isReady);
	} catch (error) {
		await stop();
		throw error;
	}
	return { pid: await started, log: () => log, ended, signal, stop };
}

async function untilReady(
	ended: Promise<Ending>,
	log: () => string,
	isReady: ProcessOptions['isReady'],
): Promise<void> {
	let ending: Ending | undefined;
	void ended.then((value) => (ending = value));
	const deadline = Date.now() + START_TIMEOUT;
	while (Date.now() < deadline) {
		if (ending) {
			throw new Trouble(
				`n8n ended while starting (${describe(ending)}). Its last lines:\n${lastLines(log())}`,
				remedyFor(log()),
			);
		}
		if (await isReady(log())) return;
		await sleep(250);
	}
	throw new Trouble(
		`n8n did not answer within ${START_TIMEOUT / 1000} s. Its last lines:\n${lastLines(log())}`,
		'Start again when the machine is less busy.',
	);
}

/** Appends to a log and drops its oldest part beyond the limit. */
export function appended(log: string, text: string): string {
	return (log + text).slice(-LOG_LIMIT);
}

/** `/healthz` answers too early, and each address answers 200 "n8n is starting up" for a while, so only settings as JSON count. */
export async function servesEditor(url: string): Promise<boolean> {
	try {
		const response = await fetch(`${url}/rest/settings`, { signal: AbortSignal.timeout(5000) });
		const settings: unknown = JSON.parse(await response.text());
		return response.status === 200 && settings !== null;
	} catch {
		return false;
	}
}

/** Waits for an n8n that somebody else has started: n8n 1 calls itself ready up to 30 s before it serves its REST interface. */
export async function untilServed(
	url: string,
	{ tries, milliseconds } = { tries: 60, milliseconds: 1_000 },
): Promise<void> {
	for (let left = tries; left > 0; left--) {
		if (await servesEditor(url)) return;
		await sleep(milliseconds);
	}
	throw new Trouble(
		`There is no n8n at ${url} that answers.`,
		'Check the address in a browser, and start again when n8n has started.',
	);
}

function describe({ code, signal, error }: Ending): string {
	return error ?? (signal ? `signal ${signal}` : `exit code ${code}`);
}

function remedyFor(log: string): string {
	if (/EADDRINUSE|port .* is already in use/i.test(log))
		return 'A port is taken by another program: start again, or choose another port.';
	if (log.includes('ENOSPC')) return 'The disk is full: free some space and start again.';
	return "The lines above are n8n's own.";
}

function lastLines(log: string): string {
	return log.trimEnd().split('\n').slice(-LAST_LINES).join('\n');
}
