import type { Line } from './install';
import type { Postgres } from './postgres';
import type { Redis } from './redis';

const PREFIXES_OF_OTHERS =
	/^(N8N_|DB_|EXECUTIONS_|QUEUE_|WEBHOOK_|GENERIC_|NODE_ENV$|NODE_OPTIONS$|NODE_PATH$|JEST_|npm_)/i;
const PROXIES = /^(https?|all|no)_proxy$/i;

/** Settings that the other line warns about or rejects. */
const ofLine: Record<Line, (url: string) => NodeJS.ProcessEnv> = {
	'n8n-2': (url) => ({
		N8N_WEBHOOK_URL: url,
		N8N_DISABLED_MODULES: 'mcp-registry,instance-ai,otel', // downloads a list of servers at start; covers a part of the editor; can end pauses that fell due at a start, see docs/waiting.md
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	}),
	'n8n-1': (url) => ({
		WEBHOOK_URL: url,
		N8N_RUNNERS_ENABLED: 'true',
		DB_SQLITE_POOL_SIZE: '3', // the default of n8n 2; without it n8n 1 mixes up transactions of parallel requests, and may then reject all writes
	}),
};

export interface Addresses {
	port: number;
	brokerPort: number;
	/** The base URL of production webhooks and waiting executions, if not that of n8n itself. */
	webhookUrl?: string;
}

/**
 * The environment of a temporary n8n: without settings of the surrounding process, without proxy, and with each feature off that
 * calls a third-party server.
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
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem', // the default of n8n 2; n8n 1 keeps binary data in memory by default
		DB_PING_INTERVAL_SECONDS: '86400', // after a ping that took 5 s, as on a busy machine, n8n answers every call with 503
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

/** Further settings for all processes of queue mode. */
export function queueEnvironment(line: Line, redis: Redis, postgres: Postgres): NodeJS.ProcessEnv {
	return {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: redis.host,
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		DB_TYPE: 'postgresdb', // n8n requires it: with SQLite the processes block each other, and calls fail with "database is locked" after a second
		DB_POSTGRESDB_HOST: postgres.host,
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_USER: postgres.user,
		DB_POSTGRESDB_DATABASE: postgres.database,
		N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true', // only the webhook process serves /webhook and /webhook-waiting
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true', // running them in main is deprecated
		...(line === 'n8n-2' ? { N8N_DEFAULT_BINARY_DATA_MODE: 'database' } : {}), // the default of n8n 2 in queue mode
	};
}
