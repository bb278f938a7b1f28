import { randomUUID } from 'node:crypto';
import type { N8n } from '../../harness/n8n';
import type { WorkflowJson } from '../../harness/n8n-rest';
import { node } from './flows';
import type { World } from './support';
import type { NodeJson } from '../../harness/flows';
import { readExampleWorkflows, withCredential } from '../../harness/example-workflows';
import type { Counter } from './counter';

/** An active workflow that starts with n8n's own Webhook node. */
export interface Published {
	id: string;
	path: string;
	/** Calls its production URL; returns the output of its last node, or n8n's answer if that comes at once. */
	call: (body?: FormData | Record<string, unknown>) => Promise<unknown>;
	/** The ids of its n8n executions, the oldest first, once there are at least as many. */
	executionIds: (atLeast: number) => Promise<string[]>;
}

/** Activates a workflow with n8n's Webhook node in place of its manual start. */
export async function publish(
	{ client, n8n }: World,
	flow: WorkflowJson,
	answer: 'lastNode' | 'onReceived' | 'responseNode' = 'lastNode',
): Promise<Published> {
	const name = randomUUID();
	const id = await client.createWorkflow(behindWebhook(flow, name, answer));
	await client.activate(id);
	const path = `/webhook/${name}`;
	return {
		id,
		path,
		call: async (body) => answerOf(n8n, path, body),
		executionIds: async (atLeast) => client.executionIds(id, atLeast),
	};
}

function behindWebhook(
	{ nodes, ...flow }: WorkflowJson,
	path: string,
	responseMode: string,
): WorkflowJson {
	const [start, ...others] = nodes;
	const webhook = node(start?.name ?? '', 'n8n-nodes-base.webhook', 2, {
		httpMethod: 'POST',
		path,
		responseMode,
		options: {},
	});
	return { ...flow, nodes: [{ ...webhook, webhookId: path }, ...others] };
}

async function answerOf(
	{ webhookUrl, log }: N8n,
	path: string,
	body?: FormData | Record<string, unknown>,
): Promise<unknown> {
	const sent =
		body === undefined || body instanceof FormData
			? { body }
			: { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
	const response = await fetch(webhookUrl + path, { method: 'POST', ...sent });
	const text = await response.text();
	if (response.status !== 200)
		throw new Error(
			`n8n answered ${response.status}: ${text}\nIts last errors:\n${lastErrors(log())}`,
		);
	return text === '' ? undefined : JSON.parse(text);
}

/** n8n writes the reason of a 500 only into its log. */
function lastErrors(log: string): string {
	return log
		.split('\n')
		.filter((line) => /\berror\b/.test(line))
		.slice(-3)
		.join('\n');
}

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

/** What the note of "Retry after a crash of n8n" asks for. */
const SCOPES = ['execution:list', 'execution:read', 'execution:retry'];

/** The example "Retry after a crash of n8n". Its schedule is the only change, if any. */
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
