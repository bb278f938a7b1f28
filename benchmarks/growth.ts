/** Whether many documents cost more each than few: the CPU that a further document costs n8n, between runs of different sizes. */
import { chain, documentWorkflow, node } from '../harness/flows';
import type { Report } from '../harness/report';
import { figureOf, spreadOf, type Figure } from './figures';
import { startService } from './measuring';
import { inTurns, NODES, requireSuccess, withN8n } from './surroundings';

const BYTES = 1_000;
/** How many documents a run has, and in how many rounds: small runs vary more. */
const SIZES = [
	{ documents: 10, rounds: 6 },
	{ documents: 100, rounds: 6 },
	{ documents: 1_000, rounds: 3 },
	{ documents: 5_000, rounds: 1 },
];
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
				const costs: Array<{ documents: number; cpu: number[] }> = [];
				for (const { documents, rounds } of SIZES) {
					report(`${documents} documents`);
					const { cpu } = await inTurns(rounds, { cpu: async () => cpuOf(documents) }, report);
					costs.push({ documents, cpu });
				}
				return furtherDocuments(costs);
			},
		);
	} finally {
		service.stop();
	}
}

/** On a straight line a further document costs the same everywhere. */
function furtherDocuments(costs: Array<{ documents: number; cpu: number[] }>): Figure[] {
	const points = costs.map(({ documents, cpu }) => ({ documents, cpu: spreadOf(cpu).median }));
	const between = (from: number, to: number) => {
		const [a, b] = [points.at(from), points.at(to)];
		if (a === undefined || b === undefined) throw new Error('There are too few sizes.');
		return {
			cost: (b.cpu - a.cpu) / (b.documents - a.documents),
			title: `from ${a.documents.toLocaleString('en')} to ${b.documents.toLocaleString('en')} documents`,
		};
	};
	const all = between(0, -1);
	return points.slice(1).map((_, index) => {
		const { cost, title } = between(index, index + 1);
		return figureOf({
			name: `CPU of a further document, ${title}`,
			beside: `the same, ${all.title}`,
			unit: 'ms',
			own: [cost],
			other: [all.cost],
			target: { of: 'ratio', atLeast: 1 - FLAT_WITHIN, atMost: 1 + FLAT_WITHIN },
		});
	});
}
