/** Executions that are watched by the code of the package itself, in time that passes at once. */
import { Heap } from '../../service/heap';
import { History } from '../../service/lifeTable';
import { DEFAULT_PLAN } from '../../service/polling';
import { watchExecution } from '../../service/watching';
import type { Random } from './durations';
import type { Sighting } from './measures';

/** Longer than the longest of the durations. */
const PLAN = { ...DEFAULT_PLAN, timeoutMilliseconds: 2 * DEFAULT_PLAN.timeoutMilliseconds };

/** An execution that is to be: seconds. */
export interface Planned {
	start: number;
	duration: number;
}

/** Each by itself. */
export function alone(durations: readonly number[]): Planned[][] {
	return durations.map((duration) => [{ start: 0, duration }]);
}

/** In batches of which all executions start at the same moment. */
export function together(durations: readonly number[], size: number): Planned[][] {
	return inBatches(durations, size).map((batch) =>
		batch.map((duration) => ({ start: 0, duration })),
	);
}

/** In batches of which the executions start one after the other, as a number of parallel uploads of 1 to 5 s each let them. */
export function staggered(
	durations: readonly number[],
	size: number,
	uploads: number,
	random: Random,
): Planned[][] {
	return inBatches(durations, size).map((batch) => {
		const freeAt = Array<number>(uploads).fill(0);
		return batch.map((duration) => {
			const next = freeAt.indexOf(Math.min(...freeAt));
			const start = (freeAt[next] ?? 0) + 1 + 4 * random();
			freeAt[next] = start;
			return { start, duration };
		});
	});
}

function inBatches(durations: readonly number[], size: number): number[][] {
	return Array.from({ length: Math.ceil(durations.length / size) }, (_, batch) =>
		durations.slice(batch * size, (batch + 1) * size),
	);
}

/** Watches all batches; the executions of a batch share what is seen of them, and no two batches do. */
export async function watchBatches(
	batches: readonly Planned[][],
	random: Random,
): Promise<Sighting[]> {
	const time = new VirtualTime();
	const watches = batches.flatMap((batch) => {
		const history = batch.length > 1 ? new History() : undefined;
		return batch.map((execution) => watch(execution, time, history, random));
	});
	await time.passUntil(Promise.all(watches));
	return Promise.all(watches);
}

/** The service answers at once, and every answer arrives. */
async function watch(
	{ start, duration }: Planned,
	time: VirtualTime,
	history: History | undefined,
	random: Random,
): Promise<Sighting> {
	await time.pause(start * 1000);
	const end = time.now() + duration * 1000;
	const watched = await watchExecution({
		send: async () => ({
			kind: 'answer',
			status: 200,
			headers: {},
			body: { status: time.now() < end ? 'running' : 'completed' },
		}),
		pause: time.pause,
		now: time.now,
		plan: PLAN,
		workflowId: 'w',
		executionId: 'e',
		isFresh: true,
		random,
		...(history === undefined ? {} : { history }),
	});
	if (watched.end !== 'finished')
		throw new Error(`An execution of ${duration} s was watched until: ${watched.end}`);
	return { duration, lag: (time.now() - end) / 1000, looks: watched.looks };
}

/** A time in milliseconds that jumps from one end of a pause to the next. */
class VirtualTime {
	private time = 0;

	private readonly pauses = new Heap<{ until: number; wake: () => void }>(
		(a, b) => a.until < b.until,
	);

	readonly now = (): number => this.time;

	readonly pause = (milliseconds: number): Promise<void> =>
		new Promise((wake) => this.pauses.push({ until: this.time + milliseconds, wake }));

	async passUntil(done: Promise<unknown>): Promise<void> {
		let isDone = false;
		const end = done.finally(() => (isDone = true));
		while (!isDone) {
			await new Promise(setImmediate);
			const next = this.pauses.pop();
			if (next === undefined) break;
			this.time = next.until;
			next.wake();
		}
		await end;
	}
}
