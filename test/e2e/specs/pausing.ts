import { setTimeout as sleep } from 'node:timers/promises';
import { output } from '../../../harness/n8n-execution';
import type { WorkflowJson } from '../../../harness/n8n-rest';
import { chain, documentWorkflow, node, numbers, split, TEXT_ONLY } from '../flows';
import { withTrigger } from '../notifying';
import type { Scope } from '../lines';
import { until, type World } from '../support';

const NODE = 'Document Workflow';
const MINUTE = 60_000;
const PAUSE = { ...TEXT_ONLY, howToWait: 'pause' };

/** Pausing an n8n execution until the service reports that its executions have ended. */
export function pausingSpec(world: () => World, { differencesOnly }: Scope): void {
	const state = () => world().simulator.state;
	const creates = () =>
		state()
			.requests.all()
			.filter(({ route, status }) => route === 'create' && status === 200).length;
	const checks = () =>
		state()
			.requests.all()
			.filter(({ route }) => route === 'get').length;
	const deliveries = () => state().deliveries.all();
	const isPaused = async (id: string) => (await world().client.execution(id)).status === 'waiting';

	async function start(flow: WorkflowJson): Promise<string> {
		const { client } = world();
		return client.run(await client.createWorkflow(flow));
	}

	/** Ends the executions of the service that were started after the first `from`. */
	async function finish(from: number, status: 'completed' | 'failed' = 'completed'): Promise<void> {
		const started = state().executions.all().slice(from);
		await Promise.all(
			started.map(async ({ executionId }) => state().executions.finish(executionId, { status })),
		);
	}

	it(
		'Create and Wait pauses until it is notified and then returns the data, without a check in between',
		async () => {
			await withTrigger(world(), { workflowIds: ['never-ending'] }, async () => {
				const before = state().executions.all().length;
				const id = await start(
					chain(
						'Pause',
						documentWorkflow(world(), 'createAndWait', 'never-ending', {
							...PAUSE,
							options: { externalId: 'CASE-1' },
						}),
					),
				);
				await until(async () => isPaused(id));
				await sleep(1_500);
				expect(checks()).toBe(0);
				const [{ metadata } = { metadata: null }] = state().executions.all().slice(before);
				expect(JSON.stringify(metadata)).not.toContain('webhook-waiting');
				await finish(before);
				const execution = await world().client.waitForExecution(id, MINUTE);
				expect(execution.status).toBe('success');
				expect(output(execution, NODE)).toMatchObject([
					{
						json: { status: 'completed', workflowId: 'never-ending', externalId: 'CASE-1' },
						pairedItem: { item: 0 },
					},
				]);
				expect(output(execution, NODE)[0]?.json.metadata).toEqual({ external_id: 'CASE-1' });
				await until(() => deliveries().length > 0); // n8n can be done before the service has noted the answer
				expect(deliveries()).toMatchObject([{ answer: 200, attempt: 1 }]);
				expect(creates()).toBe(1);
				expect(checks()).toBeLessThanOrEqual(4);
			});
		},
		2 * MINUTE,
	);

	it(
		'a sub-workflow gives its result to the workflow that waits for it on n8n 2, and refuses to pause on n8n 1 before it sends anything',
		async () => {
			const { client, n8n } = world();
			await withTrigger(world(), { workflowIds: ['never-ending'] }, async () => {
				const before = state().executions.all().length;
				const sub = chain(
					'Sub-workflow',
					documentWorkflow(world(), 'createAndWait', 'never-ending', PAUSE),
				);
				const inputs = { inputSource: 'passthrough' };
				const begin = node('Start', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, inputs);
				const nodes = [begin, ...sub.nodes.slice(1)];
				const workflowId = {
					__rl: true,
					mode: 'id',
					value: await client.createWorkflow({ ...sub, nodes }),
				};
				const call = node('Call', 'n8n-nodes-base.executeWorkflow', 1.2, {
					workflowId,
					options: {},
				});
				const id = await start(chain('Parent', numbers(1), call));
				if (n8n.line === 'n8n-1') {
					const { error } = await client.waitForExecution(id, MINUTE);
					expect(error?.message).toContain(
						'On n8n 1 a sub-workflow cannot pause until it is notified',
					);
					expect(state().executions.all()).toHaveLength(before);
					return;
				}
				await until(async () => state().executions.all().length > before && isPaused(id));
				await finish(before);
				const execution = await client.waitForExecution(id, MINUTE);
				expect(output(execution, 'Call')).toMatchObject([{ json: { status: 'completed' } }]);
			});
		},
		2 * MINUTE,
	);

	it(
		'loses no notification that comes before the pause is stored, while the last item is being created',
		async () => {
			await withTrigger(
				world(),
				{ workflowIds: ['quick', 'never-ending'], webhook: { duplicates: 1 } },
				async () => {
					// The first ends half a second after it was created; the second create takes four seconds.
					state().faults.add({
						route: 'create',
						workflowId: 'never-ending',
						action: { type: 'delay', milliseconds: 4_000 },
					});
					const before = state().executions.all().length;
					const byNumber = "={{ ['quick', 'never-ending'][$json.numbers] }}";
					const id = await start(
						chain(
							'Early',
							numbers(2),
							split(),
							documentWorkflow(world(), 'createAndWait', byNumber, PAUSE),
						),
					);
					const firstHasEnded = () =>
						state()
							.executions.all()
							.slice(before)
							.some(({ workflowId, status }) => workflowId === 'quick' && status === 'completed');
					await until(firstHasEnded, MINUTE);
					expect(await isPaused(id)).toBe(false);
					await until(async () => isPaused(id), MINUTE);
					await finish(before);
					const execution = await world().client.waitForExecution(id, MINUTE);
					expect(output(execution, NODE).map(({ json }) => [json.workflowId, json.status])).toEqual(
						[
							['quick', 'completed'],
							['never-ending', 'completed'],
						],
					);
					await until(
						() => deliveries().filter(({ outcome }) => outcome === 'accepted').length === 4,
						MINUTE,
					);
				},
			);
		},
		3 * MINUTE,
	);

	it(
		'resumes once when six notifications come at the same moment',
		async () => {
			await withTrigger(world(), { workflowIds: ['never-ending'] }, async () => {
				const before = state().executions.all().length;
				const next = node('Next', 'n8n-nodes-base.noOp', 1, {});
				const id = await start(
					chain(
						'Same moment',
						numbers(6),
						split(),
						documentWorkflow(world(), 'createAndWait', 'never-ending', PAUSE),
						next,
					),
				);
				await until(async () => isPaused(id));
				await finish(before);
				const execution = await world().client.waitForExecution(id, MINUTE);
				expect(execution.status).toBe('success');
				expect(execution.runs.Next).toHaveLength(1);
				expect(output(execution, 'Next').map(({ json }) => json.status)).toEqual(
					Array(6).fill('completed'),
				);
				await until(
					() => deliveries().filter(({ outcome }) => outcome === 'accepted').length === 6,
				);
			});
		},
		2 * MINUTE,
	);

	it(
		'does not retry with Retry On Fail what the service rejected before the pause',
		async () => {
			await withTrigger(world(), { workflowIds: ['never-ending'] }, async () => {
				const before = state().executions.all().length;
				// The first item has an error, for which n8n runs the node again.
				const byNumber = "={{ ['no-such-workflow', 'never-ending'][$json.numbers] }}";
				const settings = {
					onError: 'continueErrorOutput',
					retryOnFail: true,
					maxTries: 3,
					waitBetweenTries: 100,
				};
				const id = await start(
					chain(
						'Refused',
						numbers(2),
						split(),
						documentWorkflow(world(), 'createAndWait', byNumber, PAUSE, settings),
					),
				);
				await until(async () => isPaused(id), MINUTE);
				await finish(before);
				const execution = await world().client.waitForExecution(id, MINUTE);
				expect(output(execution, NODE)).toMatchObject([{ json: { status: 'completed' } }]);
				expect(output(execution, NODE, 1)).toMatchObject([
					{ json: { error: { message: 'The workflow "no-such-workflow" was not found' } } },
				]);
				expect(
					state()
						.requests.all()
						.filter(({ route }) => route === 'create')
						.map(({ status }) => status)
						.sort(),
				).toEqual([200, 404]);
			});
		},
		2 * MINUTE,
	);

	it(
		"Wait for Completion polls in a retry from n8n's list, because no notification can resume a retry",
		async () => {
			const { client } = world();
			const before = state().executions.all().length;
			const create = {
				...documentWorkflow(world(), 'create', 'never-ending', TEXT_ONLY),
				id: 'create',
				name: 'Create',
			};
			const wait = documentWorkflow(world(), 'wait', 'never-ending', {
				executionId: '={{ $json.executionId }}',
				howToWait: 'pause',
			});
			state().faults.add({
				route: 'get',
				requests: { to: 1 },
				action: { type: 'status', status: 403 },
			});
			const rejected = await client.runToEnd(chain('Retried', create, wait));
			expect(rejected.status).toBe('error');
			// n8n's answer comes when the retry has ended.
			const retried = client.retryExecution(rejected.id);
			await until(() => checks() >= 2, MINUTE); // the first belongs to the failed run
			await finish(before);
			const execution = await client.execution(await retried);
			expect(execution.status).toBe('success');
			expect(output(execution, NODE)).toMatchObject([
				{
					json: { status: 'completed', executionId: state().executions.all()[before]?.executionId },
				},
			]);
			expect(creates()).toBe(1);
		},
		2 * MINUTE,
	);

	it(
		'accepts a notification for a stopped and for a deleted workflow, and resumes neither',
		async () => {
			await withTrigger(world(), { workflowIds: ['never-ending'] }, async () => {
				const { client } = world();
				const before = state().executions.all().length;
				const stopped = await start(
					chain('Stopped', documentWorkflow(world(), 'createAndWait', 'never-ending', PAUSE)),
				);
				const deleted = await client.createWorkflow(
					chain('Deleted', documentWorkflow(world(), 'createAndWait', 'never-ending', PAUSE)),
				);
				const gone = await client.run(deleted);
				for (const id of [stopped, gone]) await until(async () => isPaused(id), MINUTE);
				await client.stopExecution(stopped);
				await client.deleteWorkflow(deleted);
				await finish(before);
				await until(
					() => deliveries().filter(({ outcome }) => outcome === 'accepted').length === 2,
					MINUTE,
				);
				await sleep(2_000);
				expect((await client.execution(stopped)).status).toBe('canceled');
			});
		},
		2 * MINUTE,
	);

	if (differencesOnly) return;

	it(
		'Wait for Completion behind a Create pauses only for what still runs',
		async () => {
			await withTrigger(world(), { workflowIds: ['never-ending', 'quick'] }, async () => {
				const before = state().executions.all().length;
				const create = {
					...documentWorkflow(
						world(),
						'create',
						"={{ ['never-ending', 'quick'][$json.numbers] }}",
						TEXT_ONLY,
					),
					id: 'create',
					name: 'Create',
				};
				const pause = node('Pause', 'n8n-nodes-base.wait', 1.1, { amount: 2 });
				const wait = documentWorkflow(world(), 'wait', '={{ $json.workflowId }}', {
					executionId: '={{ $json.executionId }}',
					howToWait: 'pause',
				});
				const id = await start(
					chain('Create, then wait', numbers(2), split(), create, pause, wait),
				);
				await until(async () => (await isPaused(id)) && checks() >= 2, MINUTE);
				await finish(before);
				const execution = await world().client.waitForExecution(id, MINUTE);
				expect(
					output(execution, NODE).map(({ json, pairedItem }) => [
						json.workflowId,
						json.status,
						pairedItem,
					]),
				).toEqual([
					['never-ending', 'completed', { item: 0 }],
					['quick', 'completed', { item: 1 }],
				]);
			});
		},
		2 * MINUTE,
	);

	it(
		'resumes when the last of many items has ended, with few checks for each notification',
		async () => {
			const count = 20;
			await withTrigger(world(), { workflowIds: ['cases'] }, async () => {
				const before = state().executions.all().length;
				const id = await start(
					chain(
						'Many',
						numbers(count),
						split(),
						documentWorkflow(world(), 'createAndWait', 'cases', PAUSE),
					),
				);
				const execution = await world().client.waitForExecution(id, 3 * MINUTE);
				const items = output(execution, NODE);
				expect(items.map(({ json }) => json.status)).toEqual(Array(count).fill('completed'));
				expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
					Array.from({ length: count }, (_, item) => ({ item })),
				);
				expect(creates()).toBe(count);
				const started = state().executions.all().slice(before);
				expect(items.map(({ json }) => json.executionId).sort()).toEqual(
					started.map(({ executionId }) => executionId).sort(),
				);
				await until(
					() => deliveries().filter(({ outcome }) => outcome === 'accepted').length === count,
				);
				console.log(
					`${world().n8n.line}: ${count} executions in one pause, ${checks()} checks, ${deliveries().length} calls of the trigger.`,
				);
				// The trigger checks each execution, once more where it asked for a retry; the paused n8n execution checks a few, and the node all when it resumes.
				expect(checks()).toBeLessThanOrEqual(count * 4 + deliveries().length);
			});
		},
		4 * MINUTE,
	);

	it(
		'stops, returns the item through the Error output, or continues when an execution fails, as set',
		async () => {
			await withTrigger(world(), { workflowIds: ['never-ending'] }, async () => {
				const before = state().executions.all().length;
				const flows = [
					chain('Stop', documentWorkflow(world(), 'createAndWait', 'never-ending', PAUSE)),
					chain(
						'Error output',
						documentWorkflow(world(), 'createAndWait', 'never-ending', PAUSE, {
							onError: 'continueErrorOutput',
						}),
					),
					chain(
						'Continue',
						documentWorkflow(world(), 'createAndWait', 'never-ending', {
							...PAUSE,
							options: { ifFailed: 'continue' },
						}),
					),
				];
				const ids = await Promise.all(flows.map(start));
				for (const id of ids) await until(async () => isPaused(id), MINUTE);
				await finish(before, 'failed');
				const [stopped, through, on] = await Promise.all(
					ids.map(async (id) => world().client.waitForExecution(id, MINUTE)),
				);
				const executionId = expect.stringMatching(/./);
				expect(stopped?.status).toBe('error');
				expect(stopped?.error?.message).toContain('ended with status "failed"');
				expect(through && output(through, NODE, 1)).toMatchObject([
					{ json: { error: { executionId, status: 'failed' } } },
				]);
				expect(on && output(on, NODE)).toMatchObject([{ json: { executionId, status: 'failed' } }]);
			});
		},
		2 * MINUTE,
	);

	it(
		'also starts the workflow of the trigger when the trigger is set to both',
		async () => {
			const { client } = world();
			await withTrigger(
				world(),
				{ workflowIds: ['never-ending'], parameters: { wake: 'both' } },
				async ({ id: triggerWorkflowId }) => {
					const before = state().executions.all().length;
					const id = await start(
						chain('Both', documentWorkflow(world(), 'createAndWait', 'never-ending', PAUSE)),
					);
					await until(async () => isPaused(id));
					await finish(before);
					expect((await client.waitForExecution(id, MINUTE)).status).toBe('success');
					await until(async () => (await client.executionIds(triggerWorkflowId)).length === 1);
					const [started = ''] = await client.executionIds(triggerWorkflowId);
					expect(
						output(await client.waitForExecution(started), 'Document Workflow Trigger'),
					).toMatchObject([{ json: { status: 'completed', workflowId: 'never-ending' } }]);
				},
			);
		},
		2 * MINUTE,
	);
}
