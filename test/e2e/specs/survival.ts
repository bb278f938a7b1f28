import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installNode } from '../../../harness/install';
import type { N8n } from '../../../harness/n8n';
import { runLeashed } from '../../../harness/processes';
import { silent } from '../../../harness/report';
import { startHandler, type Listening } from '../../servers';
import { chain, documentWorkflow, node } from '../flows';
import { publish, type Published } from '../published';
import type { Scope } from '../lines';
import { until, type World } from '../support';

const STARTED_AT_A_TIME = 10;
const ENDLESS = 'never-ending-cases';
const MINUTE = 60_000;

/** The report of the node after the pause. */
export interface Reported {
	caseNumber: string | null;
	executionId: string | null;
	status: string | null;
	/** In milliseconds since 1970. */
	at: number;
}

/** Pauses, and events of the trigger, that survive crashes of n8n. */
export function survivalSpec(world: () => World, { long }: Scope): void {
	const paused = long ? 500 : 10;

	it(
		`finishes each of ${paused} n8n executions once with its own data after n8n was killed twice`,
		async () => {
			const { clock, simulator } = world();
			const begin = Date.now();
			const waiting = { firstCheckSeconds: 1, longestIntervalMinutes: 1, pauseAfterSeconds: 6 };
			await withPaused(world(), paused, waiting, async ({ flow, ids, register }) => {
				const pausedAt = Date.now();
				await crash(world(), flow.id);
				await endAll(world(), ids.slice(paused / 2));
				await crash(world(), flow.id);
				const restartedAt = Date.now();
				await endAll(world(), ids);
				const areOver = async () => {
					// The long form waits for n8n's own checks.
					if (!long) {
						await clock.move(MINUTE);
						await clock.look();
					}
					return register.taken.size === paused;
				};
				await until(areOver, 15 * MINUTE, 3_000);
				await expectEachOnce(world(), flow.id, ids, register);
				if (!long) return;
				const ends = new Map(
					simulator.state.executions.all().map((each) => [each.executionId, each.completesAt]),
				);
				const lags = [...register.taken.values()]
					.flat()
					.map(
						({ executionId, at }) => at - Math.max(ends.get(executionId ?? '') ?? 0, restartedAt),
					);
				console.log(
					`${world().n8n.line}: ${paused} n8n executions paused within ${seconds(begin, pausedAt)} s and ended within ${seconds(restartedAt, Date.now())} s of the second restart, at most ${seconds(0, Math.max(...lags))} s after their end or the restart.`,
				);
				expect(Math.max(...lags)).toBeLessThan(4 * MINUTE);
			});
		},
		30 * MINUTE,
	);
}

const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(0);

interface Waiting {
	flow: Published;
	/** Of the executions in the service. */
	ids: string[];
	register: Register;
}

/** Starts n8n executions that pause, each for a case of its own, and that report their data to a register. */
async function withPaused(
	world: World,
	count: number,
	waiting: object,
	work: (waiting: Waiting) => Promise<void>,
): Promise<void> {
	const { client, simulator } = world;
	const { executions, requests } = simulator.state;
	const register = await startRegister();
	try {
		const pausing = documentWorkflow(world, 'createAndWait', ENDLESS, {
			documents: 'none',
			inputs: {
				textInputs: [{ name: 'Case Number', value: '=CASE-{{ $json.body.number }}' }],
			},
			waiting,
		});
		const url = `=${register.url}/{{ $('Start').item.json.body.number }}?case={{ $json.data.case[0].case_number }}&execution={{ $json.executionId }}&status={{ $json.status }}`;
		const take = node('Take', 'n8n-nodes-base.httpRequest', 4.2, { url, options: {} });
		const flow = await publish(world, chain('Survives', pausing, take), 'onReceived');
		const before = executions.all().length;
		requests.clear();
		for (let number = 0; number < count; number += STARTED_AT_A_TIME) {
			await Promise.all(
				Array.from({ length: STARTED_AT_A_TIME }, async (_, index) =>
					flow.call({ number: number + index }),
				),
			);
		}
		const started = () => executions.all().slice(before);
		const checked = () =>
			new Set(
				requests.all().flatMap(({ route, executionId }) => (route === 'get' ? executionId : [])),
			);
		await until(() => started().length === count && checked().size === count, 5 * MINUTE);
		// Some may already check again.
		const arePaused = async () => (await client.countExecutions(flow.id, 'waiting')) > 0.8 * count;
		await until(arePaused, 5 * MINUTE);
		await work({ flow, ids: started().map(({ executionId }) => executionId), register });
	} finally {
		await register.stop();
	}
}

