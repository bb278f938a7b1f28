import { existsSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { freePorts } from './ports';
import { runLeashed } from './processes';
import { Trouble } from './report';
import { HOST, serverFolder, startServer, withoutRights, type Server } from './server';

const INSTALL =
	'Install it (Debian: "apt-get install postgresql") or set POSTGRES_PATH to the folder that has the executables "initdb" and "postgres".';
const DEBIAN = '/usr/lib/postgresql';
const USER = 'n8n';

/** A running PostgreSQL with one empty database; it ends with this process, however that ends. Who reaches its port needs no password. */
export interface Postgres extends Server {
	host: string;
	port: number;
	user: string;
	database: string;
}

/** Makes a database and serves it. Raises Trouble when PostgreSQL is not installed or does not start. */
export async function startPostgres(): Promise<Postgres> {
	const programs = postgresFolder();
	const [port = 0] = await freePorts(1);
	const owner = withoutRights(); // PostgreSQL refuses to run as root
	const folder = serverFolder('postgres', owner);
	const data = join(folder, 'data');
	const { code, output, error } = await runLeashed(
		join(programs, 'initdb'),
		[
			'--pgdata',
			data,
			'--username',
			USER,
			'--auth',
			'trust',
			'--encoding',
			'UTF8',
			'--locale',
			'C',
			'--no-sync',
		],
		{ cwd: folder, owner, removeAtEnd: folder },
	);
	if (code !== 0) {
		rmSync(folder, { recursive: true, force: true });
		throw new Trouble(
			`PostgreSQL could not make a database:\n${error ?? output.trim()}`,
			'The lines above are its own.',
		);
	}
	const settings = {
		listen_addresses: HOST,
		unix_socket_directories: '',
		fsync: 'off', // nothing has to outlive the machine
	};
	const server = await startServer({
		name: 'PostgreSQL',
		command: join(programs, 'postgres'),
		args: [
			'-D',
			data,
			'-p',
			String(port),
			...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
		],
		folder,
		owner,
		install: INSTALL,
		isReady: async () =>
			(await runLeashed(join(programs, 'pg_isready'), ['-q', '-h', HOST, '-p', String(port)]))
				.code === 0,
	});
	return { ...server, host: HOST, port, user: USER, database: 'postgres' };
}

/** Where PostgreSQL's executables are: as named, on the path, or the newest of those where Debian keeps them. Raises Trouble when there are none. */
function postgresFolder(): string {
	const named = process.env.POSTGRES_PATH;
	const debian = existsSync(DEBIAN)
		? readdirSync(DEBIAN)
				.sort((a, b) => Number(b) - Number(a))
				.map((version) => join(DEBIAN, version, 'bin'))
		: [];
	const candidates = named ? [named] : [...(process.env.PATH ?? '').split(delimiter), ...debian];
	const found = candidates.find((folder) =>
		['initdb', 'postgres', 'pg_isready'].every((program) => existsSync(join(folder, program))),
	);
	if (!found)
		throw new Trouble(
			named
				? `POSTGRES_PATH (${named}) does not have PostgreSQL's executables.`
				: 'PostgreSQL was not found.',
			INSTALL,
		);
	return found;
}
