import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lastRun, output, type Execution } from '../../../harness/n8n-execution';
import {
	chain,
	documentWorkflow,
	EARLY,
	node,
	numbers,
	readFiles,
	split,
	TEXT_ONLY,
	type NodeJson,
} from '../flows';
import type { Scope } from '../lines';
import { until, type World } from '../support';

const NODE = 'Document Workflow';

/** Selection and grouping of documents, and protection from sending one twice. */
export function documentsSpec(world: () => World, { differencesOnly }: Scope): void {
	const arrived = (executionId: unknown) =>
		world().simulator.state.executions.find(String(executionId))?.files ?? [];
	const started = () => world().simulator.state.executions.all().length;

	/** Writes files, each with a content of its own; returns a pattern for them. */
	async function write(...names: string[]): Promise<string> {
		const mark = `${names.join()} ${Date.now()}`;
		for (const name of names)
			await writeFile(join(world().folder, name), `Policy Number: ${name} ${mark}`);
		return join(world().folder, '{' + names.join(',') + '}');
	}

	const hintsOf = (execution: Execution) => JSON.stringify(lastRun(execution, NODE).hints ?? []);

	/** A workflow that sends, and a second trigger that clears the memory of what it has sent. */
	function withForgetting(name: string, pattern: string, scope: string): ReturnType<typeof chain> {
		const sending = chain(
			name,
			readFiles(pattern),
			documentWorkflow(
				world(),
				'create',
				'quick',
				{ documentOptions: { skipAlreadySent: scope }, maximumInParallel: 1 },
				{ onError: 'continueRegularOutput' },
			),
		);
		const forget: NodeJson[] = [
			node('Forget', 'n8n-nodes-base.scheduleTrigger', 1.2, {
				rule: { interval: [{ field: 'months' }] },
			}),
			node('Clear', 'n8n-nodes-base.removeDuplicates', 2, {
				operation: 'clearDeduplicationHistory',
				mode: 'cleanDatabase',
				options: { scope: 'workflow' },
			}),
		];
		return {
			...sending,
			nodes: [...sending.nodes, ...forget],
			connections: {
				...sending.connections,
				Forget: { main: [[{ node: 'Clear', type: 'main', index: 0 }]] },
			},
		};
	}

	it.each(['node', 'workflow'])(
		'skips what this %s has sent before, but not what the service rejected',
		async (scope) => {
			const { client, simulator } = world();
			const pattern = await write(`${scope}-1.txt`, `${scope}-2.txt`, `${scope}-3.txt`);
			const id = await client.createWorkflow(
				withForgetting(`Sent by this ${scope}`, pattern, scope),
			);
			const run = async (trigger = 'Start') =>
				client.waitForExecution(await client.run(id, trigger));
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

			const third = await run();
			expect(statuses(third)).toEqual(['skipped', 'skipped', 'skipped']);
			expect(started() - before).toBe(1);

			if (scope === 'workflow') {
				expect((await run('Forget')).status).toBe('success');
				expect(statuses(await run())).toEqual(['running', 'running', 'running']);
			}
		},
	);

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

	if (differencesOnly) return;

	it('sends the documents of all items in one execution, in their order', async () => {
		const pattern = await write('together-1.txt', 'together-2.txt', 'together-3.txt');
		const before = started();
		const execution = await world().client.runToEnd(
			chain(
				'Together',
				readFiles(pattern),
				documentWorkflow(world(), 'create', 'quick', { groupBy: 'all' }),
			),
		);
		const [item, ...others] = output(execution, NODE);
		expect(others).toEqual([]);
		expect(started() - before).toBe(1);
		const read = output(execution, 'Read').map(({ binary }) => binary?.data?.fileName);
		expect(read).toHaveLength(3);
		expect(arrived(item?.json.executionId).map(({ fileName }) => fileName)).toEqual(read);
		expect(item?.pairedItem).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
	});

	it('lists what a filter skips in the output and in a hint', async () => {
		const pattern = await write('wanted.txt', 'unwanted.log');
		const execution = await world().client.runToEnd(
			chain(
				'Filter',
				readFiles(pattern),
				documentWorkflow(world(), 'create', 'quick', {
					documentOptions: { fileNames: '*.txt, *.pdf' },
				}),
			),
		);
		const items = output(execution, NODE).map(({ json }) => json);
		expect(items.map(({ status }) => status).sort()).toEqual(['running', 'skipped']);
		expect(items.find(({ status }) => status === 'skipped')?.skipped).toEqual([
			expect.objectContaining({
				fileName: 'unwanted.log',
				reason: 'its name does not match *.txt, *.pdf',
			}),
		]);
		expect(hintsOf(execution)).toContain('1 document was skipped');
	});
}
