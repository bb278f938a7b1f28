import { pairs } from '../../chaos/queue/pairs';
import { printSection, type Part } from '../../chaos/print';
import { tokens } from '../../chaos/queue/tokens';
import type { QueueWorld } from '../support';

const SIZES = { documents: 0, pairs: 50, restarts: 0 };
const TIMEOUT = 600_000; // milliseconds

/** Short forms of `npm run test:chaos -- queue`: two webhook processes behind a balancer, three workers, each with a user folder of its own. */
export function queueLoadSpec(world: () => QueueWorld): void {
	const run = async (part: Part) => {
		const { log } = world().n8n;
		const section = await part(world(), { seed: 1, ...SIZES, log, report: () => undefined });
		printSection(section);
		return section;
	};

	it(
		'loses no event that both webhook processes get at the same moment, and starts none again later',
		async () => {
			const { findings, rows } = await run(pairs);
			expect(findings).toEqual([]);
			expect(Object.fromEntries(rows)).toMatchObject({ pairs: SIZES.pairs });
		},
		TIMEOUT,
	);

	it(
		'asks for at most one token an hour in each process, while all processes send',
		async () => {
			expect((await run(tokens)).findings).toEqual([]);
		},
		TIMEOUT,
	);
}
