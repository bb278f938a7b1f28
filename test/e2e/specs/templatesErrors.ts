import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { output } from '../../../harness/n8n-execution';
import { chain, documentWorkflow, EARLY, node, readFiles } from '../flows';
import { DOCUMENTS, until, type World } from '../support';
import {
	expectNoGaps,
	expectSuccess,
	template,
	withProbes,
	withQuickService,
	withService,
} from '../templateRuns';

/** The template that n8n starts when another workflow fails, with the simulated service. */
export function templatesErrorsSpec(world: () => World): void {
	it('when-a-workflow-fails is started by n8n, and checks the executions that the error names', async () => {
		await withQuickService(world(), async (own) => {
			const { client, n8n } = own;
			const errors = await client.createWorkflow(
				withProbes(withService(own, template('when-a-workflow-fails'))),
			);
			await client.activate(errors);
			const path = randomUUID();
			const files = readFiles(join(DOCUMENTS, '{declarations-page,invoice,application}.pdf'));
			own.simulator.state.workflows.change('failing', { duration: { fixedSeconds: 1_000 } });
			const waiting = { ...EARLY.waiting, longestWaitHours: 0.001 };
			const service = documentWorkflow(own, 'createAndWait', 'failing', { waiting });
			const flow = chain('Failing', files, service);
			const start = { ...node('Start', 'n8n-nodes-base.webhook', 2, { path, options: {} }) };
			const failing = await client.createWorkflow({
				...flow,
				nodes: flow.nodes.map((each) =>
					each.name === 'Start' ? { ...start, webhookId: path } : each,
				),
				settings: { executionOrder: 'v1', errorWorkflow: errors },
			});
			await client.activate(failing);
			await until(async () => (await fetch(`${n8n.webhookUrl}/webhook/${path}`)).ok);
			const [id = ''] = await client.executionIds(errors, 1);
			const execution = await client.waitForExecution(id);
			expectSuccess(execution, ['Send the Mail']);
			const [mail, ...more] = output(execution, 'Send the Mail').map(({ json }) => json);
			expect(more).toEqual([]);
			expect(mail?.subject).toBe('Failed: Failing');
			const text = String(mail?.text);
			expect(text).toContain('Node: Document Workflow');
			expect(text).toContain('No result after 0.001 hours: the execution is still running');
			const started = [...own.simulator.state.executions.all()].map(
				({ executionId }) => executionId,
			);
			expect(started).toHaveLength(3);
			for (const each of started) expect(text).toContain(`- ${each}: running`);
			expectNoGaps(execution, template('when-a-workflow-fails'));
			for (const each of [failing, errors]) await client.deactivate(each);
		});
	});
}