/** Kills n8n at a moment when it checks nothing, because n8n gives up what runs when it is killed; and starts it again. */
async function crash({ client, n8n }: World, flowId: string): Promise<void> {
	const node = await installNode(silent);
	await until(async () => {
		if ((await client.countExecutions(flowId, 'running')) > 0) return false;
		process.kill(n8n.main.pid(), 'SIGSTOP'); // a check may have begun since
		const isIdle = (await countRunning(n8n, node)) === 0;
		if (!isIdle) process.kill(n8n.main.pid(), 'SIGCONT');
		return isIdle;
	}, 5 * MINUTE);
	const recoveries = () => n8n.log().split('Found unfinished executions').length;
	const before = recoveries();
	await n8n.main.end('SIGKILL');
	await n8n.main.start();
	// n8n answers before it has recovered. If it is killed meanwhile, its next start leaves all pauses as crashed.
	await until(() => recoveries() > before, 5 * MINUTE);
	await until(async () => (await client.countExecutions(flowId, 'crashed')) === 0, 5 * MINUTE);
}

/** Asks the database, because n8n stands still. NaN if that cannot be read. */
async function countRunning({ userFolder }: N8n, node: string): Promise<number> {
	const file = join(userFolder, '.n8n', 'database.sqlite');
	const count = `SELECT COUNT(*) AS running FROM execution_entity WHERE status = 'running'`;
	const script = `const { DatabaseSync } = require('node:sqlite');
		console.log(new DatabaseSync(${JSON.stringify(file)}, { readOnly: true }).prepare(${JSON.stringify(count)}).get().running);`;
	const { output } = await runLeashed(node, ['--no-warnings', '-e', script]);
	return Number(output);
}

/** Ends executions of the service in random order: identifiers are random. */
async function endAll({ simulator }: World, ids: string[]): Promise<void> {
	const { executions } = simulator.state;
	await Promise.all(
		[...ids].sort().map(async (id) => executions.finish(id, { status: 'completed' })),
	);
}

/** Each n8n execution has succeeded, and has reported the data of its own case once. */
async function expectEachOnce(
	{ client, simulator }: World,
	flowId: string,
	ids: string[],
	{ taken }: Register,
): Promise<void> {
	const { executions, requests } = simulator.state;
	await until(async () => (await client.countExecutions(flowId, 'success')) === ids.length);
	await sleep(2_000);
	const expected = ids.map((executionId) => {
		const caseNumber = String(executions.find(executionId)?.userInputs?.['Case Number']);
		const report = { caseNumber, executionId, status: 'completed', at: expect.any(Number) };
		return [caseNumber.replace('CASE-', ''), [report]];
	});
	expect(Object.fromEntries(taken)).toEqual(Object.fromEntries(expected));
	expect(requests.all().filter(({ route }) => route === 'create')).toHaveLength(ids.length);
}

/** A server that records the reports of the workflows by number. */
export interface Register extends Listening {
	taken: Map<string, Reported[]>;
}

export async function startRegister(): Promise<Register> {
	const taken = new Map<string, Reported[]>();
	const server = await startHandler((request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
		const number = pathname.slice(1);
		const entry = {
			caseNumber: searchParams.get('case'),
			executionId: searchParams.get('execution'),
			status: searchParams.get('status'),
			at: Date.now(),
		};
		taken.set(number, [...(taken.get(number) ?? []), entry]);
		response.setHeader('content-type', 'application/json').end('{}');
	});
	return { ...server, taken };
}
