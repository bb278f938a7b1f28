import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Editor } from '../../../harness/browser';
import { openPanel } from '../../../harness/gestures';
import { output } from '../../../harness/n8n-execution';
import {
	chain,
	documentWorkflow,
	documentWorkflowTrigger,
	EARLY,
	readFiles,
	TEXT_ONLY,
} from '../flows';
import { DOCUMENTS, expectedOf, until, WEBHOOK_KEY, type World } from '../support';

const NODE = 'Document Workflow';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DOCUMENT = 'declarations-page';

/** A test event in the editor, and a workflow that pauses, and its end. */
export function browserPausingSpec(world: () => World, editor: () => Editor): void {
	const { workflowId, steps } = expectedOf(DOCUMENT);

	it('shows a test event in the panel of the trigger that listens for it', async () => {
		const { client, n8n } = world();
		const { page, screenshot } = editor();
		const document = chain(
			'Document',
			readFiles(join(DOCUMENTS, `${DOCUMENT}.pdf`)),
			documentWorkflow(world(), 'createAndWait', workflowId, EARLY),
		);
		const [item] = output(await client.runToEnd(document), NODE);
		const path = randomUUID();
		const trigger = await client.createWorkflow({
			name: 'Trigger',
			nodes: [documentWorkflowTrigger(world(), { path })],
			connections: {},
		});
		await openPanel(editor(), `/workflow/${trigger}/document-workflow-trigger`);
		await page.getByTestId('node-execute-button').first().click();
		await page.getByTestId('trigger-listening').getByText('Listening for test event').waitFor();

		const notification = {
			workflow_id: workflowId,
			workflow_execution_id: item?.json.executionId,
			status: 'completed',
			metadata: {},
			steps: [],
		};
		const headers = { 'x-api-key': WEBHOOK_KEY, 'content-type': 'application/json' };
		const answer = await fetch(`${n8n.webhookUrl}/webhook-test/${path}`, {
			method: 'POST',
			headers,
			body: JSON.stringify(notification),
		});
		expect(answer.status).toBe(200);

		const shown = page.getByTestId('output-panel');
		await shown.getByText(String(steps.policy_details?.[0]?.policy_number)).first().waitFor();
		await page.getByTestId('trigger-listening').waitFor({ state: 'hidden' });
		await screenshot('trigger-test-event');
	});

	it('shows on the canvas that a workflow pauses, and that it ends after the next check', async () => {
		const { client, clock, simulator } = world();
		const { page, follow, screenshot } = editor();
		const { executions, requests } = simulator.state;
		const before = executions.all().length;
		const pause = documentWorkflow(world(), 'createAndWait', 'never-ending', {
			...TEXT_ONLY,
			waiting: { firstCheckSeconds: 1, pauseAfterSeconds: 1800 },
		});
		const get = {
			...documentWorkflow(world(), 'get', '={{ $json.workflowId }}', {
				executionId: '={{ $json.executionId }}',
			}),
			id: 'get',
			name: 'Get',
		};
		const id = await client.createWorkflow(chain('Pause', pause, get));
		await follow(`/workflow/${id}`);
		await page.getByTestId('execute-workflow-button').first().click();
		await until(() => requests.all().some(({ route }) => route === 'get'));
		await clock.move(HOUR);
		const onCanvas = (name: string) =>
			page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
		await onCanvas(NODE).locator('.waiting').waitFor();
		const [execution = ''] = await client.executionIds(id, 1);
		await until(async () => (await client.execution(execution)).status === 'waiting');
		for (const name of [NODE, 'Get'])
			expect(await onCanvas(name).getByTestId('canvas-node-status-success').count()).toBe(0);
		await screenshot('paused');

		await Promise.all(
			executions
				.all()
				.slice(before)
				.map(async ({ executionId }) => executions.finish(executionId, { status: 'completed' })),
		);
		await clock.move(10 * MINUTE);
		await clock.look();
		for (const name of [NODE, 'Get'])
			await onCanvas(name).getByTestId('canvas-node-status-success').waitFor();
		await onCanvas(NODE).locator('.waiting').waitFor({ state: 'hidden' });
		await page.getByText('Workflow executed successfully').first().waitFor();
		await screenshot('paused-finished');
		expect((await client.waitForExecution(execution)).status).toBe('success');
	});
}
