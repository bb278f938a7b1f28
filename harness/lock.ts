import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const HEARTBEAT = 5000; // milliseconds
const DEAD_AFTER = 30_000; // milliseconds without a heartbeat
const SETTLE = 200; // milliseconds; after it, of two processes that took over the same dead lock only the last still holds it

/**
 * Runs `work` while holding a lock file, so that two processes never install into one folder. A lock is taken over when the
 * process of its holder is gone, or after 30 seconds without a heartbeat. `waiting` is called once when another process holds it.
 */
export async function withLock<T>(
	file: string,
	waiting: (holder: string) => void,
	work: () => Promise<T>,
): Promise<T> {
	const own = `${hostname()} ${process.pid}`;
	let announced = false;
	while (!(await taken(file, own))) {
		if (!announced) waiting(holderOf(file));
		announced = true;
		await sleep(1000);
	}
	const release = () => rmSync(file, { force: true });
	const heartbeat = setInterval(() => touch(file), HEARTBEAT);
	heartbeat.unref();
	process.on('exit', release);
	try {
		return await work();
	} finally {
		clearInterval(heartbeat);
		process.off('exit', release);
		release();
	}
}

async function taken(file: string, own: string): Promise<boolean> {
	if (isDead(file)) rmSync(file, { force: true });
	try {
		writeFileSync(file, own, { flag: 'wx' });
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
		throw error;
	}
	await sleep(SETTLE);
	return holderOf(file) === own;
}

function isDead(file: string): boolean {
	try {
		if (Date.now() - statSync(file).mtimeMs > DEAD_AFTER) return true;
	} catch {
		return false;
	}
	const [host, pid] = holderOf(file).split(' ');
	return host === hostname() && pid !== undefined && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}

function holderOf(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return '';
	}
}

function touch(file: string): void {
	try {
		utimesSync(file, new Date(), new Date());
	} catch {
		// taken over by another process: it owns the file now
	}
}
