/** How many requests an n8n execution sends that pauses once, on a real n8n as in production. */
import { setTimeout as sleep } from 'node:timers/promises';
import { chain, documentWorkflow, numbers, split } from '../harness/flows';
import type { Line } from '../harness/install';
import type { Report } from '../harness/report';
import { tableOf } from './figures';
import { startService } from './measuring';
import { withN8n } from './surroundings';

const SIZES = [1, 10];

/** At commit 5dcb8737, per execution: a check after the pause showed its end, and a second one read its result. */
const CHECKS_AFTER_IT_BEFORE = 2;

/** Prints its table. All executions end during the pause. */
export async function requests(report: Report, line?: Line): Promise<void> {
	const table = tableOf([
		...['items', 'creates', 'checks before the pause', 'checks after it'],
		'the same at 5dcb8737',
	]);
	for (const items of SIZES) {
		const service = await startService();
		const wanted = { serviceUrl: service.url, report, line };
		await withN8n(wanted, async ({ client, credential }) => {
			const wait = documentWorkflow({ credential }, 'createAndWait', 'w', {
				documents: 'none',
				inputs: { textInputs: [{ name: 'note', value: '={{ $json.numbers }}' }] },
				waiting: { pauseAfterSeconds: 20 },
			});
			const workflow = chain('Pauses once', numbers(items), split(), wait);
			const id = await client.run(await client.createWorkflow(workflow));
			while ((await client.execution(id)).status !== 'waiting') await sleep(1_000);
			const before = service.checks();
			service.finish();
			while ((await client.execution(id)).status === 'waiting') await sleep(1_000);
			await client.waitForExecution(id);
			const after = service.checks() - before;
			table.push([items, items, before, after, items * CHECKS_AFTER_IT_BEFORE]);
		}).finally(service.stop);
	}
	console.log(table.toString());
}
