import type { INodeParameters } from 'n8n-workflow';
import { useBinaryMode, useObjectStore, type BinaryMode } from './support/binary-storage';
import { runFlow } from './support/engine';
import { file, type InputItem } from './support/helper-nodes';
import { operation, policyItem, useService, workflowById, WORKFLOW_ID } from './support/service';

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

describe('A Retry after n8n crashed sends nothing, and all when it is retried once more,', () => {
	const NOTHING = 'Nothing was sent, because the documents may have been sent before n8n crashed';
	const creates = () => service.requests('create').length;

	it('in the turn of a loop behind a pause', async () => {
		const waiting = { firstCheckSeconds: 1, pauseAfterSeconds: 6 };
		const workflowId = workflowById('never-ending');
		const first = await runFlow({
			...service,
			parameters: operation('createAndWait', { waiting, workflowId }),
			items: [policyItem(), policyItem()],
			loops: true,
		});
		const [{ executionId = '' } = {}] = service.state.executions.all();
		await service.state.executions.finish(executionId, { status: 'completed' });
		expect((await first.continue()).status).toBe('waiting');
		expect(creates()).toBe(2);

		const second = await first.retry();
		expect([second.error?.message, creates()]).toEqual([NOTHING, 2]);
		expect(second.outputs[0]?.[0]?.json).toMatchObject({ executionId, status: 'completed' });
		expect((await second.retry()).status).toBe('waiting');
		expect(creates()).toBe(3);
	});

	it('but not after an ordinary failure before anything was sent', async () => {
		await service.enter({ productionUrl: 'ftp://nonsense' });
		const given = { ...service, parameters: operation('create'), items: [policyItem()] };
		const first = await runFlow(given);
		expect([first.status, creates()]).toEqual(['error', 0]);
		await service.enter({});
		expect([(await first.retry()).status, creates()]).toEqual(['success', 1]);
	});

	it('when n8n had saved the progress up to this node', async () => {
		service.state.faults.add({
			route: 'create',
			times: 1,
			action: { type: 'reset', when: 'after' },
		});
		const first = await runFlow({
			...service,
			parameters: operation('create'),
			items: [policyItem()],
			settings: RETRY,
		});
		// A crash leaves the node without memory.
		delete first.run.data.executionData?.contextData['node:Document Workflow'];
		const second = await first.retry();
		expect([second.error?.message, creates()]).toEqual([NOTHING, 1]);
		expect((await second.retry()).status).toBe('success');
		expect(creates()).toBe(2);
	});
});
