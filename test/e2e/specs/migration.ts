import { readExampleWorkflows } from '../../../harness/example-workflows';
import { node } from '../flows';
import type { World } from '../support';

/** n8n's own rules about what changes in its next major version, applied to the example workflows. */
export function migrationSpec(world: () => World): void {
	const examples = [...readExampleWorkflows().values()];

	it('finds nothing in the example workflows', async () => {
		const { client } = world();
		for (const example of examples) await client.createWorkflow(example);
		// The report finds something where there is something to find.
		const name = 'A node that the next version does not have';
		const removed = node('Orbit', 'n8n-nodes-base.orbit', 1, {});
		await client.createWorkflow({ name, nodes: [removed], connections: {} });
		const issues = await client.migrationIssues();
		const names = [...examples.map((example) => example.name), name];
		expect(issues.filter(({ workflow }) => names.includes(workflow))).toEqual([
			{ workflow: name, rule: 'removed-nodes-v3', issue: expect.any(String) as unknown },
		]);
	});
}
