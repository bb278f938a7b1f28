import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** What the harness installs outside the repository: each folder of `harness/` with a package.json and a lock. */
export type Room = 'n8n-2' | 'n8n-1' | 'node-24' | 'gate' | 'registry' | 'mutation';

const FOLDER = 'n8n-nodes-document-workflow';

/**
 * The folder that keeps installations between runs: `DOCUMENT_WORKFLOW_CACHE`, or this project's folder in the
 * user's cache (`XDG_CACHE_HOME`, on Windows `LOCALAPPDATA`, else `~/.cache`).
 */
export function cacheFolder(
	environment: NodeJS.ProcessEnv = process.env,
	platform: NodeJS.Platform = process.platform,
	home: string = homedir(),
): string {
	if (environment.DOCUMENT_WORKFLOW_CACHE) return environment.DOCUMENT_WORKFLOW_CACHE;
	if (environment.XDG_CACHE_HOME) return join(environment.XDG_CACHE_HOME, FOLDER);
	if (platform === 'win32' && environment.LOCALAPPDATA)
		return join(environment.LOCALAPPDATA, FOLDER);
	return join(home, '.cache', FOLDER);
}

/** Where package.json and package-lock.json of a room are kept in the repository. */
export function roomSource(room: Room): string {
	return join(__dirname, room);
}

/** SHA-256 of a room's lock, which names the installation. */
export function roomHash(room: Room): string {
	return createHash('sha256')
		.update(readFileSync(join(roomSource(room), 'package-lock.json')))
		.digest('hex');
}

/** The folder in which a room is installed; another lock means another folder. */
export function roomFolder(room: Room): string {
	return join(cacheFolder(), `${room}-${roomHash(room).slice(0, 12)}`);
}
