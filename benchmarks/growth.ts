/** Whether many documents cost more each than few: the CPU that a further document costs n8n, between runs of different sizes. */
import { chain, documentWorkflow, node } from '../harness/flows';
import type { Report } from '../harness/report';
import { figureOf, type Figure } from './figures';
import { startService } from './measuring';
import { inTurns, NODES, requireSuccess, withN8n } from './surroundings';

const BYTES = 1_000;
/** How many documents a run has. */
const SIZES = [10, 100, 1_000, 5_000];
const ROUNDS = 5;
const FLAT_WITHIN = 0.15;

export async function growth(report: Report): Promise<Figure[]> {
	const service = await startService({ endsAtCheck: 1 });
	try {
		return await withN8n(
			{ serviceUrl: service.url, report, env: { N8N_CUSTOM_EXTENSIONS: NODES } },
			async ({ run, credential }) => {
				const cpuOf = async (count: number) => {
					const flow = chain(
						`${count} documents`,
						node('Items', 'CUSTOM.benchmarkItems', 1, { count, bytes: BYTES, prefix: 'd-' }),
						documentWorkflow({ credential }, 'createAndWait', 'w', {
							waiting: { firstCheckSeconds: 0.1 },
						}),
					);
					return requireSuccess(await run(flow)).cpuMilliseconds;
				};
				await cpuOf(1_000); // Node compiles what runs often
				const ways = Object.fromEntries(
					SIZES.map((documents) => [documents, async () => cpuOf(documents)]),
				);
				const costs = await inTurns(ROUNDS, ways, report);
				return furtherDocuments(
					SIZES.map((documents) => ({ documents, cpu: costs[documents] ?? [] })),
				);
			},
		);
	} finally {
		service.stop();
	}
}

/** On a straight line a further document costs the same everywhere. */
function furtherDocuments(points: Array<{ documents: number; cpu: number[] }>): Figure[] {
	const between = (from: number, to: number) => {
		const [a, b] = [points.at(from), points.at(to)];
		if (a === undefined || b === undefined) throw new Error('There are too few sizes.');
		return {
			costs: b.cpu.map((cpu, round) => (cpu - (a.cpu[round] ?? NaN)) / (b.documents - a.documents)),
			title: `from ${a.documents.toLocaleString('en')} to ${b.documents.toLocaleString('en')} documents`,
		};
	};
	const all = between(0, -1);
	return points.slice(1).map((_, index) => {
		const { costs, title } = between(index, index + 1);
		return figureOf({
			name: `CPU of a further document, ${title}`,
			beside: `the same, ${all.title}`,
			unit: 'ms',
			own: costs,
			other: all.costs,
			target: { of: 'ratio', atLeast: 1 - FLAT_WITHIN, atMost: 1 + FLAT_WITHIN },
		});
	});
}
