import type { Line } from './install';
import type { Postgres } from './postgres';
import type { Redis } from './redis';

const PREFIXES_OF_OTHERS =
	/^(N8N_|DB_|EXECUTIONS_|QUEUE_|WEBHOOK_|GENERIC_|NODE_ENV$|NODE_OPTIONS$|NODE_PATH$|JEST_|npm_)/i;
const PROXIES = /^(https?|all|no)_proxy$/i;

/** What one line knows and the other warns of or refuses. */
const ofLine: Record<Line, (url: string) => NodeJS.ProcessEnv> = {
	'n8n-2': (url) => ({
		N8N_WEBHOOK_URL: url,
		N8N_DISABLED_MODULES: 'mcp-registry,instance-ai', // the one fetches a list of servers at start, the other covers a part of the editor
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	}),
	'n8n-1': (url) => ({
		WEBHOOK_URL: url,
		N8N_RUNNERS_ENABLED: 'true',
		DB_SQLITE_POOL_SIZE: '3', // the default of the 2 line; without it n8n 1 mixes up the transactions of parallel requests, and may then refuse all that write
	}),
};

export interface Addresses {
	port: number;
	brokerPort: number;
	/** Where production webhooks and waiting executions are called, if not at n8n's own address. */
	webhookUrl?: string;
}

/**
 * The environment of a throw-away n8n: nothing of the surrounding process that would steer it, no proxy, and every
 * feature off that calls a server of somebody else.
 */
export function n8nEnvironment(
	line: Line,
	surrounding: NodeJS.ProcessEnv,
	userFolder: string,
	{ port, brokerPort, webhookUrl }: Addresses,
	extra: NodeJS.ProcessEnv = {},
): NodeJS.ProcessEnv {
	const url = `http://127.0.0.1:${port}`;
	const inherited = Object.entries(surrounding).filter(
		([name]) => !PREFIXES_OF_OTHERS.test(name) && !PROXIES.test(name),
	);
	return {
		...Object.fromEntries(inherited),
		N8N_USER_FOLDER: userFolder,
		N8N_ENCRYPTION_KEY: 'a throw-away instance keeps nothing',
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'false',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_EDITOR_BASE_URL: url,
		N8N_SECURE_COOKIE: 'false', // plain HTTP
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1',
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem', // the default of the 2 line; the 1 line keeps binary data in memory
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		N8N_HIDE_USAGE_PAGE: 'true',
		...ofLine[line](webhookUrl ?? url),
		...extra,
	};
}

/** What the processes of a queue have in common, over n8nEnvironment. */
export function queueEnvironment(line: Line, redis: Redis, postgres: Postgres): NodeJS.ProcessEnv {
	return {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: redis.host,
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		DB_TYPE: 'postgresdb', // as n8n demands: with SQLite the processes wait for each other, and after a second a call fails as "database is locked"
		DB_POSTGRESDB_HOST: postgres.host,
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_USER: postgres.user,
		DB_POSTGRESDB_DATABASE: postgres.database,
		N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true', // the webhook process alone serves /webhook and /webhook-waiting
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true', // n8n deprecates running them in main
		...(line === 'n8n-2' ? { N8N_DEFAULT_BINARY_DATA_MODE: 'database' } : {}), // the default of the 2 line in queue mode
	};
}
