import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';

import type { N8n, Remains } from '../../harness/n8n';
import { filesIn, secretsIn } from './secrets';

/** n8n stores the keys of its own API, which are tokens too. */
const STORED_BY_N8N = { place: 'user_api_keys.apiKey', kind: 'a token' };

/** Of a line of the log, to find who wrote it. */
const CHARACTERS_BEFORE = 60;

/** Such a file is a document of the test of large documents, of random bytes: its beginning tells as much as the whole. */
const LARGE = 50_000_000;
const BEGINNING = 1_000_000;

/** Ends n8n; returns where it left secrets. */
export async function leaksAtEnd(n8n: Pick<N8n, 'stop'>): Promise<string[]> {
	let leaks: string[] | undefined;
	await n8n.stop(async (remains) => {
		leaks = await leaksIn(remains);
	});
	if (leaks === undefined) throw new Error('What n8n left was not searched');
	return leaks;
}

/** Where an n8n that has ended left secrets: a sentence for each kind of secret and place, without the secret itself. */
async function leaksIn(remains: Remains): Promise<string[]> {
	const found = new Set<string>();
	const search = (place: string, text: string): void => {
		for (const kind of secretsIn(text).kinds)
			if (place !== STORED_BY_N8N.place || kind !== STORED_BY_N8N.kind)
				found.add(`${kind} in ${place}`);
	};
	for (const line of remains.log.split('\n')) {
		const { kinds, from } = secretsIn(line);
		const before = line.slice(Math.max(0, from - CHARACTERS_BEFORE), from);
		for (const kind of kinds) found.add(`${kind} in the log, after "${before}"`);
	}
	for (const file of filesIn(remains.userFolder)) {
		const bytes = readFileSync(file);
		const length = bytes.length > LARGE ? BEGINNING : bytes.length;
		search(relative(remains.userFolder, file), bytes.toString('latin1', 0, length));
	}
	if (remains.redis) search('Redis', await remains.redis.content());
	const places = new Set<string>();
	for await (const [place, text] of databaseOf(remains)) {
		places.add(place);
		search(place, text);
	}
	if (!places.has('credentials_entity.data')) throw new Error('The database has no credential');
	return [...found].sort();
}

async function* databaseOf({
	node,
	program,
	userFolder,
	postgres,
}: Remains): AsyncGenerator<[string, string]> {
	const file = join(userFolder, '.n8n', 'database.sqlite');
	if (!postgres && !existsSync(file)) throw new Error('n8n left no database');
	const connection = postgres
		? {
				postgres: {
					host: postgres.host,
					port: postgres.port,
					user: postgres.user,
					database: postgres.database,
				},
			}
		: { file };
	const rows = spawn(node, [join(__dirname, 'rows.mjs'), program, JSON.stringify(connection)], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const ended = once(rows, 'close');
	for await (const line of createInterface({ input: rows.stdout }))
		yield JSON.parse(line) as [string, string];
	const [code] = (await ended) as [number | null];
	if (code !== 0) throw new Error('The database of n8n could not be read');
}
