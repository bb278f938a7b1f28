/**
 * Whether n8n still answers others while it has large results or many items in hand: the slowest answer of `/healthz`, and the memory
 * that n8n takes, beside n8n's HTTP Request node that only gets the same answers.
 */
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import { z } from 'zod';
import { chain, documentWorkflow, node } from '../harness/flows';
import { peakWhile, residentBytes } from '../harness/memory';
import type { Report } from '../harness/report';
import { figureOf, type Figure } from './figures';
import { API, startService } from './measuring';
import { inTurns, NODES, withN8n, type Surroundings } from './surroundings';

const MEGABYTE = 1_000_000;
const ROUNDS = 5;
const PROBE_EVERY = 10; // milliseconds
const STORED_WITHIN = 300_000; // milliseconds
const PACKAGE = 'Document Workflow';
const HTTP = 'HTTP Request';

const event = z.object({
	ts: z.string(),
	payload: z.object({ executionId: z.string(), nodeName: z.string() }),
});

/** Get for each item. Its execution has that many rows of ten cells, 0.6 kB each. */
interface Load {
	name: string;
	items: number;
	rows: number;
	/** The target for the slowest answer while the node runs, in milliseconds. */
	atMost: number;
}

const LOADS: Load[] = [{ name: '500 results of 1 MB', items: 500, rows: 1_600, atMost: 300 }];

/** What one run took. */
interface Took {
	/** The slowest answer of `/healthz` while the node ran, in milliseconds. */
	slowestWhileRunning: number;
	/** The same until n8n had stored the run. */
	slowestUntilStored: number;
	/** The most memory that n8n took beyond that at rest, in megabytes. */
	memory: number;
}

export async function answering(report: Report): Promise<Figure[]> {
	const figures: Figure[] = [];
	for (const load of LOADS) {
		const service = await startService({ endsAtCheck: 1, rows: load.rows });
		try {
			const ways = {
				own: async () => tookBy(PACKAGE, load, service.url, report),
				other: async () => tookBy(HTTP, load, service.url, report),
			};
			const { own, other } = await inTurns(ROUNDS, ways, report);
			const beside = "n8n's HTTP Request node";
			const pick = (name: keyof Took) => ({
				beside,
				own: own.map((each) => each[name]),
				other: other.map((each) => each[name]),
			});
			figures.push(
				figureOf({
					name: `${load.name}: slowest /healthz while the node runs`,
					unit: 'ms',
					...pick('slowestWhileRunning'),
					target: { of: 'own', atMost: load.atMost },
				}),
				figureOf({
					name: `${load.name}: slowest /healthz until n8n has stored the run`,
					unit: 'ms',
					...pick('slowestUntilStored'),
				}),
				figureOf({
					name: `${load.name}: memory`,
					unit: 'MB',
					...pick('memory'),
				}),
			);
		} finally {
			service.stop();
		}
	}
	return figures;
}

/** In an n8n of its own, because n8n keeps memory that it once took. */
async function tookBy(sender: string, load: Load, url: string, report: Report): Promise<Took> {
	const wanted = { serviceUrl: url, report, env: { N8N_CUSTOM_EXTENSIONS: NODES } };
	const took = await withN8n(wanted, async (surroundings) =>
		runOnce(sender, load, url, surroundings),
	).catch((error: unknown) => {
		report(`${sender}: ${load.name}: ${String(error)}`);
		return NOT_ENDED;
	});
	report(`${sender}: ${load.name}: ${JSON.stringify(took)}`);
	return took;
}

/** n8n ended before the run did. */
const NOT_ENDED: Took = {
	slowestWhileRunning: NaN,
	slowestUntilStored: NaN,
	memory: NaN,
};

async function runOnce(
	sender: string,
	{ name, items }: Load,
	url: string,
	{ n8n, client, credential }: Surroundings,
): Promise<Took> {
	const flow = chain(
		name,
		node('Items', 'CUSTOM.benchmarkItems', 1, { count: items, prefix: '1-' }),
		sender === PACKAGE
			? documentWorkflow({ credential }, 'get', 'w', {
					executionId: '={{ $json.executionId }}',
				})
			: node(HTTP, 'n8n-nodes-base.httpRequest', 4.2, {
					url: `=${url}${API}/workflow-builder/workflows/w/executions/{{ $json.executionId }}`,
					options: {},
				}),
	);
	const pid = n8n.main.pid();
	const idle = residentBytes(pid);
	const probes: Array<{ sentAt: number; answeredAt: number }> = [];
	let isOver = false;
	// While n8n is held up, it would close a connection that is used again.
	const httpAgent = new Agent({ keepAlive: false });
	const probing = (async () => {
		while (!isOver) {
			const sentAt = Date.now();
			await axios.get(`${n8n.url}/healthz`, { proxy: false, httpAgent });
			probes.push({ sentAt, answeredAt: Date.now() });
			await sleep(PROBE_EVERY);
		}
	})();
	probing.catch(() => undefined); // awaited below
	const workflow = await client.createWorkflow(flow);
	const { result: id, bytes } = await peakWhile(pid, async () => {
		const started = await client.run(workflow);
		const deadline = Date.now() + STORED_WITHIN;
		// The n8n execution itself is too large to be asked for.
		while ((await client.countExecutions(workflow, 'success')) === 0) {
			if (Date.now() > deadline) throw new Error(`${sender}: ${name} did not end`);
			await sleep(500);
		}
		return started;
	}).finally(() => (isOver = true));
	await probing;
	const [begin = NaN, end = NaN] = timesOf(n8n.userFolder, id, sender);
	const within = probes.filter(({ sentAt, answeredAt }) => answeredAt > begin && sentAt < end);
	const waited = within.map(({ sentAt, answeredAt }) => Math.min(answeredAt, end) - sentAt);
	return {
		slowestWhileRunning: Math.max(...waited),
		slowestUntilStored: Math.max(...probes.map(({ sentAt, answeredAt }) => answeredAt - sentAt)),
		memory: (bytes - idle) / MEGABYTE,
	};
}

/** When a node of an n8n execution started and ended, in milliseconds since 1970, as n8n's log of events says. */
function timesOf(userFolder: string, executionId: string, nodeName: string): number[] {
	const lines = readFileSync(join(userFolder, '.n8n', 'n8nEventLog.log'), 'utf8').split('\n');
	return lines
		.filter((line) => line.includes('"eventName":"n8n.node.'))
		.map((line) => event.parse(JSON.parse(line)))
		.filter(
			({ payload: { executionId: id, nodeName: of } }) => id === executionId && of === nodeName,
		)
		.map(({ ts }) => Date.parse(ts));
}
