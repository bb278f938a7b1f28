/**
 * Prints how much CPU a check of an execution, a Get and a Create of 100 kB cost n8n: through this package, and through a minimal
 * node that only sends the same request with `httpRequestWithAuthentication`. Both run on one real n8n, in turns. The cost of one
 * request is the slope between a small and a large run: what n8n spends on each run does not count. `-- n8n-1` measures that line.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Table from 'cli-table3';
import { CREDENTIAL_TYPE } from '../harness/example-workflows';
import { installN8n, installNode } from '../harness/install';
import { startN8n } from '../harness/n8n';
import { connect, type WorkflowJson } from '../harness/n8n-rest';
import { packPackage } from '../harness/pack';
import { cpuSeconds, startService } from './measuring';

const ROUNDS = 5;
const SETTLED_AFTER = 1_500; // milliseconds in which n8n stores a run
const RUN_WITHIN = 300_000; // milliseconds
const WAYS = ['bare', 'package'] as const;

type Way = (typeof WAYS)[number];

interface Kind {
	name: string;
	/** Items, and requests for each item, of the small and the large run. */
	small: Size;
	large: Size;
	/** Size of the file that each item carries. */
	bytes: number;
	/** Parameters of the package's node. */
	parameters: Record<string, unknown>;
}

interface Size {
	items: number;
	times: number;
}

const EXECUTION = { executionId: '={{ $json.executionId }}' };

const KINDS: Kind[] = [
	{
		name: 'check while waiting',
		small: { items: 100, times: 1 },
		large: { items: 100, times: 11 },
		bytes: 0,
		parameters: {
			operation: 'wait',
			...EXECUTION,
			waiting: { firstCheckSeconds: 0.1, longestIntervalMinutes: 0.1 / 60 },
		},
	},
	{
		name: 'Get',
		small: { items: 100, times: 1 },
		large: { items: 1_100, times: 1 },
		bytes: 0,
		parameters: { operation: 'get', ...EXECUTION },
	},
	{
		name: 'Create, 100 kB',
		small: { items: 50, times: 1 },
		large: { items: 450, times: 1 },
		bytes: 100_000,
		parameters: { operation: 'create', inputDataFieldName: 'data' },
	},
];

async function main([line = 'n8n-2']: string[]): Promise<void> {
	if (line !== 'n8n-1' && line !== 'n8n-2') throw new Error(`There is no line "${line}".`);
	const report = (sentence: string) => console.error(sentence);
	await installNode(report);
	await installN8n(line, report);
	const packageTarball = await packPackage({ fresh: true, report });
	const service = await startService();
	const env = { N8N_CUSTOM_EXTENSIONS: join(__dirname, 'nodes') };
	const n8n = await startN8n({ line, packageTarball, env });
	const table = new Table({
		head: ['request', 'bare node', 'this package', 'beyond', 'ratio, median', 'lowest', 'highest'],
		style: { head: [], border: [], compact: true },
	});
	try {
		const client = await connect(n8n);
		const data = {
			environment: 'production',
			productionUrl: service.url,
			clientId: 'benchmark',
			clientSecret: 'not a secret',
		};
		const credential = { name: 'benchmark', type: CREDENTIAL_TYPE, data };
		const id = await client.createCredential(credential);
		const credentials = { [CREDENTIAL_TYPE]: { id, name: credential.name } };

		/** Seconds of CPU that n8n takes for a run. */
		const cpuOfRun = async (way: Way, kind: Kind, size: Size): Promise<number> => {
			const before = cpuSeconds(n8n.main.pid());
			const json = workflow(way, kind, size, credentials, service.url);
			const { status, error } = await client.runToEnd(json, RUN_WITHIN);
			if (status !== 'success')
				throw new Error(`The run ended as ${status}: ${JSON.stringify(error)}`);
			await sleep(SETTLED_AFTER);
			return cpuSeconds(n8n.main.pid()) - before;
		};
		/** Milliseconds of CPU that one request takes. */
		const cost = async (way: Way, kind: Kind): Promise<number> => {
			const { small, large } = kind;
			const seconds = -(await cpuOfRun(way, kind, small)) + (await cpuOfRun(way, kind, large));
			return (seconds * 1_000) / (large.items * large.times - small.items * small.times);
		};

		for (const kind of KINDS) {
			for (const way of WAYS) await cost(way, kind); // Node compiles what runs often
			const rounds: Array<Record<Way, number>> = [];
			for (let round = 1; round <= ROUNDS; round++) {
				rounds.push({ bare: await cost('bare', kind), package: await cost('package', kind) });
				report(`${kind.name}: round ${round} of ${ROUNDS}`);
			}
			const ratios = sorted(rounds.map((each) => each.package / each.bare));
			const bare = median(rounds.map((each) => each.bare));
			const own = median(rounds.map((each) => each.package));
			table.push([
				kind.name,
				...[bare, own, own - bare].map((milliseconds) => `${milliseconds.toFixed(2)} ms`),
				...[median(ratios), ratios[0], ratios.at(-1)].map((ratio) => (ratio ?? NaN).toFixed(2)),
			]);
		}
	} finally {
		await n8n.stop();
		service.stop();
	}
	console.log(`CPU of n8n (${line}) for one request, median of ${ROUNDS} rounds`);
	console.log(table.toString());
}

function workflow(
	way: Way,
	{ small, bytes, parameters }: Kind,
	{ items, times }: Size,
	credentials: Record<string, unknown>,
	baseUrl: string,
): WorkflowJson {
	const node = (name: string, type: string, given: object) => ({
		...{ id: name, name, type, typeVersion: 1, position: [0, 0], parameters: given },
	});
	const isRepeated = parameters.operation === 'wait';
	// The service lets an execution of this name end at so many checks.
	const prefix = isRepeated && way === 'package' ? `${times}-${randomUUID()}-` : 'e-';
	const send =
		way === 'bare'
			? node('Send', 'CUSTOM.benchmarkRequests', {
					operation: parameters.operation,
					executionId: EXECUTION.executionId,
					times,
					baseUrl,
				})
			: node('Send', 'n8n-nodes-document-workflow.documentWorkflow', {
					workflowId: { __rl: true, mode: 'id', value: 'w' },
					...parameters,
				});
	const next = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	return {
		name: `${way}, ${String(parameters.operation)}, ${items / small.items} × ${times}`,
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', {}),
			node('Items', 'CUSTOM.benchmarkItems', { count: items, bytes, prefix }),
			{ ...send, credentials },
		],
		connections: { Start: next('Items'), Items: next('Send') },
	};
}

function sorted(values: number[]): number[] {
	return [...values].sort((a, b) => a - b);
}

function median(values: number[]): number {
	return sorted(values)[Math.floor(values.length / 2)] ?? NaN;
}

void main(process.argv.slice(2));
