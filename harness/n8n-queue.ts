import { residentBytes } from './memory';
import type { N8n, N8nOptions } from './n8n';
import { prepareN8n, type Prepared } from './n8n-prepare';
import { appended, servesEditor } from './n8n-process';
import { restartable, type RestartableProcess } from './n8n-restartable';
import { n8nEnvironment, queueEnvironment } from './n8n-settings';
import { freePorts } from './ports';
import { startPostgres, type Postgres } from './postgres';
import { startProxy } from './proxy';
import { startRedis, type Redis } from './redis';

/**
 * n8n in queue mode: Redis, PostgreSQL, main, webhook processes and workers on one database. The webhook processes alone serve production
 * webhooks and the resume addresses of waiting executions. `main` is the main process; log and memory are those of all processes.
 */
export interface QueuedN8n extends N8n {
	webhook: WebhookProcess;
	/** Without a balancer it does not run, and a test starts it when it needs one. */
	otherWebhook: WebhookProcess;
	workers: [Worker, Worker, ...Worker[]];
	/** All processes that run from the beginning. */
	processes: RestartableProcess[];
}

/** A webhook process at an address of its own. */
export interface WebhookProcess extends RestartableProcess {
	url: string;
}

export interface Worker extends RestartableProcess {
	userFolder: string;
}

export interface Layout {
	/** At least two. */
	workers: number;
	/** Each process has a user folder of its own, as on a machine of its own. */
	hasOwnFolders: boolean;
	/** Both webhook processes run from the beginning, behind a balancer. */
	isBalanced: boolean;
}

/** A webhook process and two workers, all on one user folder. */
const SMALL: Layout = { workers: 2, hasOwnFolders: false, isBalanced: false };
/** As people run it on several machines. */
export const DEPLOYED: Layout = { workers: 3, hasOwnFolders: true, isBalanced: true };

const WEBHOOK_PROCESSES = 2;

type QueueOptions = Omit<N8nOptions, 'port'>;

/** Starts all processes. Needs log level info or debug, because on n8n 1 only the log says that a worker or webhook process is ready. */
export async function startQueue(options: QueueOptions, layout = SMALL): Promise<QueuedN8n> {
	const servers = await startServers();
	try {
		const folders = await prepareFolders(options, layout);
		try {
			return await startProcesses(options, layout, folders, servers);
		} catch (error) {
			folders.remove();
			throw error;
		}
	} catch (error) {
		await servers.stop();
		throw error;
	}
}

/** User folders with the package. */
interface Folders {
	main: Prepared;
	/** For another process: the folder of main, or a further one. */
	next: () => Prepared;
	remove: () => void;
}

async function prepareFolders(options: QueueOptions, layout: Layout): Promise<Folders> {
	const main = await prepareN8n(options);
	const others: Prepared[] = [];
	const remove = () => [main, ...others].forEach((each) => each.remove());
	try {
		const further = layout.hasOwnFolders ? layout.workers + WEBHOOK_PROCESSES : 0;
		while (others.length < further) others.push(await prepareN8n(options));
	} catch (error) {
		remove();
		throw error;
	}
	const left = [...others];
	return { main, next: () => left.shift() ?? main, remove };
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
	layout: Layout,
	folders: Folders,
	servers: Servers,
): Promise<QueuedN8n> {
	const { line } = options;
	const [port = 0, webhookPort = 0, otherPort = 0, brokerPort = 0, ...brokerPorts] =
		await freePorts(4 + layout.workers);
	const url = addressOf(port);
	const webhookUrls = [webhookPort, otherPort].map(addressOf);
	const balancer = layout.isBalanced ? await startProxy(webhookUrls) : undefined;
	const webhookUrl = balancer?.url ?? addressOf(webhookPort);
	let log = '';
	const onOutput = (text: string) => {
		log = appended(log, text);
		options.onOutput?.(text);
	};
	const settings = { ...queueEnvironment(line, servers.redis, servers.postgres), ...options.env };
	const environment = ({ userFolder }: Prepared, broker = brokerPort) =>
		n8nEnvironment(
			line,
			process.env,
			userFolder,
			{ port, brokerPort: broker, webhookUrl },
			settings,
		);
	const main = restartable(folders.main, {
		command: 'start',
		env: environment(folders.main),
		isReady: async () => servesEditor(url),
		onOutput,
	});
	const webhookAt = (at: number): WebhookProcess => {
		const prepared = folders.next();
		const env = { ...environment(prepared), N8N_PORT: String(at) };
		const isReady = says('Webhook listener waiting for requests');
		const started = restartable(prepared, { command: 'webhook', env, isReady, onOutput });
		return { ...started, url: addressOf(at) };
	};
	const workerAt = (broker: number | undefined): Worker => {
		const prepared = folders.next();
		const env = environment(prepared, broker);
		const isReady = says('n8n worker is now ready');
		const started = restartable(prepared, { command: 'worker', env, isReady, onOutput });
		return { ...started, userFolder: prepared.userFolder };
	};
	const [webhook, otherWebhook] = [webhookAt(webhookPort), webhookAt(otherPort)];
	const [first, second, ...more] = brokerPorts;
	const workers: QueuedN8n['workers'] = [workerAt(first), workerAt(second), ...more.map(workerAt)];

	const others = [webhook, ...(balancer ? [otherWebhook] : []), ...workers];
	const processes = [main, ...others];
	const stopAll = async () => {
		await Promise.all([...new Set([...processes, otherWebhook])].map(async (each) => each.stop()));
		await balancer?.stop();
	};
	try {
		await main.start(); // first, because it creates the database
		await Promise.all(others.map(async (each) => each.start()));
	} catch (error) {
		await stopAll();
		throw error;
	}
	const { userFolder } = folders.main;
	return {
		...{ line, url, webhookUrl, userFolder, main, webhook, otherWebhook, workers, processes },
		log: () => log,
		memory: () => processes.reduce((sum, { pid }) => sum + residentBytes(pid()), 0),
		async stop(inspect) {
			await stopAll();
			try {
				await inspect?.({
					...{ ...folders.main, log },
					...{ postgres: servers.postgres, redis: servers.redis },
				});
			} finally {
				await servers.stop();
				folders.remove();
			}
		},
	};
}

const addressOf = (port: number) => `http://127.0.0.1:${port}`;

function says(text: string): (log: string) => Promise<boolean> {
	return async (log) => log.includes(text);
}
