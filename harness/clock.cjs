/**
 * Preloaded into n8n by tests: its clock can be moved on, as a machine's is that was suspended. The file CLOCK_FILE names holds by how many
 * milliseconds; SIGUSR2 makes a process read it again. Timers keep their own time.
 */
const { readFileSync } = require('node:fs');

const RealDate = Date;
const realNow = Date.now; // n8n's libraries may set Date.now to what they read from it
let ahead = 0;

function readFile() {
	try {
		ahead = Number(readFileSync(process.env.CLOCK_FILE, 'utf8'));
	} catch {
		ahead = 0; // not moved yet
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
process.on('SIGUSR2', readFile);
