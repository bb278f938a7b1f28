import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lastRun, output, type Execution } from '../../../harness/n8n-execution';
import { chain, documentWorkflow, EARLY, numbers, readFiles, split, TEXT_ONLY } from '../flows';
import { until, type World } from '../support';

const NODE = 'Document Workflow';

/** Protection from sending one twice. */
export function documentsSpec(world: () => World): void {
	const started = () => world().simulator.state.executions.all().length;

	/** Writes files, each with a content of its own; returns a pattern for them. */
	async function write(...names: string[]): Promise<string> {
		const mark = `${names.join()} ${Date.now()}`;
		for (const name of names)
			await writeFile(join(world().folder, name), `Policy Number: ${name} ${mark}`);
		return join(world().folder, '{' + names.join(',') + '}');
	}

	const hintsOf = (execution: Execution) => JSON.stringify(lastRun(execution, NODE).hints ?? []);

	it('skips what this node has sent before, but not what the service rejected', async () => {
		const { client, simulator } = world();
		const id = await client.createWorkflow(
			chain(
				'Sent by this node',
				readFiles(await write('node-1.txt', 'node-2.txt', 'node-3.txt')),
				documentWorkflow(
					world(),
					'create',
					'quick',
					{ documentOptions: { skipAlreadySent: true }, maximumInParallel: 1 },
					{ onError: 'continueRegularOutput' },
				),
			),
		);
		const run = async () => client.waitForExecution(await client.run(id, 'Start'));
		const statuses = (execution: Execution) =>
			output(execution, NODE).map(({ json }) => json.status);

		simulator.state.faults.add({
			route: 'create',
			requests: { from: 2, to: 2 },
			action: { type: 'status', status: 422 },
		});
		const first = await run();
		expect(output(first, NODE).filter(({ json }) => json.error !== undefined)).toHaveLength(1);
		const before = started();

		const second = await run();
		expect(started() - before).toBe(1);
		expect(statuses(second).sort()).toEqual(['running', 'skipped', 'skipped']);
		expect(hintsOf(second)).toContain('2 of 3 items started no execution');

		expect(statuses(await run())).toEqual(['skipped', 'skipped', 'skipped']);
		expect(started() - before).toBe(1);
	});

	it('lists what was started in the log and in the data of a stopped n8n execution', async () => {
		const { client, n8n, simulator } = world();
		const before = started();
		const flow = chain(
			'Stop',
			numbers(3),
			split(),
			documentWorkflow(world(), 'createAndWait', 'never-ending', { ...TEXT_ONLY, ...EARLY }),
		);
		const executionId = await client.run(await client.createWorkflow(flow));
		await until(
			() =>
				started() - before === 3 &&
				simulator.state.requests.all().some(({ route }) => route === 'get'),
		);
		await client.stopExecution(executionId);
		expect((await client.waitForExecution(executionId, 5000)).status).toBe('canceled');
		const customData = async () =>
			(await client.execution(executionId)).customData.started_executions_1;
		await until(async () => (await customData()) !== undefined); // n8n 1 stores it a moment after the status
		const ids = simulator.state.executions
			.all()
			.slice(before)
			.map((each) => each.executionId);
		for (const id of ids) {
			expect(n8n.log()).toMatch(
				new RegExp(`The n8n execution was stopped\\. Started for item .*${id}`),
			);
			expect((await customData())?.split(' ')).toContain(id);
		}
	});
}
