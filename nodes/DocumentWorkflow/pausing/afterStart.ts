/**
 * When n8n starts, it continues all pauses that fell due meanwhile, and at the same time marks one after the other
 * what runs as crashed. A pause that a run stores between the two steps of its own mark is lost. So runs that another
 * process had paused wait until n8n is idle, and then pause once more for about a minute, without a check.
 */
import { MINUTE, SECOND, time } from '../connection/time';

/** When n8n has continued no pause by then, its start is over. */
const LONGEST_START = 5 * MINUTE;

/** n8n looks for pauses again after a minute. */
const LONGEST_WAIT = 30 * SECOND;

const INTERVAL = 150;
const BUSY = 0.15;

interface EventLoop {
	eventLoopUtilization(since?: object): { utilization: number };
}

let untilIdle: Promise<void> | undefined;
let isOver = false;

/** When this process began: its name. */
export const PROCESS: number = performance.timeOrigin;

/** When to continue a pause of a process instead of now, in milliseconds since 1970; undefined for now. */
export async function afterStart(
	pausedBy: number,
	eventLoop: EventLoop = performance as typeof performance & EventLoop,
): Promise<number | undefined> {
	isOver ||= untilIdle === undefined && time.age() > LONGEST_START;
	if (isOver || pausedBy === PROCESS) return undefined;
	await (untilIdle ??= waitUntilIdle(eventLoop));
	isOver = true;
	const earliest = Math.max(75 * SECOND - time.age(), 20 * SECOND);
	return time.now() + earliest + Math.random() * 75 * SECOND;
}

/** Returns after two intervals in a row in which the process had little to do. */
async function waitUntilIdle(eventLoop: EventLoop): Promise<void> {
	const begin = time.age();
	for (let idle = 0; idle < 2 && time.age() - begin < LONGEST_WAIT;) {
		const before = eventLoop.eventLoopUtilization();
		await time.sleep(INTERVAL);
		idle = eventLoop.eventLoopUtilization(before).utilization < BUSY ? idle + 1 : 0;
	}
}
