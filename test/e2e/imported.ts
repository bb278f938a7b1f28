import type { NodeJson } from '../../harness/flows';
import { readExampleWorkflows, withCredential } from '../../harness/example-workflows';
import type { WorkflowJson } from '../../harness/n8n-rest';
import type { Counter } from './counter';
import type { World } from './support';

/** Imports an example as a user does, with the data of a credential of each of these types. Returns its ID; it is active. */
export async function importExample(
	{ client }: World,
	example: WorkflowJson,
	credentials: Record<string, Record<string, unknown>>,
): Promise<string> {
	let workflow = example;
	for (const [type, data] of Object.entries(credentials)) {
		const name = `${type} account`;
		const id = await client.createCredential({ name, type, data });
		workflow = withCredential(workflow, { id, name }, type);
	}
	const id = await client.createWorkflow(workflow);
	await client.activate(id);
	return id;
}

export function exampleNamed(name: string): WorkflowJson {
	const example = readExampleWorkflows().get(name);
	if (example === undefined) throw new Error(`There is no example "${name}".`);
	return example;
}

/** What the note of "Continue after a crash" asks for. */
const SCOPES = ['execution:list', 'execution:read', 'execution:retry'];

/** The example "Continue after a crash". Its schedule is the only change, if any. */
export async function importContinuing(
	world: World,
	{ smtp }: Counter,
	everyMinutes?: number,
): Promise<string> {
	const { nodes, ...example } = exampleNamed('continue-after-a-crash');
	const rule = { interval: [{ field: 'minutes', minutesInterval: everyMinutes }] };
	const changed = (nodes as NodeJson[]).map((each) =>
		everyMinutes !== undefined && each.type.endsWith('.scheduleTrigger')
			? { ...each, parameters: { rule } }
			: each,
	);
	const apiKey = await world.client.createApiKey(SCOPES);
	const n8nApi = { apiKey, baseUrl: `${world.n8n.url}/api/v1` };
	return importExample(world, { ...example, nodes: changed }, { n8nApi, smtp });
}
