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

const LONGEST_ANSWER_MILLISECONDS = 300;

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
					documentWorkflow(world(), 'create', 'any-document', { onePer: 'all' }),
				),
			);
		// The first run loads code.
		await run('Plain names', ['a.txt', 'b.txt']);

		let isOver = false;
		const answers: number[] = [];
		const asking = (async () => {
			while (!isOver) {
				const start = performance.now();
				const isAnswered = await axios.get(`${n8n.url}/healthz`, { proxy: false }).then(
					() => true,
					() => false,
				);
				answers.push(isAnswered ? performance.now() - start : Infinity);
				await sleep(100);
			}
		})();
		const execution = await run('Hostile names', NAMES);
		isOver = true;
		await asking;

		expect(`${execution.status} ${JSON.stringify(execution.error ?? '')}`).toBe('success ""');
		const [item] = output(execution, 'Document Workflow');
		const { files = [] } = simulator.state.executions.find(String(item?.json.executionId)) ?? {};
		expect(files).toHaveLength(NAMES.length);
		for (const { fileName } of files) expect(Buffer.byteLength(fileName)).toBeLessThanOrEqual(255);
		expect(Math.max(...answers)).toBeLessThan(LONGEST_ANSWER_MILLISECONDS);
	});
}
