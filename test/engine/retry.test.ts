import type { INode, INodeParameters } from 'n8n-workflow';
import { useBinaryMode, type BinaryMode } from './support/binary-storage';
import { runFlow } from './support/engine';
import { file } from './support/files';
import type { InputItem } from './support/helper-nodes';
import { useObjectStore } from './support/object-store';
import { operation, policyItem, useService, WORKFLOW_ID } from './support/service';

const service = useService();
const objectStore = useObjectStore();

const byItem = '={{ $json.workflow }}';
const itemsOf = (workflows: string[]) =>
	workflows.map((workflow) => ({ json: { workflow }, ...policyItem() }));
const run = (
	name: 'create' | 'createAndWait',
	workflows: string[],
	settings: Partial<INode> = {},
) =>
	runFlow({
		...service,
		parameters: operation(name, {
			workflowId: { __rl: true, mode: 'id', value: byItem },
			...(name === 'createAndWait'
				? { waiting: { firstCheckSeconds: 0.1, longestIntervalMinutes: 0.1 / 60 } }
				: {}),
		}),
		items: itemsOf(workflows),
		settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1, ...settings },
	});
const startedOf = (workflowId: string) =>
	service.state.executions.all().filter((execution) => execution.workflowId === workflowId);

describe('With Retry On Fail', () => {
	it('accepted documents are not sent again, and their executions are listed', async () => {
		const { error } = await run('create', [WORKFLOW_ID, WORKFLOW_ID, 'unknown']);
		expect(error?.message).toBe('The workflow "unknown" was not found');
		expect(service.requests('create').filter(({ status }) => status === 404)).toHaveLength(3);
		expect(startedOf(WORKFLOW_ID)).toHaveLength(2);
		for (const { executionId } of startedOf(WORKFLOW_ID))
			expect(error?.description).toContain(executionId);
	});

	it('a later try continues with the executions of the earlier one', async () => {
		service.state.faults.add({
			route: 'create',
			workflowId: 'never-ending',
			times: 1,
			action: { type: 'status', status: 422 },
		});
		const { outputs, error } = await run('create', [WORKFLOW_ID, 'never-ending']);
		expect(error).toBeUndefined();
		expect(outputs[0]?.map(({ json }) => json.executionId)).toEqual([
			startedOf(WORKFLOW_ID)[0]?.executionId,
			startedOf('never-ending')[0]?.executionId,
		]);
		expect(service.state.executions.all()).toHaveLength(2);
	});

	it('nothing is sent again when the node continues after failed items', async () => {
		const { outputs } = await run('createAndWait', ['unknown', WORKFLOW_ID], {
			onError: 'continueErrorOutput',
		});
		expect(startedOf(WORKFLOW_ID)).toHaveLength(1);
		expect(outputs[0]?.[0]?.json).toMatchObject({
			status: 'completed',
			executionId: startedOf(WORKFLOW_ID)[0]?.executionId,
		});
	});
});

const MODES: BinaryMode[] = ['memory', 'filesystem', 's3'];
const GROUPINGS = ['item', 'document', 'all'];

describe.each(MODES)(
	'With Retry On Fail and files in the %s mode, no document is sent twice',
	(mode) => {
		beforeEach(() => useBinaryMode(mode, objectStore));
		afterAll(() => useBinaryMode('memory'));

		const items: InputItem[] = [
			{ files: { x: file('a.txt'), y: file('b.txt') } },
			{ files: { x: file('c.txt') } },
			{ files: { x: file('d.txt') } },
		];
		const runWithRetries = (name: 'create' | 'createAndWait', more: INodeParameters = {}) =>
			runFlow({
				...service,
				parameters: operation(name, {
					inputDataFieldName: '*',
					...(name === 'create'
						? { maximumInParallel: 1 }
						: { waiting: { firstCheckSeconds: 0.1 } }),
					...more,
				}),
				items,
				settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
			});
		const namesOf = (documents: unknown) =>
			(documents as Array<{ fileName: string }>).map(({ fileName }) => fileName);
		const sentNames = () => service.state.executions.all().flatMap(({ files }) => namesOf(files));

		it.each(['item', 'document'])(
			'when another create fails, with one execution per %s',
			async (groupBy) => {
				service.state.faults.add({
					route: 'create',
					requests: { from: 2, to: 3 },
					action: { type: 'status', status: 422 },
				});
				const { outputs, error } = await runWithRetries('create', { groupBy });
				expect(error).toBeUndefined();
				expect(service.requests('create').filter(({ status }) => status === 422)).toHaveLength(2);
				expect(sentNames()).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt']);
				expect(outputs[0]?.map(({ json }) => namesOf(json.documents))).toEqual(
					service.executionsOf(outputs[0]).map(({ files }) => namesOf(files)),
				);
			},
		);

		it.each(GROUPINGS)('when a wait fails, with one execution per %s', async (groupBy) => {
			service.state.faults.add({ route: 'get', times: 2, action: { type: 'status', status: 403 } });
			const { outputs, error } = await runWithRetries('createAndWait', { groupBy });
			expect(error).toBeUndefined();
			expect(sentNames().sort()).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt']);
			expect(outputs[0]?.map(({ json }) => [json.status, namesOf(json.documents)])).toEqual(
				service.executionsOf(outputs[0]).map(({ files }) => ['completed', namesOf(files)]),
			);
		});

		it.each(['item', 'document'])(
			'when text inputs change between tries, with one execution per %s',
			async (groupBy) => {
				service.state.faults.add({
					route: 'get',
					times: 1,
					action: { type: 'status', status: 403 },
				});
				const { error } = await runWithRetries('createAndWait', {
					groupBy,
					inputs: { textInputs: [{ name: 'at', value: '={{ $now.toMillis() }}' }] },
				});
				expect(error).toBeUndefined();
				expect(sentNames().sort()).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt']);
			},
		);
	},
);
