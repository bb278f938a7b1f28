import axios from 'axios';
import { setTimeout as sleep } from 'node:timers/promises';
import { output } from '../../../harness/n8n-execution';
import { chain, documentWorkflow, node, split } from '../flows';
import type { World } from '../support';

/** Each took the time of n8n's only thread, up to 20 seconds, before names were cut. */
const NAMES = [
	`${"l1''".repeat(24)}€.txt`,
	`${"utf-16le''".repeat(24)}€.txt`,
	`${"l1''".repeat(300)}a${' '.repeat(2_880)}b.txt`,
	`${'%25'.repeat(30_000)}.txt`,
	`${'=?utf-8?Q?'.repeat(10_000)}.txt`,
	`${'=?l1?Q?=C3=BC?= '.repeat(6_000)}.txt`,
	`a${'. '.repeat(50_000)}b.txt`,
	`${'../'.repeat(30_000)}a.txt`,
	`${'\u0301\u0323'.repeat(50_000)}.txt`,
	`a${'\n '.repeat(50_000)}.txt`,
];

/**
 * How much longer than with plain names of the same length n8n may take for its slowest answer to others.
 * A machine that is busy with something else is late by less.
 */
export const LONGER_MILLISECONDS = 2_000;

/** File names that are made to keep n8n busy. */
export function hostileNamesSpec(world: () => World): void {
	it('sends ten documents with hostile names, while n8n answers others at once', async () => {
		const { client, n8n, simulator } = world();
		const run = async (title: string, names: string[]) =>
			client.runToEnd(
				chain(
					title,
					node('Names', 'n8n-nodes-base.set', 3.4, {
						mode: 'raw',
						jsonOutput: JSON.stringify({ numbers: names.map((name) => ({ name, text: name })) }),
						options: {},
					}),
					split(),
					node('Files', 'n8n-nodes-base.convertToFile', 1.1, {
						operation: 'toText',
						sourceProperty: 'text',
						options: { fileName: '={{ $json.name }}' },
					}),
					documentWorkflow(world(), 'create', 'any-document', { groupBy: 'all' }),
				),
			);
		const plain = NAMES.map(({ length }, index) => `${index}${'a'.repeat(length)}.txt`);
		// The first run loads code.
		await run('Plain names', plain);
		const usual = await slowestAnswerDuring(n8n.url, async () => run('Plain names', plain));
		const { result: execution, milliseconds } = await slowestAnswerDuring(n8n.url, async () =>
			run('Hostile names', NAMES),
		);

		expect(`${execution.status} ${JSON.stringify(execution.error ?? '')}`).toBe('success ""');
		const [item] = output(execution, 'Document Workflow');
		const { files = [] } = simulator.state.executions.find(String(item?.json.executionId)) ?? {};
		expect(files).toHaveLength(NAMES.length);
		for (const { fileName } of files) expect(Buffer.byteLength(fileName)).toBeLessThanOrEqual(255);
		expect(milliseconds).toBeLessThan(usual.milliseconds + LONGER_MILLISECONDS);
	});
}

/** Does something while n8n is asked every 100 milliseconds; without an answer its time is infinite. */
export async function slowestAnswerDuring<T>(
	url: string,
	work: () => Promise<T>,
): Promise<{ result: T; milliseconds: number }> {
	let isOver = false;
	let milliseconds = 0;
	const asking = (async () => {
		while (!isOver) {
			const start = performance.now();
			const isAnswered = await axios.get(`${url}/healthz`, { proxy: false }).then(
				() => true,
				() => false,
			);
			milliseconds = Math.max(milliseconds, isAnswered ? performance.now() - start : Infinity);
			await sleep(100);
		}
	})();
	try {
		const result = await work();
		isOver = true;
		await asking;
		return { result, milliseconds };
	} finally {
		isOver = true;
	}
}
