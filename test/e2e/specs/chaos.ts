import { runChaos } from '../../chaos/chaos';
import { isFine, printChaos } from '../../chaos/print';
import type { World } from '../support';

/** Always the same, so that a failure is the fault of the change that was tested. */
const SEED = Number(process.env.CHAOS_SEED ?? 1);
const DOCUMENTS = 120;

/** The short form of `npm run test:chaos`. */
export function chaosSpec(world: () => World): void {
	it(`loses none of ${DOCUMENTS} documents, doubles none without mark and gives no token to another host while service and network misbehave`, async () => {
		const report = () => undefined;
		const figures = await runChaos(world(), {
			seed: SEED,
			documents: DOCUMENTS,
			long: false,
			report,
		});
		console.log(`CHAOS_SEED=${SEED}, ${figures.seconds.toFixed(0)} s`);
		if (!isFine(figures)) printChaos(figures);
		expect(figures.findings).toEqual([]);
		expect(figures.strangers).toMatchObject({
			requests: 0,
			selfSigned: 0,
			leaks: 0,
			leaksInN8n: 0,
		});
		expect(figures.faults.size).toBeGreaterThan(10);
	});
}
