/**
 * When n8n starts, it continues all pauses that fell due meanwhile, and at the same time marks one after the other
 * what runs as crashed. A pause that a run stores between the two steps of its own mark is lost. So runs that another
 * process had paused wait until n8n's start is over, and then pause once more for about a minute, without a check.
 */
import { MINUTE, SECOND, time } from '../connection/time';

/** When n8n has continued no pause by then, its start is over. */
const LONGEST_START = 5 * MINUTE;

/** n8n looks for pauses again after a minute. */
const LONGEST_WAIT = 30 * SECOND;

/** The start is over after so long without a new run and without a late timer. A wait of n8n for its database is shorter. */
const QUIET = 2 * SECOND;

const INTERVAL = 100;
const LATE = 50;

/** What this process has seen of n8n's start. */
class Start {
	isOver = false;
	/** When the last run came, or a timer was late, by the age of the process. */
	disturbedAt = 0;
	/** Undefined until the first pause of another process is continued. */
	quiet: Promise<void> | undefined;
}

const start = new Start();

/** When this process began: its name. */
export const PROCESS: number = performance.timeOrigin;

/** When to continue a pause of a process instead of now, in milliseconds since 1970; undefined for now. */
export async function afterStart(pausedBy: number): Promise<number | undefined> {
	start.isOver ||= start.quiet === undefined && time.age() > LONGEST_START;
	if (start.isOver || pausedBy === PROCESS) return undefined;
	start.disturbedAt = time.age();
	await (start.quiet ??= waitUntilQuiet());
	start.isOver = true;
	const earliest = Math.max(75 * SECOND - time.age(), 20 * SECOND);
	return time.now() + earliest + Math.random() * 75 * SECOND;
}

async function waitUntilQuiet(): Promise<void> {
	const end = time.age() + LONGEST_WAIT;
	for (let now = time.age(); now < end && now - start.disturbedAt < QUIET;) {
		await time.sleep(INTERVAL);
		const isLate = time.age() - now > INTERVAL + LATE;
		now = time.age();
		if (isLate) start.disturbedAt = now;
	}
}
