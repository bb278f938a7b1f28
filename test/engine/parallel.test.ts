import type { RequestEntry } from '../../simulator/state/requests';
import { runFlow } from './support/engine';
import { file, type InputItem } from './support/helper-nodes';
import { operation, policyItem, useService, WORKFLOW_ID } from './support/service';

const service = useService();

const itemsOf = (count: number): InputItem[] =>
	Array.from({ length: count }, (_, index) => ({ files: { data: file(`${index}.txt`) } }));
const sentNames = (items: Parameters<typeof service.executionsOf>[0]) =>
	service.executionsOf(items).map(({ files }) => files[0]?.fileName);

/** For each request, how many were in progress when it began, itself included. */
function atOnce(requests: RequestEntry[]): number[] {
	const runsAt =
		(time: number) =>
		({ startedAt, finishedAt }: RequestEntry) =>
			startedAt <= time && (finishedAt ?? Infinity) > time;
	return requests.map(({ startedAt }) => requests.filter(runsAt(startedAt)).length);
}

describe('Maximum in Parallel', () => {
	it('is reached but not exceeded, and results keep the input order', async () => {
		const most = 3;
		// Earlier creates take longer.
		service.state.faults.add({
			route: 'create',
			requests: { to: most },
			action: { type: 'delay', milliseconds: 150 },
		});
		service.state.faults.add({ route: 'create', action: { type: 'delay', milliseconds: 20 } });
		const { outputs, error } = await runFlow({
			...service,
			parameters: operation('create', { maximumInParallel: most }),
			items: itemsOf(24),
		});
		expect(error).toBeUndefined();
		expect(Math.max(...atOnce(service.requests('create')))).toBe(most);
		expect(sentNames(outputs[0])).toEqual(Array.from({ length: 24 }, (_, index) => `${index}.txt`));
		expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(
			Array.from({ length: 24 }, (_, item) => ({ item })),
		);
	});
});

it('When an item fails and the node stops, creates in progress are completed, and their executions are listed', async () => {
	service.state.faults.add({
		route: 'create',
		workflowId: WORKFLOW_ID,
		action: { type: 'delay', milliseconds: 300 },
	});
	const items = Array.from({ length: 18 }, (_, number) => ({
		...policyItem(),
		json: { number, workflow: number === 7 ? 'unknown' : WORKFLOW_ID },
	}));
	const { error } = await runFlow({
		...service,
		items,
		parameters: operation('create', {
			workflowId: { __rl: true, mode: 'id', value: '={{ $json.workflow }}' },
			inputs: { textInputs: [{ name: 'number', value: '={{ $json.number }}' }] },
		}),
	});
	expect(error?.message).toBe('The workflow "unknown" was not found');
	expect(error?.context?.itemIndex).toBe(7);
	expect(service.state.executions.all()).toHaveLength(7);
	for (const { executionId, userInputs } of service.state.executions.all())
		expect(error?.description).toContain(
			`item ${String(userInputs?.number)}: ${executionId} (workflow ${WORKFLOW_ID})`,
		);
});
