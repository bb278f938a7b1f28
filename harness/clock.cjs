/**
 * Preloaded into n8n by tests: its clock can be moved on, as a machine's is that was suspended. The file CLOCK_FILE names holds by how many
 * milliseconds; SIGUSR2 makes a process read it again. Timers keep their own time. With the word `look` behind the number, n8n also does at
 * once what it does every minute, such as to look for pauses that are over, so that a test need not wait for that minute.
 */
const { readFileSync } = require('node:fs');

const RealDate = Date;
const realNow = Date.now; // n8n's libraries may set Date.now to what they read from it
const MINUTE = 60_000;
let ahead = 0;

/** What is done every minute, by its timer. */
const everyMinute = new Map();
const realSetInterval = globalThis.setInterval;
const realClearInterval = globalThis.clearInterval;

globalThis.setInterval = (work, milliseconds, ...given) => {
	const timer = realSetInterval(work, milliseconds, ...given);
	if (milliseconds === MINUTE) everyMinute.set(timer, () => work(...given));
	return timer;
};
globalThis.clearInterval = (timer) => {
	everyMinute.delete(timer);
	realClearInterval(timer);
};

/** Returns whether to look. */
function readFile() {
	try {
		const [number, word] = readFileSync(process.env.CLOCK_FILE, 'utf8').split(' ');
		ahead = Number(number);
		return word === 'look';
	} catch {
		ahead = 0; // not moved yet
		return false;
	}
}

const now = () => realNow() + ahead;

const MovedDate = new Proxy(RealDate, {
	apply: () => new RealDate(now()).toString(),
	construct: (target, given, newTarget) =>
		Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
	get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
RealDate.prototype.constructor = MovedDate;
globalThis.Date = MovedDate;

readFile();
process.on('SIGUSR2', () => {
	if (readFile()) for (const work of everyMinute.values()) work();
});
