import { residentBytes } from './memory';
import type { N8n, N8nOptions } from './n8n';
import { prepareN8n, type Prepared } from './n8n-prepare';
import { appended, servesEditor } from './n8n-process';
import { restartable, type RestartableProcess } from './n8n-restartable';
import { n8nEnvironment, queueEnvironment } from './n8n-settings';
import { freePorts } from './ports';
import { startPostgres, type Postgres } from './postgres';
import { startRedis, type Redis } from './redis';

/**
 * n8n in queue mode: Redis, PostgreSQL, main, a webhook process and two workers, all on one user folder and database. The webhook process
 * alone serves production webhooks and the resume addresses of waiting executions. `main` is the main process; log and memory are
 * those of these four processes.
 */
export interface QueuedN8n extends N8n {
	webhook: RestartableProcess;
	/** A second webhook process at an address of its own, which a test starts when it needs one. */
	otherWebhook: { process: RestartableProcess; url: string };
	workers: [RestartableProcess, RestartableProcess];
}

type QueueOptions = Omit<N8nOptions, 'port'>;

/** Starts all processes. Needs log level info or debug, because on n8n 1 only the log says that a worker or webhook process is ready. */
export async function startQueue(options: QueueOptions): Promise<QueuedN8n> {
	const servers = await startServers();
	try {
		const prepared = await prepareN8n(options);
		try {
			return await startProcesses(options, prepared, servers);
		} catch (error) {
			prepared.remove();
			throw error;
		}
	} catch (error) {
		await servers.stop();
		throw error;
	}
}

interface Servers {
	redis: Redis;
	postgres: Postgres;
	stop: () => Promise<void>;
}

async function startServers(): Promise<Servers> {
	const redis = await startRedis();
	try {
		const postgres = await startPostgres();
		return {
			redis,
			postgres,
			stop: async () => void (await Promise.all([redis.stop(), postgres.stop()])),
		};
	} catch (error) {
		await redis.stop();
		throw error;
	}
}

async function startProcesses(
	options: QueueOptions,
	prepared: Prepared,
	servers: Servers,
): Promise<QueuedN8n> {
	const { line } = options;
	const [port = 0, webhookPort = 0, otherPort = 0, ...brokerPorts] = await freePorts(6);
	const [url, webhookUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${webhookPort}`];
	let log = '';
	const onOutput = (text: string) => {
		log = appended(log, text);
		options.onOutput?.(text);
	};
	const settings = { ...queueEnvironment(line, servers.redis, servers.postgres), ...options.env };
	const environment = (index: number) =>
		n8nEnvironment(
			line,
			process.env,
			prepared.userFolder,
			{ port, brokerPort: brokerPorts[index] ?? 0, webhookUrl },
			settings,
		);
	const worker = () => ({
		command: 'worker' as const,
		isReady: says('n8n worker is now ready'),
		onOutput,
	});
	const main = restartable(prepared, {
		command: 'start',
		env: environment(0),
		isReady: async () => servesEditor(url),
		onOutput,
	});
	const webhookAt = (at: number) =>
		restartable(prepared, {
			command: 'webhook',
			env: { ...environment(0), N8N_PORT: String(at) },
			isReady: says('Webhook listener waiting for requests'),
			onOutput,
		});
	const webhook = webhookAt(webhookPort);
	const otherWebhook = { process: webhookAt(otherPort), url: `http://127.0.0.1:${otherPort}` };
	const workers: [RestartableProcess, RestartableProcess] = [
		restartable(prepared, { ...worker(), env: environment(1) }),
		restartable(prepared, { ...worker(), env: environment(2) }),
	];

	const all = [main, webhook, otherWebhook.process, ...workers];
	const stopAll = async () => void (await Promise.all(all.map(async (each) => each.stop())));
	try {
		await main.start(); // first, because it creates the database
		await Promise.all([webhook, ...workers].map(async (each) => each.start()));
	} catch (error) {
		await stopAll();
		throw error;
	}
	return {
		...{
			line,
			url,
			webhookUrl,
			userFolder: prepared.userFolder,
			main,
			webhook,
			otherWebhook,
			workers,
		},
		log: () => log,
		memory: () =>
			[main, webhook, ...workers].reduce((sum, { pid }) => sum + residentBytes(pid()), 0),
		async stop(inspect) {
			await stopAll();
			try {
				await inspect?.({ ...prepared, log, postgres: servers.postgres });
			} finally {
				await servers.stop();
				prepared.remove();
			}
		},
	};
}

function says(text: string): (log: string) => Promise<boolean> {
	return async (log) => log.includes(text);
}
