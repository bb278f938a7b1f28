/**
 * Makes time pass faster for the built package, so that tests are short. The default in engine tests: jest runs this
 * file before each of them.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { time as Time } from '../../../nodes/DocumentWorkflow/time';
import { MAX_SLEEP_MILLISECONDS } from '../../../service/send';
import './package';

/** How many times faster. */
export const FASTER = 20;

/** The module of the built package that all waiting goes through. */
export const TIME: string = join(__dirname, '../../../dist/nodes/DocumentWorkflow/time.js');

export const { time } = jest.requireActual<{ time: typeof Time }>(TIME);

const real = { ...time };
/** Each test begins at the real time, because tests seal, sign and store with the real time. */
let begin = Date.now();
const fast: typeof Time = {
	now: () => begin + FASTER * (Date.now() - begin),
	sleep: async (milliseconds) => sleep(milliseconds / FASTER),
};

beforeAll(() => void Object.assign(time, fast));
beforeEach(() => void (begin = Date.now()));

/** Uses real time for the nodes in this file or `describe`. The simulated service, single requests, tokens and signatures always do. */
export function useRealTime(): void {
	beforeAll(() => void Object.assign(time, real));
	afterAll(() => void Object.assign(time, fast));
}

/** Real time without pauses before retries: they take no time, and the clock is set ahead by them. Longer waits are real. */
export function useTimeWithoutPauses(): void {
	let skipped = 0;
	const quick: typeof Time = {
		now: () => Date.now() + skipped,
		sleep: async (milliseconds) => {
			if (milliseconds > MAX_SLEEP_MILLISECONDS) return sleep(milliseconds);
			skipped += milliseconds;
			return Promise.resolve();
		},
	};
	beforeAll(() => void Object.assign(time, quick));
	afterAll(() => void Object.assign(time, fast));
}
