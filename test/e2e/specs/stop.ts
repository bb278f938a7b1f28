import { setTimeout as sleep } from 'node:timers/promises';
import { chain, documentWorkflow, EARLY, TEXT_ONLY } from '../flows';
import { logFromNow, until, type World } from '../support';

/** The Stop button of n8n. */
export function stopSpec(world: () => World): void {
	it('ends a wait in n8n at once, in the node soon after, and sends no further request', async () => {
		const { client, simulator, n8n } = world();
		const flow = chain(
			'Stop',
			documentWorkflow(world(), 'createAndWait', 'never-ending', { ...TEXT_ONLY, ...EARLY }),
		);
		const executionId = await client.run(await client.createWorkflow(flow));
		const requests = () => simulator.state.requests.all().length;
		await until(() => requests() >= 3); // the create and two checks
		const [{ executionId: started = '' } = {}] = simulator.state.executions.all().slice(-1);
		expect(n8n.log()).toMatch(
			new RegExp(`info.*Execution ${started} \\(workflow never-ending\\) was started: item 0`),
		);
		const logged = logFromNow(n8n.log);

		await client.stopExecution(executionId);
		expect((await client.waitForExecution(executionId, 30_000)).status).toBe('canceled');
		// n8n shows a run as ended whether or not its node has ended; only the debug log says when the node ends.
		await until(
			() => logged().includes('Running node "Document Workflow" finished with error'),
			30_000,
		);

		const line = new RegExp(`The n8n execution was stopped\\. Started for item 0: ${started}`);
		expect(n8n.log()).toMatch(line);
		const customData = async () => (await client.execution(executionId)).customData;
		await until(async () => (await customData()).started_executions_1 === started); // n8n 1 stores it a moment after the status

		const after = requests();
		await sleep(2000); // time for two checks
		expect(requests()).toBe(after);
	});
}
