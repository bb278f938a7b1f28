/** Making items of an answer with many rows, beside JSON.parse of its text; in plain Node, with the package as it is built. */
import { join } from 'node:path';
import { z } from 'zod';
import { installNode } from '../harness/install';
import { packPackage } from '../harness/pack';
import { runLeashed } from '../harness/processes';
import type { Report } from '../harness/report';
import { figureOf, type Figure } from './figures';

const ROWS = 10_000;
const ROUNDS = 9;
const NAMES = { milliseconds: 'time', cpuMilliseconds: 'CPU', megabytes: 'memory' };

const cost = z.object({
	milliseconds: z.number(),
	cpuMilliseconds: z.number(),
	megabytes: z.number().positive(),
});
const result = z.array(
	z.object({ parsed: cost, shaped: cost, parsedTexts: cost, converted: cost }),
);

export async function rows(report: Report): Promise<Figure[]> {
	const node = await installNode(report);
	await packPackage({ report });
	const measured = await shapeRows(node, ROWS, ROUNDS);
	const title = `${ROWS.toLocaleString('en')} rows made items`;
	const figures = (unit: string, name: keyof z.infer<typeof cost>) => [
		figureOf({
			name: `${title}: ${NAMES[name]}`,
			beside: 'JSON.parse of the same text',
			unit,
			own: measured.map(({ shaped }) => shaped[name]),
			other: measured.map(({ parsed }) => parsed[name]),
			target: { of: 'ratio', atMost: 3 },
		}),
		figureOf({
			name: `${title}, texts converted: ${NAMES[name]}`,
			beside: 'JSON.parse of the same text',
			unit,
			own: measured.map(({ converted }) => converted[name]),
			other: measured.map(({ parsedTexts }) => parsedTexts[name]),
			target: { of: 'ratio', atMost: 4 },
		}),
	];
	return [...figures('ms', 'milliseconds'), ...figures('MB', 'megabytes')];
}

/** What each round took in the built package. */
export async function shapeRows(
	node: string,
	count: number,
	rounds: number,
): Promise<z.infer<typeof result>> {
	const script = join(__dirname, 'rows-in-node.cjs');
	const { code, output } = await runLeashed(node, [
		...['--expose-gc', script, String(count), String(rounds)],
	]);
	if (code !== 0) throw new Error(`The rows could not be measured: ${output}`);
	return result.parse(JSON.parse(output));
}
