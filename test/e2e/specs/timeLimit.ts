import { setTimeout as sleep } from 'node:timers/promises';
import { output, type Execution } from '../../../harness/n8n-execution';
import type { WorkflowJson } from '../../../harness/n8n-rest';
import { chain, documentWorkflow, EARLY, numbers, split, TEXT_ONLY } from '../flows';
import { withTrigger } from '../notifying';
import { until, type World } from '../support';

const NODE = 'Document Workflow';
const NEXT = 'Next';
const MINUTE = 60_000;
const TOLD = 'never-ending-cases';
/** Shorter than the panel takes. */
const PAUSE = { ...TEXT_ONLY, howToWait: 'pause', options: { timeLimitHours: 0.02 } };
/** When an execution ends, in milliseconds after the time limit of its wait. */
const MOMENTS = [-10_000, -5_000, -1_000, -300, 0, 300, 700];

/** The time limit of a pause. What is behind it lasts twelve seconds, so that it still runs when the limit passes after a notification. */
export function timeLimitSpec(world: () => World): void {
	describe('at the time limit of a pause', () => {
		let lost: { ids: string[]; execution: Execution };
		let moments: Array<{ executionId: string; execution: Execution }>;
		const state = () => world().simulator.state;

		beforeAll(async () => {
			[lost, moments] = await Promise.all([loseANotification(), notifyAtEachMoment()]);
		}, 6 * MINUTE);

		/** Starts a workflow, and waits until it pauses for executions of the service. */
		async function pause(
			flow: WorkflowJson,
			workflowId: string,
		): Promise<{ id: string; ids: string[] }> {
			const { client } = world();
			const started = () =>
				state()
					.executions.all()
					.filter((each) => each.workflowId === workflowId);
			const before = started().length;
			const id = await client.run(await client.createWorkflow(flow));
			await until(async () => (await client.execution(id)).status === 'waiting', MINUTE);
			return {
				id,
				ids: started()
					.slice(before)
					.map(({ executionId }) => executionId),
			};
		}

		/** No trigger listens: one of two executions has ended, and nobody hears of it. */
		async function loseANotification(): Promise<typeof lost> {
			const wait = documentWorkflow(world(), 'createAndWait', 'never-ending', PAUSE);
			const get = {
				...documentWorkflow(world(), 'get', '={{ $json.workflowId }}', {
					executionId: '={{ $json.executionId }}',
				}),
				id: 'get',
				name: 'Get',
			};
			const { id, ids } = await pause(
				chain('Limit', numbers(2), split(), wait, get),
				'never-ending',
			);
			await state().executions.finish(ids[0] ?? '', { status: 'completed' });
			return { ids, execution: await world().client.waitForExecution(id, 4 * MINUTE) };
		}

		async function notifyAtEachMoment(): Promise<typeof moments> {
			const wait = documentWorkflow(world(), 'createAndWait', TOLD, PAUSE);
			const told = () =>
				state()
					.deliveries.all()
					.filter(({ workflowId, outcome }) => workflowId === TOLD && outcome === 'accepted');
			return withTrigger(world(), { workflowIds: [TOLD] }, async () => {
				const paused: Array<{ id: string; ids: string[] }> = [];
				for (const moment of MOMENTS) {
					const next = {
						...documentWorkflow(world(), 'createAndWait', 'twelve-seconds', {
							...TEXT_ONLY,
							options: { ...EARLY.options, externalId: nameOf(moment) },
						}),
						id: 'next',
						name: NEXT,
					};
					paused.push(await pause(chain('Moment', wait, next), TOLD));
				}
				const ended = await Promise.all(
					paused.map(async ({ id, ids: [executionId = ''] }, index) => {
						const { waitTill } = await world().client.execution(id);
						await sleep(Date.parse(waitTill ?? '') + (MOMENTS[index] ?? 0) - Date.now());
						await state().executions.finish(executionId, { status: 'completed' });
						return {
							executionId,
							execution: await world().client.waitForExecution(id, 4 * MINUTE),
						};
					}),
				);
				await until(() => told().length === MOMENTS.length, 2 * MINUTE);
				return ended;
			});
		}

		it('the items go on with the execution and the status running; a Get behind tells the truth', () => {
			const { ids, execution } = lost;
			expect(execution.error?.message).toBeUndefined();
			const items = output(execution, NODE).map(({ json }) => json);
			expect(items).toMatchObject(
				[0, 1].map((numbers) => ({ numbers, status: 'running', executionId: expect.any(String) })),
			);
			const given = items.map(({ executionId }) => executionId);
			expect([...given].sort()).toEqual([...ids].sort());
			const truth = given.map((executionId) => [
				executionId,
				executionId === ids[0] ? 'completed' : 'running',
			]);
			expect(output(execution, 'Get').map(({ json }) => [json.executionId, json.status])).toEqual(
				truth,
			);
		});

		it.each(MOMENTS.map((moment, index) => [moment, index]))(
			'a notification %i ms after it changes nothing: what is behind the pause runs once',
			(moment, index) => {
				const { executionId, execution } = moments[index] ?? {
					executionId: '',
					execution: undefined,
				};
				expect(execution?.status).toBe('success');
				expect(execution && output(execution, NODE)).toMatchObject([
					{ json: { executionId, status: 'running' } },
				]);
				expect(execution && output(execution, NEXT)).toMatchObject([
					{ json: { status: 'completed' } },
				]);
				const behind = state()
					.executions.all()
					.filter(
						({ workflowId, metadata }) =>
							workflowId === 'twelve-seconds' && metadata?.external_id === nameOf(moment),
					);
				expect(behind).toHaveLength(1);
			},
		);
	});
}

/** So that what ran behind a pause can be told from what ran behind another. */
function nameOf(moment: number): string {
	return `MOMENT ${moment}`;
}
