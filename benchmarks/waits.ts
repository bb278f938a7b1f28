/** Prints what many waits at the same time cost: memory and timers that they hold, and the computing time of a second. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Table from 'cli-table3';
import { Clock } from '../service/clock';
import type { Pause } from '../service/http';
import { History } from '../service/lifeTable';
import { DEFAULT_PLAN } from '../service/polling';
import { watchExecution } from '../service/watching';

const MEASURED_MILLISECONDS = 6_000;
const SLICE_MILLISECONDS = 500;

/** How a wait passes its time. It ends when `isOver` says so. */
type Way = (isOver: () => boolean) => Pause;

const OVER = new Error('The measurement is over');

const WAYS: Record<string, Way> = {
	'a timer for each wait': (isOver) => async (milliseconds) => {
		const until = Date.now() + milliseconds;
		for (let left = milliseconds; left > 0; left = until - Date.now()) {
			if (isOver()) throw OVER;
			await sleep(Math.min(left, SLICE_MILLISECONDS));
		}
		if (isOver()) throw OVER;
	},
	'one clock for all': (isOver) => {
		const refusal = () => OVER;
		return new Clock({
			sleep,
			now: Date.now,
			whyNotToGoOn: () => (isOver() ? OVER : undefined),
			refusal,
		}).pause;
	},
};

async function main(): Promise<void> {
	const table = new Table({
		head: ['way', 'waits', 'timers', 'memory of a wait', 'CPU in a second', 'end of all'],
		style: { head: [], border: [], compact: true },
	});
	for (const waits of [1_000, 10_000]) {
		for (const [name, way] of Object.entries(WAYS))
			table.push([name, waits, ...(await cost(way, waits))]);
	}
	console.log(table.toString());
}

/** Watches executions that never end, with a service that answers at once: what is left is the cost of waiting. */
async function cost(way: Way, count: number): Promise<string[]> {
	let isOver = false;
	const pause = way(() => isOver);
	const history = new History();
	const bytesBefore = usedBytes();
	const watches = Array.from({ length: count }, async (_, number) =>
		watchExecution({
			send: async () => ({ kind: 'answer', status: 200, headers: {}, body: { status: 'running' } }),
			pause,
			now: Date.now,
			plan: DEFAULT_PLAN,
			workflowId: 'w',
			executionId: String(number),
			isFresh: true,
			history,
		}),
	);
	const ended = Promise.allSettled(watches);
	const before = process.cpuUsage();
	await sleep(MEASURED_MILLISECONDS);
	const { user, system } = process.cpuUsage(before);
	const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
	const bytes = usedBytes() - bytesBefore;
	isOver = true;
	const stoppedAt = Date.now();
	await ended;
	return [
		String(timers),
		`${(bytes / count / 1024).toFixed(1)} KiB`,
		`${((user + system) / MEASURED_MILLISECONDS).toFixed(0)} ms`,
		`${Date.now() - stoppedAt} ms`,
	];
}

function usedBytes(): number {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	collectGarbage();
	return process.memoryUsage().heapUsed;
}

void main();
