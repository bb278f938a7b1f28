import type { NodeJson } from '../../harness/flows';
import { readExampleWorkflows, withCredential } from '../../harness/example-workflows';
import { startMailSink, type MailSink } from './mailSink';
import type { World } from './support';

/** What the note of the example asks for. */
const SCOPES = ['execution:list', 'execution:read', 'execution:retry'];

/** The example "Continue after a crash", imported as its note says, and active. */
export interface Continuing extends Pick<MailSink, 'texts' | 'stop'> {
	workflowId: string;
}

/** Its schedule is the only change. */
export async function importContinuing(
	{ client, n8n }: World,
	everyMinutes: number,
): Promise<Continuing> {
	const name = 'continue-after-a-crash';
	const example = readExampleWorkflows().get(name);
	if (example === undefined) throw new Error(`There is no example "${name}".`);
	const sink = await startMailSink();
	const apiKey = await client.createApiKey(SCOPES);
	const credentials = {
		n8nApi: { apiKey, baseUrl: `${n8n.url}/api/v1` },
		smtp: { ...sink.credential, user: '', password: '' },
	};
	let workflow = example;
	for (const [type, data] of Object.entries(credentials)) {
		const credential = { name: `${type} of the example`, type, data };
		const id = await client.createCredential(credential);
		workflow = withCredential(workflow, { id, name: credential.name }, type);
	}
	const rule = { interval: [{ field: 'minutes', minutesInterval: everyMinutes }] };
	const nodes = (workflow.nodes as NodeJson[]).map((each) =>
		each.type.endsWith('.scheduleTrigger') ? { ...each, parameters: { rule } } : each,
	);
	const workflowId = await client.createWorkflow({ ...workflow, nodes });
	await client.activate(workflowId);
	return { workflowId, texts: sink.texts, stop: sink.stop };
}
