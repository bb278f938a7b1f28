import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { N8n } from '../../../harness/n8n';
import { chain, documentWorkflow, node } from '../flows';
import { withTrigger } from '../notifying';
import { publish } from '../published';
import type { Scope } from '../lines';
import { until, type World } from '../support';

const STARTED_AT_A_TIME = 10;
const NOTIFIED_ONCE = 'never-ending-cases';
const NOTIFIED_TWICE = 'never-ending-cases-notified-twice';
const MINUTE = 60_000;

/** The report of the node after the pause. */
interface Reported {
	caseNumber: string | null;
	executionId: string | null;
	status: string | null;
}

/** Pauses that survive a crash of n8n. */
export function survivalSpec(world: () => World, { long }: Scope): void {
	const { paused, delaySeconds } = long
		? { paused: 500, delaySeconds: 120 }
		: { paused: 20, delaySeconds: 5 };
	const retry = long
		? { attempts: 60, firstDelayMilliseconds: 2_000, longestDelayMilliseconds: 30_000 }
		: { attempts: 60, firstDelayMilliseconds: 500, longestDelayMilliseconds: 2_000 };

	it(
		'recognizes twenty events that came at once after a restart in which nothing else was sent',
		async () => {
			const { client, n8n, simulator } = world();
			const body = { status: 'completed', metadata: {}, steps: [] };
			simulator.state.faults.add({ route: 'get', action: { type: 'status', status: 200, body } });
			await withTrigger(world(), { workflowIds: [] }, async ({ id, call }) => {
				const events = Array.from({ length: 20 }, (_, index) => ({
					workflow_id: NOTIFIED_ONCE,
					workflow_execution_id: `remembered-${index}`,
					...body,
				}));
				const sendAll = async () => Promise.all(events.map(async (event) => call(event)));
				expect((await sendAll()).map(({ status }) => status)).toEqual(events.map(() => 200));
				await until(async () => (await client.executionIds(id)).length === events.length);

				await n8n.main.end('SIGTERM');
				await n8n.main.start();
				await until(async () => (await call({})).status === 400, MINUTE);
				expect((await sendAll()).map(({ data }) => data)).toMatchObject(
					events.map(() => ({ started: false, events: [{ outcome: 'duplicate' }] })),
				);
				expect(await client.executionIds(id)).toHaveLength(events.length);
			});
		},
		3 * MINUTE,
	);

	it(
		`resumes each of ${paused} pauses once with its own data after n8n was killed, notified out of order and one in five twice`,
		async () => {
			const { client, n8n, simulator } = world();
			const { workflows, executions, deliveries, requests } = simulator.state;
			const workflowIds = [NOTIFIED_ONCE, NOTIFIED_TWICE];
			const register = await startRegister();
			try {
				const webhook = {
					delaySeconds: { fromSeconds: 0, toSeconds: delaySeconds },
					retry,
				};
				await withTrigger(world(), { workflowIds, webhook }, async ({ call }) => {
					const webhooks = workflows.find(NOTIFIED_TWICE)?.webhooks ?? [];
					workflows.change(NOTIFIED_TWICE, {
						webhooks: webhooks.map((webhook) => ({ ...webhook, duplicates: 1 })),
					});

					const before = executions.all().length;
					const begin = Date.now();
					const pausing = documentWorkflow(
						world(),
						'createAndWait',
						`={{ $json.body.number % 5 ? '${NOTIFIED_ONCE}' : '${NOTIFIED_TWICE}' }}`,
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
					for (let number = 0; number < paused; number += STARTED_AT_A_TIME) {
						await Promise.all(
							Array.from({ length: STARTED_AT_A_TIME }, async (_, index) =>
								flow.call({ number: number + index }),
							),
						);
					}
					await until(
						async () => (await client.countExecutions(flow.id, 'waiting')) === paused,
						3 * MINUTE,
					);
					const pausedAt = Date.now();

					await n8n.main.end('SIGKILL');
					await n8n.main.start();
					await until(async () => (await call({})).status === 400, MINUTE);
					await untilRecovered(n8n);
					expect(await client.countExecutions(flow.id, 'waiting')).toBe(paused);
					expect(register.taken.size).toBe(0);

					const restartedAt = Date.now();
					const started = executions.all().slice(before);
					expect(started).toHaveLength(paused);
					const inRandomOrder = started.map(({ executionId }) => executionId).sort();
					await Promise.all(
						inRandomOrder.map(async (executionId) =>
							executions.finish(executionId, { status: 'completed' }),
						),
					);
					await until(() => register.taken.size === paused, 10 * MINUTE);
					await until(
						() =>
							deliveries.all().filter(({ outcome }) => outcome === 'accepted').length ===
							paused * 1.2,
						2 * MINUTE,
					);
					await until(
						async () => (await client.countExecutions(flow.id, 'success')) === paused,
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
					expect(requests.all().filter(({ route }) => route === 'create')).toHaveLength(paused);
					const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(0);
					console.log(
						`${n8n.line}: ${paused} pauses began within ${seconds(begin, pausedAt)} s and ended within ${seconds(restartedAt, Date.now())} s, with ${deliveries.all().length} calls of the trigger.`,
					);
				});
			} finally {
				await register.stop();
			}
		},
		20 * MINUTE,
	);
}

/** After a crash n8n marks each pause as crashed and then as waiting again, while it already answers. */
async function untilRecovered({ log }: N8n): Promise<void> {
	const recovered = () => log().split('[Recovery]').length;
	for (let before = 0; before !== recovered();) {
		before = recovered();
		await sleep(2_000);
	}
}

/** A server that records the reports of the workflows by number. */
async function startRegister(): Promise<{
	url: string;
	taken: Map<string, Reported[]>;
	stop: () => Promise<void>;
}> {
	const taken = new Map<string, Reported[]>();
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
