import { setTimeout as sleep } from 'node:timers/promises';
import { output } from '../../../harness/n8n-execution';
import type { Webhook } from '../../../simulator/configuration';
import { chain, documentWorkflow, documentWorkflowTrigger, numbers, split, TEXT_ONLY } from '../flows';
import { until, WEBHOOK_KEY, type World } from '../support';

const NODE = 'Document Workflow';
const MINUTE = 60_000;

/** Pausing an n8n execution until the service says that an execution has ended. */
export function pausingSpec(world: () => World): void {
	const state = () => world().simulator.state;

	/** An active workflow that wakes others; the service tells it of each execution of a workflow. */
	async function withTrigger<T>(workflowIds: string[], work: (triggerWorkflow: string) => Promise<T>, webhook: Partial<Webhook> = {}): Promise<T> {
		const { client, n8n } = world();
		const path = `wake-${Math.random().toString(36).slice(2)}`;
		const trigger = await client.createWorkflow({ name: 'Wake', nodes: [documentWorkflowTrigger(world(), { path })], connections: {}, settings: { executionOrder: 'v1' } } as never);
		await client.activate(trigger);
		await sleep(500);
		const authentication = { type: 'api_key' as const, header: 'x-api-key', key: WEBHOOK_KEY };
		for (const workflowId of workflowIds) state().workflows.change(workflowId, { webhooks: [{ url: `${n8n.url}/webhook/${path}`, authentication, ...webhook }] });
		try {
			return await work(trigger);
		} finally {
			for (const workflowId of workflowIds) state().workflows.change(workflowId, { webhooks: [] });
			await client.deactivate(trigger);
		}
	}

	it('Create and Wait pauses until it is notified, and then gives the data', async () => {
		const { client } = world();
		await withTrigger(['twelve-seconds'], async () => {
			const flow = chain('Pause', documentWorkflow(world(), 'createAndWait', 'twelve-seconds', { ...TEXT_ONLY, howToWait: 'pause' }));
			const id = await client.run(await client.createWorkflow(flow));
			await until(() => state().requests.all().some(({ route }) => route === 'create'));
			await sleep(3_000);
			expect((await client.execution(id)).status).toBe('waiting');
			const execution = await client.waitForExecution(id, MINUTE);
			console.log(JSON.stringify({ status: execution.status, error: execution.error, out: output(execution, NODE), deliveries: state().deliveries.all() }, null, 1));
			expect(output(execution, NODE).map(({ json }) => json)).toMatchObject([{ status: 'completed', workflowId: 'twelve-seconds' }]);
		});
	}, 2 * MINUTE);
}
