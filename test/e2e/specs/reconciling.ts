import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chain, documentWorkflow, readFiles } from '../flows';
import { until, type World } from '../support';

const DOCUMENTS = 24;
const WORKFLOW_ID = 'never-ending';

/** What the docs say to do after a crash of n8n in the middle of creates. */
export function reconcilingSpec(world: () => World): void {
	it('leads to one execution for each document after n8n was killed in the middle of creates, by the log of n8n and the dashboard', async () => {
		const { client, n8n, simulator, folder } = world();
		const names = Array.from({ length: DOCUMENTS }, (_, number) => `crash-${number}`);
		for (const name of names) await writeFile(join(folder, `${name}.txt`), `About ${name}`);
		const flow = await client.createWorkflow(
			chain(
				'Crash',
				readFiles(join(folder, 'crash-*.txt')),
				documentWorkflow(world(), 'create', WORKFLOW_ID, {
					inputs: {
						metadata: [
							{ name: 'external_id', value: "={{ $binary.data.fileName.replace('.txt', '') }}" },
						],
					},
				}),
			),
		);
		const dashboard = () =>
			simulator.state.executions
				.all()
				.map(({ executionId, metadata }) => ({ executionId, name: metadata?.external_id }))
				.filter(({ name }) => String(name).startsWith('crash-'));

		simulator.state.faults.add({ route: 'create', action: { type: 'delay', milliseconds: 1_000 } });
		const n8nExecution = await client.run(flow);
		const creates = () => simulator.state.requests.all().filter(({ route }) => route === 'create');
		await until(() => creates().filter(({ status }) => status === 200).length >= 8);
		await until(() => creates().filter(({ finishedAt }) => finishedAt === null).length === 8);
		await n8n.main.end('SIGKILL');
		await until(() => creates().every(({ finishedAt }) => finishedAt !== null));
		simulator.state.faults.clear();

		// 1 and 2: the lines of this n8n execution.
		const lines = n8n
			.log()
			.split('\n')
			.flatMap((line) => {
				const about = new RegExp(
					`(?<what>Sending|Execution (?<id>\\S+)|Nothing|Not known).*: item \\d+ \\((?<file>.+?)\\), External ID "(?<name>.+?)", n8n execution ${n8nExecution}\\b`,
				).exec(line)?.groups;
				return about === undefined ? [] : [about];
			});
		// 3: what was started.
		const started = new Map(
			lines.flatMap(({ name = '', id }) => (id === undefined ? [] : [[name, id] as const])),
		);
		expect(started.size).toBeGreaterThanOrEqual(8);
		// 4: what was on its way.
		const sent = lines.filter(({ what }) => what === 'Sending');
		const open = sent.map(({ name = '' }) => name).filter((name) => !started.has(name));
		expect(open).toHaveLength(8);
		expect(sent.map(({ file, name }) => file === `${name}.txt`)).not.toContain(false);
		for (const { executionId, name } of dashboard())
			if (open.includes(String(name))) started.set(String(name), executionId);
		expect(new Map(dashboard().map(({ name, executionId }) => [name, executionId]))).toEqual(
			started,
		);
		// 5: the rest is sent again.
		for (const name of started.keys()) await rm(join(folder, `${name}.txt`));
		await n8n.main.start();
		const rest = await client.waitForExecution(await client.run(flow));
		expect(rest.status).toBe('success');
		expect(
			dashboard()
				.map(({ name }) => name)
				.sort(),
		).toEqual(names.sort());
	});
}
