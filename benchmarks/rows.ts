/** What it costs to make items of an answer with 10,000 rows, beside JSON.parse of its text: both in turns in plain Node. */
import { join } from 'node:path';
import { z } from 'zod';
import { installNode } from '../harness/install';
import { packPackage } from '../harness/pack';
import { runLeashed } from '../harness/processes';
import type { Report } from '../harness/report';
import { figureOf, type Figure } from './figures';

const ROWS = 10_000;
const ROUNDS = 5;

const cost = z.object({ cpuMilliseconds: z.number(), megabytes: z.number() });
const costs = z.array(z.object({ parsed: cost, shaped: cost, parsedTexts: cost, converted: cost }));

export async function rows(report: Report): Promise<Figure[]> {
	await packPackage({ report });
	const node = await installNode(report);
	const script = join(__dirname, 'rows-in-node.cjs');
	const { code, output } = await runLeashed(node, [
		...['--expose-gc', script, String(ROWS), String(ROUNDS)],
	]);
	if (code !== 0) throw new Error(`The rows could not be measured: ${output}`);
	const rounds = costs.parse(JSON.parse(output));
	const beside = 'JSON.parse';
	return [
		figureOf({
			...{ name: '10,000 rows: CPU', beside, unit: 'ms' },
			own: rounds.map(({ shaped }) => shaped.cpuMilliseconds),
			other: rounds.map(({ parsed }) => parsed.cpuMilliseconds),
			target: { of: 'ratio', atMost: 4 },
		}),
		figureOf({
			...{ name: '10,000 rows: memory', beside, unit: 'MB' },
			own: rounds.map(({ shaped }) => shaped.megabytes),
			other: rounds.map(({ parsed }) => parsed.megabytes),
			target: { of: 'ratio', atMost: 0.5 },
		}),
		figureOf({
			...{ name: '10,000 rows of texts that become values: CPU', beside, unit: 'ms' },
			own: rounds.map(({ converted }) => converted.cpuMilliseconds),
			other: rounds.map(({ parsedTexts }) => parsedTexts.cpuMilliseconds),
			target: { of: 'ratio', atMost: 6 },
		}),
	];
}
