/**
 * How many events a second start a workflow with its data through the trigger, and how many through n8n's own Webhook node with
 * header authentication and an HTTP Request node: on a real n8n, in turns, so that both meet the same machine.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { CREDENTIAL_TYPE } from '../harness/example-workflows';
import { node, type NodeJson } from '../harness/flows';
import type { N8nClient } from '../harness/n8n-rest';
import type { Report } from '../harness/report';
import { figureOf, type Figure } from './figures';
import { API, startService } from './measuring';
import { inTurns, loginData, withN8n, type Surroundings } from './surroundings';

const ROUNDS = 5;
const SECONDS = 5;
const WARM_UP_SECONDS = 4;
const CONNECTIONS = 8;
const STORED_WITHIN = 60_000; // milliseconds
const HEADER = 'x-api-key';

/** n8n 2 makes a place of its own for the expressions of each n8n execution (an isolate), or does so only when there is an expression. */
const SETTINGS: Record<string, NodeJS.ProcessEnv> = {
	'n8n 2': {},
	'n8n 2, N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true': { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
};

/** An active workflow of what starts it and reads the data. */
interface Started {
	id: string;
	url: string;
	/** Calls that were answered with success. */
	accepted: number;
}

export async function trigger(report: Report): Promise<Figure[]> {
	const figures: Figure[] = [];
	const service = await startService();
	try {
		for (const [name, env] of Object.entries(SETTINGS)) {
			report(`Events a second: ${name}`);
			const wanted = { serviceUrl: service.url, report, env };
			figures.push(
				...(await withN8n(wanted, async (surroundings) =>
					measure(name, service.url, surroundings, report),
				)),
			);
		}
	} finally {
		service.stop();
	}
	return figures;
}

async function measure(
	name: string,
	serviceUrl: string,
	{ n8n, client }: Surroundings,
	report: Report,
): Promise<Figure[]> {
	const key = randomBytes(24).toString('base64url');
	const store = async (type: string, data: Record<string, unknown>) => ({
		[type]: { id: await client.createCredential({ name: type, type, data }), name: type },
	});
	const execution = '{{ $json.body.workflow_execution_id }}';
	const webhook = await start(n8n.url, client, [
		{
			...node('Start', 'n8n-nodes-base.webhook', 2, {
				httpMethod: 'POST',
				authentication: 'headerAuth',
				responseMode: 'onReceived',
				options: {},
			}),
			credentials: await store('httpHeaderAuth', { name: HEADER, value: key }),
		},
		node('Data', 'n8n-nodes-base.httpRequest', 4.2, {
			url: `=${serviceUrl}${API}/workflow-builder/workflows/w/executions/${execution}`,
			options: {},
		}),
	]);
	const own = await start(n8n.url, client, [
		{
			...node('Start', 'n8n-nodes-document-workflow.documentWorkflowTrigger', 2, {}),
			credentials: await store(CREDENTIAL_TYPE, {
				...loginData(serviceUrl),
				...{ triggerAuthentication: 'apiKey', headerName: HEADER, apiKey: key },
			}),
		},
	]);
	for (const each of [webhook, own]) await eventsPerSecond(each, key, WARM_UP_SECONDS);
	const rounds = await inTurns(
		ROUNDS,
		{
			webhook: async () => eventsPerSecond(webhook, key, SECONDS),
			own: async () => eventsPerSecond(own, key, SECONDS),
		},
		report,
	);
	for (const each of [webhook, own]) await expectAllStored(client, each);
	const beside = "n8n's Webhook and HTTP Request nodes";
	return [
		figureOf({
			name: `Events that start a workflow, ${name}`,
			beside,
			unit: 'a second',
			own: rounds.own,
			other: rounds.webhook,
			target: { of: 'ratio', atLeast: 1 },
		}),
	];
}

/** The second node, if there is one, gets each event of the first. */
async function start(
	baseUrl: string,
	client: N8nClient,
	[first, second]: [NodeJson, NodeJson?],
): Promise<Started> {
	const path = randomUUID();
	const parameters = { ...first.parameters, path };
	const id = await client.createWorkflow({
		name: first.type,
		nodes: [{ ...first, parameters, webhookId: path }, ...(second ? [second] : [])],
		connections: second
			? { [first.name]: { main: [[{ node: second.name, type: 'main', index: 0 }]] } }
			: {},
	});
	await client.activate(id);
	return { id, url: `${baseUrl}/webhook/${path}`, accepted: 0 };
}

async function eventsPerSecond(started: Started, key: string, duration: number): Promise<number> {
	const { '2xx': accepted, non2xx, errors, duration: took } = await call(started, key, duration);
	if (non2xx > 0 || errors > 0)
		throw new Error(
			`${non2xx} calls were refused and ${errors} not answered: there is nothing to compare.`,
		);
	started.accepted += accepted;
	return accepted / took;
}

/** Each call is an event of its own: none is a duplicate. */
async function call({ url }: Started, key: string, duration: number): Promise<autocannon.Result> {
	return autocannon({
		url,
		method: 'POST',
		connections: CONNECTIONS,
		duration,
		headers: { 'content-type': 'application/json', [HEADER]: key },
		body: JSON.stringify({
			workflow_id: 'w',
			workflow_execution_id: '1-[<id>]',
			status: 'completed',
			metadata: {},
			steps: [],
		}),
		idReplacement: true,
	});
}

/** What was accepted must have run; what was under way when the measurement ended may have run beside it. */
async function expectAllStored(client: N8nClient, { id, accepted }: Started): Promise<void> {
	const deadline = Date.now() + STORED_WITHIN;
	for (;;) {
		const stored = await client.countExecutions(id, 'success');
		if (stored >= accepted) return;
		if (Date.now() > deadline)
			throw new Error(
				`Of ${accepted} events that were accepted only ${stored} started an n8n execution.`,
			);
		await sleep(500);
	}
}
