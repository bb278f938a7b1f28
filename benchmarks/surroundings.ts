/** What the parts of the benchmark share: a real n8n with the package, turns, and a hand-written client. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { CREDENTIAL_TYPE } from '../harness/example-workflows';
import { installN8n, installNode, type Line } from '../harness/install';
import { peakWhile } from '../harness/memory';
import { startN8n, type N8n } from '../harness/n8n';
import type { Execution } from '../harness/n8n-execution';
import { connect, type N8nClient, type WorkflowJson } from '../harness/n8n-rest';
import { packPackage } from '../harness/pack';
import { runLeashed } from '../harness/processes';
import type { Report } from '../harness/report';
import { cpuSeconds } from './measuring';

/** The login of the simulated service. */
export const LOGIN = { clientId: 'simulator-client', clientSecret: 'simulator-only-secret' };
/** The nodes of the benchmarks, for n8n's setting N8N_CUSTOM_EXTENSIONS. */
export const NODES = join(__dirname, 'nodes');
const SETTLED_AFTER = 1_500; // milliseconds in which n8n stores a run
const RUN_WITHIN = 600_000; // milliseconds

export interface Surroundings {
	n8n: N8n;
	client: N8nClient;
	/** Of the package, for the service. */
	credential: { id: string; name: string };
	/** A folder from which n8n may read files. */
	folder: string;
	run: (workflow: WorkflowJson) => Promise<Run>;
}

/** A run of a workflow, and what it cost n8n. */
export interface Run {
	execution: Execution;
	cpuMilliseconds: number;
	/** The most memory that n8n held meanwhile. */
	peakBytes: number;
}

export interface Wanted {
	serviceUrl: string;
	report: Report;
	line?: Line;
	env?: NodeJS.ProcessEnv;
}

/** Starts n8n with the package, and ends it after the work. */
export async function withN8n<T>(
	{ serviceUrl, report, line = 'n8n-2', env }: Wanted,
	work: (surroundings: Surroundings) => Promise<T>,
): Promise<T> {
	await installNode(report);
	await installN8n(line, report);
	const packageTarball = await packPackage({ report });
	const folder = await mkdtemp(join(tmpdir(), 'document-workflow-bench-'));
	try {
		const n8n = await startN8n({
			line,
			packageTarball,
			env: { N8N_RESTRICT_FILE_ACCESS_TO: folder, ...env },
		});
		try {
			const client = await connect(n8n);
			const credential = await storeCredential(client, serviceUrl);
			const run = async (workflow: WorkflowJson) => runIn({ n8n, client }, workflow);
			return await work({ n8n, client, credential, folder, run });
		} finally {
			await n8n.stop();
		}
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function storeCredential(
	client: N8nClient,
	url: string,
): Promise<Surroundings['credential']> {
	const name = 'benchmark';
	const input = { name, type: CREDENTIAL_TYPE, data: loginData(url) };
	return { id: await client.createCredential(input), name };
}

export function loginData(productionUrl: string): Record<string, unknown> {
	return { environment: 'production', productionUrl, ...LOGIN };
}

/** Runs a workflow to its end, whether it succeeds or not. */
async function runIn(
	{ n8n, client }: Pick<Surroundings, 'n8n' | 'client'>,
	workflow: WorkflowJson,
): Promise<Run> {
	const pid = n8n.main.pid();
	const before = cpuSeconds(pid);
	const { result, bytes } = await peakWhile(pid, async () => {
		const execution = await client.runToEnd(workflow, RUN_WITHIN);
		await sleep(SETTLED_AFTER);
		return execution;
	});
	const cpuMilliseconds = 1_000 * (cpuSeconds(pid) - before);
	return { execution: result, cpuMilliseconds, peakBytes: bytes };
}

export function requireSuccess(run: Run): Run {
	const { status, error } = run.execution;
	if (status === 'success') return run;
	throw new Error(`The run ended as ${status}: ${JSON.stringify(error)}`);
}

/** Does the work of each way in each round. The order changes with each round, so that no way always comes first. */
export async function inTurns<Way extends string, T>(
	rounds: number,
	ways: Record<Way, () => Promise<T>>,
	report: Report,
): Promise<Record<Way, T[]>> {
	const names = Object.keys(ways) as Way[];
	const results = Object.fromEntries(names.map((name): [string, T[]] => [name, []])) as Record<
		Way,
		T[]
	>;
	for (let round = 1; round <= rounds; round++) {
		for (const name of names) results[name].push(await ways[name]());
		names.reverse();
		report(`  round ${round} of ${rounds}`);
	}
	return results;
}

const clientResult = z.object({
	milliseconds: z.number(),
	cpuMilliseconds: z.number(),
	completed: z.number().optional(),
	sha256: z.string().optional(),
});

/** Gives a task to the hand-written client, which runs in the same Node as n8n. */
export async function byHand(
	task: 'documents' | 'upload',
	given: Record<string, unknown>,
	report: Report,
): Promise<z.infer<typeof clientResult>> {
	const node = await installNode(report);
	const args = [join(__dirname, 'client.mjs'), JSON.stringify({ task, login: LOGIN, ...given })];
	const { code, output } = await runLeashed(node, args);
	if (code !== 0) throw new Error(`The hand-written client failed: ${output}`);
	return clientResult.parse(JSON.parse(output));
}
