import type { INodeParameters } from 'n8n-workflow';
import { useBinaryMode, useObjectStore, type BinaryMode } from './support/binary-storage';
import { runFlow } from './support/engine';
import { file, type InputItem } from './support/helper-nodes';
import { operation, policyItem, useService, WORKFLOW_ID } from './support/service';

const service = useService();
const objectStore = useObjectStore();

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

it('With Retry On Fail, accepted documents are not sent again, and their executions are listed', async () => {
	const { error } = await runFlow({
		...service,
		parameters: operation('create', {
			workflowId: { __rl: true, mode: 'id', value: '={{ $json.workflow }}' },
		}),
		items: [WORKFLOW_ID, WORKFLOW_ID, 'unknown'].map((workflow) => ({
			json: { workflow },
			...policyItem(),
		})),
		settings: RETRY,
	});
	expect(error?.message).toBe('The workflow "unknown" was not found');
	expect(service.requests('create').filter(({ status }) => status === 404)).toHaveLength(3);
	const started = service.state.executions.all();
	expect(started).toHaveLength(2);
	for (const { executionId } of started) expect(error?.description).toContain(executionId);
});

describe.each<BinaryMode>(['memory', 'filesystem', 's3'])(
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
				settings: RETRY,
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

		it.each(['item', 'document', 'all'])(
			'when a wait fails, with one execution per %s',
			async (groupBy) => {
				service.state.faults.add({
					route: 'get',
					times: 2,
					action: { type: 'status', status: 403 },
				});
				const { outputs, error } = await runWithRetries('createAndWait', { groupBy });
				expect(error).toBeUndefined();
				expect(sentNames().sort()).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt']);
				expect(outputs[0]?.map(({ json }) => [json.status, namesOf(json.documents)])).toEqual(
					service.executionsOf(outputs[0]).map(({ files }) => ['completed', namesOf(files)]),
				);
			},
		);
	},
);
