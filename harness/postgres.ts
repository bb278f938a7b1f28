import { existsSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { freePorts } from './ports';
import { runLeashed } from './processes';
import { Trouble } from './report';
import { HOST, serverFolder, startServer, unprivileged, type Server } from './server';

const INSTALL =
	'Install it (Debian: "apt-get install postgresql") or set POSTGRES_PATH to the folder that has the executables "initdb" and "postgres".';
const DEBIAN = '/usr/lib/postgresql';
const USER = 'n8n';

/** A running PostgreSQL with one empty database and no password; it ends with this process, however that ends. */
export interface Postgres extends Server {
	host: string;
	port: number;
	user: string;
	database: string;
}

/** Creates and serves a database. Raises Trouble when PostgreSQL is missing or does not start. */
export async function startPostgres(): Promise<Postgres> {
	const programs = postgresFolder();
	const [port = 0] = await freePorts(1);
	const owner = unprivileged(); // PostgreSQL refuses to run as root
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
			`PostgreSQL could not create a database:\n${error ?? output.trim()}`,
			'The lines above are its own.',
		);
	}
	const settings = {
		listen_addresses: HOST,
		unix_socket_directories: '',
		fsync: 'off', // the data need not survive a crash of the machine
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

/** The folder of PostgreSQL's executables: POSTGRES_PATH, one on the path, or Debian's newest version. Raises Trouble when there is none. */
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
