import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RestartableProcess } from '../../../harness/n8n-restartable';
import { output } from '../../../harness/n8n-execution';
import { chain, documentWorkflow, EARLY, node, numbers, split, TEXT_ONLY } from '../flows';
import { withTrigger } from '../notifying';
import { publish, type Published } from '../published';
import type { Scope } from '../lines';
import { DOCUMENTS, expectedOf, until, WEBHOOK_KEY, type QueueWorld } from '../support';

const DOCUMENT = 'declarations-page';
const PARALLEL = 12;
const MINUTE = 60_000; // milliseconds
const HOUR = 60 * MINUTE;
/** After a restart, pauses are checked within two and a half minutes. */
const RESTARTS_TIMEOUT = 5 * MINUTE;

/** n8n in queue mode: a webhook process takes the calls, two workers run the node, main has the editor and the timers. */
export function queueSpec(world: () => QueueWorld, { long }: Scope): void {
	const publishQuick = async () =>
		publish(
			world(),
			chain(
				'Quick',
				documentWorkflow(world(), 'createAndWait', 'quick', { ...TEXT_ONLY, ...EARLY }),
			),
		);

	/** The worker that finished an n8n execution, and the other one. */
	const workersOf = async (
		executionId: string,
	): Promise<[RestartableProcess, RestartableProcess]> => {
		const [one, two] = world().n8n.workers;
		await until(() => has(one, executionId) || has(two, executionId));
		expect(has(one, executionId) && has(two, executionId)).toBe(false);
		return has(one, executionId) ? [one, two] : [two, one];
	};
	const has = (worker: RestartableProcess, executionId: string) =>
		worker.log().includes(`Worker finished execution ${executionId} (`);

	/** An active workflow that waits for six executions, with a node behind the wait. */
	const publishPausing = async () => {
		const pausing = documentWorkflow(world(), 'createAndWait', 'never-ending', {
			...TEXT_ONLY,
			waiting: { firstCheckSeconds: 1, pauseAfterSeconds: 1800 },
		});
		return publish(
			world(),
			chain('Pausing', numbers(6), split(), pausing, node('Next', 'n8n-nodes-base.noOp', 1, {})),
			'onReceived',
		);
	};
	/** Starts it, and moves the clock on so that it pauses for nine minutes; `finish` ends its executions in the service. */
	const pause = async (flow: Published) => {
		const { client, clock, simulator } = world();
		const before = simulator.state.executions.all().length;
		const checks = () =>
			simulator.state.requests.all().filter(({ route }) => route === 'get').length;
		const checksBefore = checks();
		await flow.call();
		const id = (await flow.executionIds(1)).at(-1) ?? '';
		await until(() => checks() - checksBefore >= 6, RESTARTS_TIMEOUT);
		await clock.move(HOUR);
		await until(async () => (await client.execution(id)).status === 'waiting', RESTARTS_TIMEOUT);
		const ids = simulator.state.executions
			.all()
			.slice(before)
			.map(({ executionId }) => executionId);
		return {
			id,
			ids,
			finish: async () =>
				Promise.all(
					ids.map(async (each) => simulator.state.executions.finish(each, { status: 'completed' })),
				),
		};
	};
	const expectDataOnce = async (id: string, ids: string[]) => {
		const execution = await world().client.waitForExecution(id, RESTARTS_TIMEOUT);
		expect(execution.error?.message).toBeUndefined();
		expect(execution.runs.Next).toHaveLength(1);
		expect(
			output(execution, 'Next')
				.map(({ json }) => [json.executionId, json.status])
				.sort(),
		).toEqual(ids.map((each) => [each, 'completed']).sort());
	};
	/** Moves the clock on to the next check. */
	const checkNow = async () => {
		await world().clock.move(10 * MINUTE);
		await world().clock.look();
	};

	it('sends a document that is posted to the webhook process from a worker, and answers with its data', async () => {
		const { client, simulator, n8n } = world();
		const { workflowId, steps } = expectedOf(DOCUMENT);
		const bytes = readFileSync(join(DOCUMENTS, `${DOCUMENT}.pdf`));
		const flow = await publish(
			world(),
			chain(
				'Webhook',
				documentWorkflow(world(), 'createAndWait', workflowId, {
					inputDataFieldName: 'document',
					...EARLY,
				}),
			),
		);
		const form = new FormData();
		form.append('document', new Blob([bytes], { type: 'application/pdf' }), `${DOCUMENT}.pdf`);
		const answer = await flow.call(form);
		expect(answer).toMatchObject({ workflowId, status: 'completed', data: steps });
		const started = simulator.state.executions.find(
			String((answer as Record<string, unknown>).executionId),
		);
		expect(started?.files).toMatchObject([
			{ fileName: `${DOCUMENT}.pdf`, sha256: createHash('sha256').update(bytes).digest('hex') },
		]);

		const [executionId = ''] = await flow.executionIds(1);
		expect((await client.waitForExecution(executionId)).status).toBe('success');
		await workersOf(executionId);
		expect(n8n.webhook.log()).toContain(`Enqueued execution ${executionId} (`);
		expect((await fetch(n8n.url + flow.path, { method: 'POST' })).status).toBe(404);
	});

	it(
		'continues a pause once on the other worker, and creates nothing twice, when a worker is killed',
		async () => {
			const { simulator } = world();
			const flow = await publishPausing();
			const { id, ids, finish } = await pause(flow);
			const [first] = await workersOf(id);
			await first.end('SIGKILL');
			try {
				await finish();
				await checkNow();
				await expectDataOnce(id, ids);
				expect(
					simulator.state.requests.all().filter(({ route }) => route === 'create'),
				).toHaveLength(ids.length);
			} finally {
				await first.start();
			}
		},
		RESTARTS_TIMEOUT,
	);

	it(
		'starts an event once that two webhook processes get in turns',
		async () => {
			const { client, n8n, simulator } = world();
			const body = { status: 'completed', metadata: {}, steps: [] };
			simulator.state.faults.add({ route: 'get', action: { type: 'status', status: 200, body } });
			await n8n.otherWebhook.start();
			try {
				await withTrigger(world(), { workflowIds: [] }, async ({ id, url, call }) => {
					const otherUrl = url.replace(n8n.webhookUrl, n8n.otherWebhook.url);
					const callOther = async (event: object) => {
						const headers = { 'x-api-key': WEBHOOK_KEY, 'content-type': 'application/json' };
						const sent = { method: 'POST', headers, body: JSON.stringify(event) };
						return (await fetch(otherUrl, sent)).json() as Promise<unknown>;
					};
					const events = Array.from({ length: 10 }, (_, index) => ({
						workflow_id: 'w',
						workflow_execution_id: `in-turns-${index}`,
						...body,
					}));
					const duplicate = { outcome: 'duplicate' };
					for (const [index, event] of events.entries())
						if (index % 2 === 0) await call(event);
						else await callOther(event);
					await sleep(11_000);
					for (const event of events) {
						expect((await call(event)).data).toMatchObject(duplicate);
						expect(await callOther(event)).toMatchObject(duplicate);
					}
					expect(await client.executionIds(id)).toHaveLength(events.length);
				});
			} finally {
				await n8n.otherWebhook.stop();
			}
		},
		RESTARTS_TIMEOUT,
	);

	it('shares work and one token between the workers', async () => {
		const { simulator, n8n } = world();
		const flow = await publishQuick();
		simulator.state.tokens.revokeAll();
		const before = simulator.state.tokens.issued;
		await flow.call();
		const answers = await Promise.all(Array.from({ length: PARALLEL }, async () => flow.call()));
		expect(answers).toMatchObject(answers.map(() => ({ status: 'completed' })));
		const ids = await flow.executionIds(PARALLEL + 1);
		expect(ids).toHaveLength(PARALLEL + 1);
		for (const id of ids) await workersOf(id);
		for (const worker of n8n.workers)
			expect(ids.filter((id) => has(worker, id)).length).toBeGreaterThan(0);
		expect(simulator.state.tokens.issued - before).toBe(1);
	});

	it(
		'processes documents while main is down, and after main and the webhook process were killed and restarted',
		async () => {
			const { client, n8n } = world();
			const flow = await publishQuick();
			expect(await flow.call()).toMatchObject({ status: 'completed' });
			await n8n.main.end('SIGKILL');
			expect(await flow.call()).toMatchObject({ status: 'completed' });
			await n8n.webhook.end('SIGKILL');
			await Promise.all([n8n.main.start(), n8n.webhook.start()]);
			expect(await flow.call()).toMatchObject({ status: 'completed' });
			const executions = await Promise.all(
				(await flow.executionIds(3)).map(async (id) => client.execution(id)),
			);
			expect(executions.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
		},
		RESTARTS_TIMEOUT,
	);

	if (!long) return;

	it(
		'continues a pause after a restart of all processes, and the trigger still knows its earlier events',
		async () => {
			const { client, n8n, simulator } = world();
			await withTrigger(world(), { workflowIds: ['never-ending'] }, async (notified) => {
				const before = simulator.state.executions.all().length;
				await client.runToEnd(
					chain('Alone', documentWorkflow(world(), 'create', 'never-ending', TEXT_ONLY)),
				);
				const [alone] = simulator.state.executions.all().slice(before);
				await simulator.state.executions.finish(alone?.executionId ?? '', { status: 'completed' });
				await client.executionIds(notified.id, 1);

				const flow = await publishPausing();
				const { id, ids, finish } = await pause(flow);
				const all = [...n8n.workers, n8n.webhook, n8n.main];
				await Promise.all(all.map(async (each) => each.end('SIGTERM')));
				await Promise.all(all.map(async (each) => each.start()));
				await finish();
				await checkNow();
				await expectDataOnce(id, ids);
				// An event always starts the workflow of the trigger, also of an execution that another waits for.
				const started = await client.executionIds(notified.id, ids.length + 1);
				const again = {
					workflow_id: 'never-ending',
					workflow_execution_id: alone?.executionId,
					status: 'completed',
					metadata: {},
					steps: [],
				};
				expect((await notified.call(again)).data).toMatchObject({ outcome: 'duplicate' });
				expect(await client.executionIds(notified.id)).toHaveLength(started.length);
			});
		},
		2 * RESTARTS_TIMEOUT,
	);
}
