import { setTimeout as sleep } from 'node:timers/promises';
import { lastRun, output } from '../../../harness/n8n-execution';
import { chain, documentWorkflow, EARLY, numbers, split, TEXT_ONLY } from '../flows';
import type { Scope } from '../lines';
import { logFromNow, until, type World } from '../support';

const NODE = 'Document Workflow';
const MINUTE = 60_000;

/** Answers of the service that never end, or are none. */
export function brokenAnswersSpec(world: () => World, { long }: Scope): void {
	const create = (name: string) =>
		chain(name, documentWorkflow(world(), 'create', 'quick', TEXT_ONLY));
	const exchanges = () =>
		world()
			.simulator.state.requests.all()
			.filter(({ route }) => route === 'token').length;

	it('ends a create within two seconds of a stop, while the answer of the token endpoint never ends', async () => {
		const { client, simulator, n8n } = world();
		simulator.state.tokens.revokeAll();
		simulator.state.faults.add({ route: 'token', action: { type: 'drip', milliseconds: 500 } });
		const executionId = await client.run(await client.createWorkflow(create('Stopped')));
		await until(() => exchanges() > 0);
		const logged = logFromNow(n8n.log);
		await client.stopExecution(executionId);
		expect((await client.waitForExecution(executionId, 5_000)).status).toBe('canceled');
		await until(() => logged().includes(`Running node "${NODE}" finished with error`), 5_000);
		simulator.state.faults.clear();
		// The exchange that never ended is shared by all of this n8n until its limit.
		expect((await client.runToEnd(create('After the stop'))).status).toBe('success');
	});

	it('continues all waits when the token endpoint answers with a web page for some seconds', async () => {
		const { client, simulator } = world();
		const flow = chain(
			'Web page',
			numbers(4),
			split(),
			documentWorkflow(world(), 'createAndWait', 'twelve-seconds', { ...TEXT_ONLY, ...EARLY }),
		);
		const executionId = await client.run(await client.createWorkflow(flow));
		await until(() => simulator.state.requests.all().some(({ route }) => route === 'get'));
		simulator.state.faults.add({ route: 'token', action: { type: 'notJson' } });
		simulator.state.tokens.revokeAll();
		const before = exchanges();
		await sleep(2500);
		expect(exchanges()).toBeGreaterThan(before);
		simulator.state.faults.clear();
		const execution = await client.waitForExecution(executionId, MINUTE);
		expect(execution.status).toBe('success');
		expect(output(execution, NODE).map(({ json }) => json.status)).toEqual(
			Array(4).fill('completed'),
		);
	});

	if (!long) return;

	it('uses the credential again when the token endpoint is well again after an answer that never ended', async () => {
		const { client, simulator } = world();
		simulator.state.tokens.revokeAll();
		simulator.state.faults.add({
			route: 'token',
			times: 1,
			action: { type: 'drip', milliseconds: 500 },
		});
		const begun = Date.now();
		const execution = await client.runToEnd(create('Token drips'));
		expect(execution.status).toBe('success');
		expect(Date.now() - begun).toBeGreaterThan(30_000);
		expect(exchanges()).toBe(2);
	});

	it(
		'ends a create whose answer never ends, without a known outcome',
		async () => {
			const { client, simulator } = world();
			simulator.state.faults.add({
				route: 'create',
				action: { type: 'drip', milliseconds: 1000 },
			});
			const executionId = await client.run(await client.createWorkflow(create('Create drips')));
			const execution = await client.waitForExecution(executionId, 7 * MINUTE);
			expect(execution.status).toBe('error');
			const { error } = lastRun(execution, NODE);
			expect(error?.message).toContain('broke or timed out (ECONNABORTED)');
			expect(error?.description).toContain('It is unknown whether an execution was started');
		},
		8 * MINUTE,
	);
}
