/**
 * Prints how many events a second start a workflow through the trigger, and how many through n8n's own Webhook node with header
 * authentication: on a real n8n, in turns, so that both meet the same machine. `-- n8n-1` or `-- n8n-2` measures that line only.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import Table from 'cli-table3';
import { WEBHOOK_CREDENTIAL_TYPE } from '../harness/example-workflows';
import { installN8n, installNode, type Line } from '../harness/install';
import { startN8n } from '../harness/n8n';
import { connect, type N8nClient } from '../harness/n8n-rest';
import { packPackage } from '../harness/pack';

const ROUNDS = 3;
const SECONDS = 8;
const WARM_UP_SECONDS = 4;
const CONNECTIONS = 8;
const STORED_WITHIN = 60_000; // milliseconds
const HEADER = 'x-api-key';

interface Setting {
	name: string;
	line: Line;
	env: NodeJS.ProcessEnv;
}

/** n8n 2 makes a place of its own for the expressions of each n8n execution (an isolate), or does so only when there is an expression. */
const SETTINGS: Setting[] = [
	{ name: 'n8n 2', line: 'n8n-2', env: {} },
	{
		name: 'n8n 2, N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true',
		line: 'n8n-2',
		env: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
	},
	{ name: 'n8n 1', line: 'n8n-1', env: {} },
];

/** An active workflow that consists of what starts it. */
interface Started {
	id: string;
	url: string;
	/** Calls that were answered with success. */
	accepted: number;
}

async function main([only]: string[]): Promise<void> {
	const report = (sentence: string) => console.error(sentence);
	await installNode(report);
	const packageTarball = await packPackage({ fresh: true, report });
	const table = new Table({
		head: [
			'n8n',
			'Webhook node, a second',
			'this trigger, a second',
			'ratio, median',
			'lowest',
			'highest',
		],
		style: { head: [], border: [], compact: true },
	});
	for (const { name, line, env } of SETTINGS.filter(
		(setting) => only === undefined || setting.line === only,
	)) {
		await installN8n(line, report);
		report(`${name}: ${ROUNDS} rounds of ${2 * SECONDS} s.`);
		const n8n = await startN8n({ line, packageTarball, env });
		try {
			table.push([name, ...(await measure(n8n.url, await connect(n8n)))]);
		} finally {
			await n8n.stop();
		}
	}
	console.log(table.toString());
}

async function measure(baseUrl: string, client: N8nClient): Promise<string[]> {
	const key = randomBytes(24).toString('base64url');
	const webhook = await start(
		baseUrl,
		client,
		{ type: 'httpHeaderAuth', data: { name: HEADER, value: key } },
		(path) => ({
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			parameters: {
				httpMethod: 'POST',
				path,
				authentication: 'headerAuth',
				responseMode: 'onReceived',
				options: {},
			},
		}),
	);
	const trigger = await start(
		baseUrl,
		client,
		{
			type: WEBHOOK_CREDENTIAL_TYPE,
			data: { authentication: 'apiKey', headerName: HEADER, apiKey: key },
		},
		(path) => ({
			type: 'n8n-nodes-document-workflow.documentWorkflowTrigger',
			typeVersion: 2,
			parameters: { path, dataFrom: 'notification' },
		}),
	);
	for (const each of [webhook, trigger]) await eventsPerSecond(each, key, WARM_UP_SECONDS);
	const rounds: Array<{ webhook: number; trigger: number }> = [];
	for (let round = 0; round < ROUNDS; round++) {
		rounds.push({
			webhook: await eventsPerSecond(webhook, key, SECONDS),
			trigger: await eventsPerSecond(trigger, key, SECONDS),
		});
	}
	for (const each of [webhook, trigger]) await expectAllStored(client, each);
	const ratios = sorted(rounds.map((round) => round.trigger / round.webhook));
	const median = (values: number[]) => sorted(values)[Math.floor(values.length / 2)] ?? NaN;
	return [
		median(rounds.map((round) => round.webhook)).toFixed(1),
		median(rounds.map((round) => round.trigger)).toFixed(1),
		...[median(ratios), ratios[0] ?? NaN, ratios.at(-1) ?? NaN].map((ratio) => ratio.toFixed(2)),
	];
}

async function start(
	baseUrl: string,
	client: N8nClient,
	credential: { type: string; data: Record<string, unknown> },
	nodeAt: (path: string) => { type: string },
): Promise<Started> {
	const path = randomUUID();
	const credentialId = await client.createCredential({ name: credential.type, ...credential });
	const node = {
		id: path,
		name: 'Start',
		position: [0, 0],
		webhookId: path,
		credentials: { [credential.type]: { id: credentialId, name: credential.type } },
		...nodeAt(path),
	};
	const id = await client.createWorkflow({ name: node.type, nodes: [node], connections: {} });
	await client.activate(id);
	return { id, url: `${baseUrl}/webhook/${path}`, accepted: 0 };
}

/** Each call is an event of its own: none is a duplicate. */
async function eventsPerSecond(started: Started, key: string, duration: number): Promise<number> {
	const {
		'2xx': accepted,
		non2xx,
		errors,
		duration: took,
	} = await autocannon({
		url: started.url,
		method: 'POST',
		connections: CONNECTIONS,
		duration,
		headers: { 'content-type': 'application/json', [HEADER]: key },
		body: JSON.stringify({
			workflow_id: 'policy-intake',
			workflow_execution_id: '[<id>]',
			status: 'completed',
			metadata: {},
			steps: [],
		}),
		idReplacement: true,
	});
	if (non2xx > 0 || errors > 0)
		throw new Error(
			`${non2xx} calls were refused and ${errors} not answered: there is nothing to compare.`,
		);
	started.accepted += accepted;
	return accepted / took;
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

function sorted(values: number[]): number[] {
	return [...values].sort((a, b) => a - b);
}

void main(process.argv.slice(2));
