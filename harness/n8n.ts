import type { Line } from './install';
import { residentBytes } from './memory';
import { prepareN8n, type PrepareOptions, type Prepared } from './n8n-prepare';
import { servesEditor } from './n8n-process';
import { restartable, type RestartableProcess } from './n8n-restartable';
import { n8nEnvironment } from './n8n-settings';
import { freePorts } from './ports';
import type { Postgres } from './postgres';
import type { Redis } from './redis';

export interface N8nOptions extends PrepareOptions {
	port?: number;
	/** Overrides settings of n8n-settings.ts. */
	env?: NodeJS.ProcessEnv;
	onOutput?: (text: string) => void;
}

/** A running n8n; it ends with this process, however that ends. */
export interface N8n {
	line: Line;
	/** The base URL of the editor and n8n's REST interface. */
	url: string;
	/** The base URL of production webhooks and waiting executions: in queue mode the webhook process, else the same. */
	webhookUrl: string;
	userFolder: string;
	main: RestartableProcess;
	/** n8n's output so far. */
	log: () => string;
	/** Resident memory of n8n's main process, in bytes. */
	memory: () => number;
	/** Ends n8n and removes its folder if it is temporary; `inspect` may read what n8n has left before that. */
	stop: (inspect?: (remains: Remains) => Promise<void>) => Promise<void>;
}

/**
 * What an n8n has left when its processes have ended: its output, its user folder, its database, if that is not a file
 * there, and the Redis of its queue.
 */
export interface Remains extends Pick<Prepared, 'node' | 'program' | 'userFolder'> {
	log: string;
	postgres?: Postgres;
	redis?: Redis;
}

/** Starts n8n with the package and waits until it answers (about 10 s). Raises Trouble with the last lines of its log. */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	const { line, onOutput } = options;
	const prepared = await prepareN8n(options);
	const { userFolder, remove } = prepared;
	try {
		const [freePort = 0, brokerPort = 0] = await freePorts(2);
		const port = options.port ?? freePort;
		const url = `http://127.0.0.1:${port}`;
		const env = n8nEnvironment(line, process.env, userFolder, { port, brokerPort }, options.env);
		const main = restartable(prepared, {
			command: 'start',
			env,
			isReady: async () => servesEditor(url),
			onOutput,
		});
		await main.start();
		return {
			...{ line, url, webhookUrl: url, userFolder, main },
			log: main.log,
			memory: () => residentBytes(main.pid()),
			async stop(inspect) {
				await main.stop();
				try {
					await inspect?.({ ...prepared, log: main.log() });
				} finally {
					remove();
				}
			},
		};
	} catch (error) {
		remove();
		throw error;
	}
}
