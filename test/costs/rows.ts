import { join } from 'node:path';
import { z } from 'zod';
import { runLeashed } from '../../harness/processes';

const cost = z.object({ cpuMilliseconds: z.number(), megabytes: z.number().positive() });
const result = z.array(
	z.object({ parsed: cost, shaped: cost, parsedTexts: cost, converted: cost }),
);

/** What making items of so many rows takes in each round, in plain Node with the built package, beside JSON.parse of their text. */
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
