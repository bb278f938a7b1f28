import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installN8n, installNode, type Line } from './install';
import { residentBytes } from './memory';
import { n8nEnvironment } from './n8n-settings';
import { npm, newLog } from './npm';
import { freePorts } from './ports';
import { startLeashed, type Ending, type Leashed } from './processes';
import { silent, Trouble, type Report } from './report';

const START_TIMEOUT = 120_000; // milliseconds; 10 s on two idle cores
const LOG_LIMIT = 4_000_000; // characters of output kept
const LAST_LINES = 25;

export interface N8nOptions {
	line: Line;
	/** The packed package; installed as n8n's own installer of community packages does it. */
	packageTarball: string;
	/** A folder to keep, for instance to start again on the same data; without one it is thrown away at the end. */
	userFolder?: string;
	port?: number;
	/** Further settings, over those of n8n-settings.ts. */
	env?: NodeJS.ProcessEnv;
	onOutput?: (text: string) => void;
	/** Hears of installations. */
	report?: Report;
}

/** A running n8n of its own; it ends with this process, however that ends. */
export interface N8n {
	line: Line;
	url: string;
	userFolder: string;
	/** All n8n has written so far. */
	log: () => string;
	/** Resident memory of n8n's main process, in bytes. */
	memory: () => number;
	/** Process id of n8n's main process, which leads a group of its own. */
	pid: number;
	kill: (signal: NodeJS.Signals) => void;
	/** Ends n8n and removes its throw-away folder. */
	stop: () => Promise<void>;
	ended: Promise<Ending>;
}

/** Starts n8n with the package and waits until it answers (about 10 s). Raises Trouble with the last lines of its log. */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	const report = options.report ?? silent;
	const node = await installNode(report);
	const installation = await installN8n(options.line, report);
	const throwAway = options.userFolder === undefined;
	const userFolder = options.userFolder ?? (await mkdtemp(join(tmpdir(), 'document-workflow-n8n-')));
	const removeAtEnd = throwAway ? userFolder : undefined;
	const remove = () => {
		if (throwAway) rmSync(userFolder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
	};
	try {
		await installPackage(options.packageTarball, userFolder, removeAtEnd);
		const [freePort = 0, brokerPort = 0] = await freePorts(2);
		const port = options.port ?? freePort;
		let log = '';
		const n8n = startLeashed(node, [join(installation, 'node_modules', 'n8n', 'bin', 'n8n'), 'start'], {
			cwd: userFolder,
			env: n8nEnvironment(options.line, process.env, userFolder, { port, brokerPort }, options.env),
			removeAtEnd,
			onOutput: (text) => {
				log = (log + text).slice(-LOG_LIMIT);
				options.onOutput?.(text);
			},
		});
		const url = `http://127.0.0.1:${port}`;
		try {
			await ready(url, n8n, () => log);
		} catch (error) {
			await n8n.stop();
			throw error;
		}
		const pid = await n8n.started;
		return {
			line: options.line,
			url,
			userFolder,
			pid,
			log: () => log,
			memory: () => residentBytes(pid),
			kill: n8n.signal,
			ended: n8n.ended,
			async stop() {
				await n8n.stop();
				remove();
			},
		};
	} catch (error) {
		remove();
		throw error;
	}
}

/** Installs the tarball where n8n keeps community packages. It has no dependencies, so nothing is fetched. */
async function installPackage(tarball: string, userFolder: string, removeAtEnd: string | undefined): Promise<void> {
	const folder = join(userFolder, '.n8n', 'nodes');
	mkdirSync(folder, { recursive: true });
	const manifest = join(folder, 'package.json');
	if (!existsSync(manifest)) writeFileSync(manifest, JSON.stringify({ name: 'installed-nodes', private: true }));
	const log = newLog(join(userFolder, 'install-package.log'));
	const quick = ['--legacy-peer-deps', '--ignore-scripts', '--offline', '--no-audit', '--no-fund', '--no-package-lock'];
	await npm(['install', ...quick, tarball], folder, log, removeAtEnd);
}

/** `/healthz` answers too early, and every address answers 200 "n8n is starting up" for a while: only settings as JSON count. */
async function ready(url: string, n8n: Leashed, log: () => string): Promise<void> {
	let ending: Ending | undefined;
	void n8n.ended.then((value) => (ending = value));
	const deadline = Date.now() + START_TIMEOUT;
	while (Date.now() < deadline) {
		if (ending) {
			throw new Trouble(`n8n ended while starting (${describe(ending)}). Its last lines:\n${lastLines(log())}`, remedyFor(log()));
		}
		if (await answers(`${url}/rest/settings`)) return;
		await sleep(250);
	}
	throw new Trouble(`n8n did not answer within ${START_TIMEOUT / 1000} s. Its last lines:\n${lastLines(log())}`, 'Start again when the machine is less busy.');
}

async function answers(address: string): Promise<boolean> {
	try {
		const response = await fetch(address, { signal: AbortSignal.timeout(5000) });
		const settings: unknown = JSON.parse(await response.text());
		return response.status === 200 && settings !== null;
	} catch {
		return false;
	}
}

function describe({ code, signal, error }: Ending): string {
	return error ?? (signal ? `signal ${signal}` : `exit code ${code}`);
}

function remedyFor(log: string): string {
	if (/EADDRINUSE|port .* is already in use/i.test(log)) return 'A port is taken by another program: start again, or choose another port.';
	if (log.includes('ENOSPC')) return 'The disk is full: free some space and start again.';
	return 'The lines above are n8n\'s own.';
}

function lastLines(log: string): string {
	return log.trimEnd().split('\n').slice(-LAST_LINES).join('\n');
}
