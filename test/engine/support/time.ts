/** Time that passes faster for the built package, so that tests need not wait for it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { time as Time } from '../../../nodes/DocumentWorkflow/time';

const { time } = jest.requireActual<{ time: typeof Time }>(
	'../../../dist/nodes/DocumentWorkflow/time.js',
);

/**
 * In the tests of this file, or of this `describe`, nodes take `factor` seconds for one: a wait of 10 s then takes them half a second
 * at a factor of 20. The simulated service, single requests, tokens and signatures stay in real time.
 */
export function fastTime(factor: number): void {
	const real = { ...time };
	beforeAll(() => {
		const begin = Date.now();
		time.now = () => begin + factor * (Date.now() - begin);
		time.sleep = async (milliseconds) => sleep(milliseconds / factor);
	});
	afterAll(() => void Object.assign(time, real));
}
