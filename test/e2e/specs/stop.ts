import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chain, documentWorkflow, EARLY, readFiles, TEXT_ONLY } from '../flows';
import { logFromNow, until, type World } from '../support';

/** The Stop button of n8n. */
export function stopSpec(world: () => World): void {
	it('ends a wait in n8n at once, in the node within two seconds, and sends no further request', async () => {
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
			new RegExp(`info.*Execution ${started} of workflow never-ending was started: item 0`),
		);
		const logged = logFromNow(n8n.log);

		await client.stopExecution(executionId);
		expect((await client.waitForExecution(executionId, 5_000)).status).toBe('canceled');
		// n8n shows a run as ended whether or not its node has ended; only the debug log says when the node ends.
		await until(
			() => logged().includes('Running node "Document Workflow" finished with error'),
			5_000,
		);

		const line = new RegExp(`The n8n execution was stopped\\. Started for item 0: ${started}`);
		expect(n8n.log()).toMatch(line);
		const customData = async () => (await client.execution(executionId)).customData;
		await until(async () => (await customData()).started_executions_1 === started); // n8n 1 stores it a moment after the status

		const after = requests();
		await sleep(2000); // time for two checks
		expect(requests()).toBe(after);
	});

	it('names each create that was on its way in the custom data of the stopped n8n execution', async () => {
		const { client, simulator, folder } = world();
		const names = Array.from({ length: 8 }, (_, number) => `stopped-${number}.txt`);
		for (const name of names) await writeFile(join(folder, name), `About ${name}`);
		simulator.state.faults.add({ route: 'create', action: { type: 'delay', milliseconds: 5_000 } });
		const flow = chain(
			'Stop creates',
			readFiles(join(folder, 'stopped-*.txt')),
			documentWorkflow(world(), 'create', 'never-ending', {
				inputs: { metadata: [{ name: 'external_id', value: '=CASE-{{ $itemIndex }}' }] },
			}),
		);
		const executionId = await client.run(await client.createWorkflow(flow));
		const creates = () => simulator.state.requests.all().filter(({ route }) => route === 'create');
		await until(() => creates().length === names.length);

		await client.stopExecution(executionId);
		expect((await client.waitForExecution(executionId, 5_000)).status).toBe('canceled');
		const stored = async () => (await client.execution(executionId)).customData;
		await until(async () => Object.keys(await stored()).length > 0); // n8n 1 stores it a moment after the status
		const customData = await stored();
		const open = Object.values(customData).join('; ').split('; ').sort();
		expect(Object.keys(customData)).toEqual(['possibly_started_1']);
		expect(open).toEqual(
			names.map((name, item) => `item ${item} (${name}), External ID "CASE-${item}"`),
		);
	});
}
