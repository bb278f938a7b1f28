import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { N8n } from '../../../harness/n8n';
import { output } from '../../../harness/n8n-execution';
import { chain, documentWorkflow, node, TEXT_ONLY } from '../flows';
import { withTrigger } from '../notifying';
import { publish } from '../published';
import { until, type World } from '../support';

const PAUSED = 500;
const STARTED_AT_A_TIME = 10;
const TOLD_ONCE = 'never-ending-cases';
const TOLD_TWICE = 'never-ending-cases-told-twice';
const MINUTE = 60_000;

/** What the node behind the pause has told of a case. */
interface Taken {
	caseNumber: string | null;
	executionId: string | null;
	status: string | null;
}

/** Pauses that outlive a crash of n8n. */
export function survivalSpec(world: () => World): void {
	it(
		'woken while the service cannot be read for more than a minute, a workflow goes on with the data when it can',
		async () => {
			const { client, simulator } = world();
			const { executions, faults } = simulator.state;
			await withTrigger(world(), { workflowIds: [TOLD_ONCE] }, async () => {
				const before = executions.all().length;
				const id = await client.run(
					await client.createWorkflow(
						chain(
							'Outage',
							documentWorkflow(world(), 'createAndWait', TOLD_ONCE, {
								...TEXT_ONLY,
								howToWait: 'pause',
							}),
						),
					),
				);
				await until(async () => (await client.execution(id)).status === 'waiting');
				// The trigger looks once, and so does what it wakes; the looks of the node fail for 70 s.
				faults.add({
					route: 'get',
					requests: { from: 3 },
					action: { type: 'status', status: 503 },
				});
				const [started] = executions.all().slice(before);
				await executions.finish(started?.executionId ?? '', { status: 'completed' });
				await until(async () => (await client.execution(id)).status === 'running');
				await sleep(70_000);
				expect((await client.execution(id)).status).toBe('running');
				faults.clear();
				expect(
					output(await client.waitForExecution(id, 2 * MINUTE), 'Document Workflow'),
				).toMatchObject([{ json: { executionId: started?.executionId, status: 'completed' } }]);
			});
		},
		4 * MINUTE,
	);

	it(
		`${PAUSED} workflows that pause survive that n8n is killed: notified out of order, one in five twice, each goes on once, with its own data`,
		async () => {
			const { client, n8n, simulator } = world();
			const { workflows, executions, deliveries, requests } = simulator.state;
			const workflowIds = [TOLD_ONCE, TOLD_TWICE];
			const register = await startRegister();
			try {
				const webhook = {
					delaySeconds: { fromSeconds: 0, toSeconds: 120 },
					retry: { attempts: 60, firstDelayMilliseconds: 2_000, longestDelayMilliseconds: 30_000 },
				};
				await withTrigger(world(), { workflowIds, webhook }, async ({ call }) => {
					const webhooks = workflows.find(TOLD_TWICE)?.webhooks ?? [];
					workflows.change(TOLD_TWICE, {
						webhooks: webhooks.map((webhook) => ({ ...webhook, duplicates: 1 })),
					});

					const before = executions.all().length;
					const begin = Date.now();
					const pausing = documentWorkflow(
						world(),
						'createAndWait',
						`={{ $json.body.number % 5 ? '${TOLD_ONCE}' : '${TOLD_TWICE}' }}`,
						{
							inputDataFieldName: '',
							textInputs: {
								pairs: [{ name: 'Case Number', value: '=CASE-{{ $json.body.number }}' }],
							},
							howToWait: 'pause',
						},
					);
					const url = `=${register.url}/{{ $('Start').item.json.body.number }}?case={{ $json.data.case[0].case_number }}&execution={{ $json.executionId }}&status={{ $json.status }}`;
					const flow = await publish(
						world(),
						chain(
							'Survives',
							pausing,
							node('Take', 'n8n-nodes-base.httpRequest', 4.2, { url, options: {} }),
						),
						'onReceived',
					);
					for (let number = 0; number < PAUSED; number += STARTED_AT_A_TIME) {
						await Promise.all(
							Array.from({ length: STARTED_AT_A_TIME }, async (_, index) =>
								flow.call({ number: number + index }),
							),
						);
					}
					await until(
						async () => (await client.countExecutions(flow.id, 'waiting')) === PAUSED,
						3 * MINUTE,
					);
					const pausedAt = Date.now();

					await n8n.main.end('SIGKILL');
					await n8n.main.start();
					await until(async () => (await call({})).status === 400, MINUTE);
					await untilRecovered(n8n);
					expect(await client.countExecutions(flow.id, 'waiting')).toBe(PAUSED);
					expect(register.taken.size).toBe(0);

					const restartedAt = Date.now();
					const started = executions.all().slice(before);
					expect(started).toHaveLength(PAUSED);
					const inRandomOrder = started.map(({ executionId }) => executionId).sort();
					await Promise.all(
						inRandomOrder.map(async (executionId) =>
							executions.finish(executionId, { status: 'completed' }),
						),
					);
					await until(() => register.taken.size === PAUSED, 10 * MINUTE);
					await until(
						() =>
							deliveries.all().filter(({ outcome }) => outcome === 'accepted').length ===
							PAUSED * 1.2,
						2 * MINUTE,
					);
					await until(
						async () => (await client.countExecutions(flow.id, 'success')) === PAUSED,
						MINUTE,
					);
					await sleep(2_000);

					const expected = started.map(({ executionId, userInputs }) => {
						const caseNumber = String(userInputs?.['Case Number']);
						return [
							caseNumber.replace('CASE-', ''),
							[{ caseNumber, executionId, status: 'completed' }],
						];
					});
					expect(Object.fromEntries(register.taken)).toEqual(Object.fromEntries(expected));
					expect(requests.all().filter(({ route }) => route === 'create')).toHaveLength(PAUSED);
					const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(0);
					console.log(
						`${n8n.line}: ${PAUSED} pauses began within ${seconds(begin, pausedAt)} s and ended within ${seconds(restartedAt, Date.now())} s, with ${deliveries.all().length} calls of the trigger.`,
					);
				});
			} finally {
				await register.stop();
			}
		},
		20 * MINUTE,
	);
}

/** After a crash n8n takes each pause in turn for crashed and then for waiting again, while it already answers. */
async function untilRecovered({ log }: N8n): Promise<void> {
	const recovered = () => log().split('[Recovery]').length;
	for (let before = 0; before !== recovered();) {
		before = recovered();
		await sleep(3_000);
	}
}

/** Writes down what the workflows hand over, by number. */
async function startRegister(): Promise<{
	url: string;
	taken: Map<string, Taken[]>;
	stop: () => Promise<void>;
}> {
	const taken = new Map<string, Taken[]>();
	const server = createServer((request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
		const number = pathname.slice(1);
		const entry = {
			caseNumber: searchParams.get('case'),
			executionId: searchParams.get('execution'),
			status: searchParams.get('status'),
		};
		taken.set(number, [...(taken.get(number) ?? []), entry]);
		response.setHeader('content-type', 'application/json').end('{}');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		taken,
		stop: async () => new Promise((resolve) => server.close(() => resolve())),
	};
}
