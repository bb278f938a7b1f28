/**
 * Time that passes faster for the built package, so that tests need not wait for it. This is the rule in engine tests: jest runs this
 * file before each of them.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { time as Time } from '../../../nodes/DocumentWorkflow/time';
import './package';

/** Seconds that nodes count in one second. */
export const FASTER = 20;

/** The module of the built package that has the time. */
export const TIME: string = join(__dirname, '../../../dist/nodes/DocumentWorkflow/time.js');

export const { time } = jest.requireActual<{ time: typeof Time }>(TIME);

const real = { ...time };
/** In each test time begins with that of the wall: what tests seal, sign or store bears the time of the wall as well. */
let begin = Date.now();
const fast: typeof Time = {
	now: () => begin + FASTER * (Date.now() - begin),
	sleep: async (milliseconds) => sleep(milliseconds / FASTER),
};

beforeAll(() => void Object.assign(time, fast));
beforeEach(() => void (begin = Date.now()));

/** In the tests of this file, or of this `describe`, nodes take a second for a second. The simulated service, single requests, tokens and signatures always do. */
export function useRealTime(): void {
	beforeAll(() => void Object.assign(time, real));
	afterAll(() => void Object.assign(time, fast));
}
