import type { INode, INodeParameters } from 'n8n-workflow';
import { runFlow, startFlow } from './support/engine';
import { useProcessedItems } from './support/deduplication';
import { file } from './support/files';
import type { InputItem } from './support/helper-nodes';
import {
	operation,
	POLICY,
	policyItem,
	useService,
	workflowById,
	WORKFLOW_ID,
} from './support/service';
import { time, until } from './support/time';

const service = useService();
const processed = useProcessedItems();

const flow = (
	items: InputItem[],
	more: INodeParameters = {},
	settings: Partial<INode> = {},
	name: 'create' | 'createAndWait' = 'create',
) => ({
	...service,
	items,
	settings,
	parameters: operation(name, {
		inputDataFieldName: '*',
		...more,
		documentOptions: { skipAlreadySent: 'node', ...(more.documentOptions as INodeParameters) },
	}),
});
const run = (...given: Parameters<typeof flow>) => runFlow(flow(...given));
const sentNames = () =>
	service.state.executions.all().map(({ files }) => files.map(({ fileName }) => fileName));
const BEFORE = 'it was sent before';
const IN_THIS_RUN = 'it was sent with another item in this run';
const skippedHint = (count: number): unknown =>
	expect.stringMatching(`^${count} documents? w(?:as|ere) skipped: "policy.txt" `);

describe('Skip Already Sent', () => {
	it.each(['create', 'createAndWait'] as const)(
		'sends a document once, and outputs its item as skipped in a later run (%s)',
		async (name) => {
			const waiting = { firstCheckSeconds: 0.1 };
			await run([policyItem()], { waiting }, {}, name);
			const { outputs, hints, error } = await run(
				[policyItem()],
				{ waiting, inputs: { externalId: 'CASE-1' } },
				{},
				name,
			);
			expect(error).toBeUndefined();
			expect(outputs[0]).toEqual([
				{
					json: {
						needsReview: false,
						workflowId: WORKFLOW_ID,
						externalId: 'CASE-1',
						status: 'skipped',
						documents: [],
						skipped: [{ itemIndex: 0, fieldName: 'data', fileName: 'policy.txt', reason: BEFORE }],
					},
					pairedItem: { item: 0 },
				},
			]);
			expect(hints).toEqual([
				skippedHint(1),
				'1 of 1 items started no execution, because they had no document to send',
			]);
			expect(service.requests('create')).toHaveLength(1);
		},
	);

	it('sends a document again after an unknown outcome, with a warning on its item, and then no more', async () => {
		service.state.faults.add({
			route: 'create',
			times: 1,
			action: { type: 'reset', when: 'after' },
		});
		await run([policyItem(), { files: { data: file('other.txt') } }]);
		const { outputs, hints } = await run([policyItem()]);
		expect(outputs[0]?.[0]?.json).toMatchObject({
			status: 'running',
			sentAgain: 1,
			warning: expect.stringMatching(/^An earlier n8n execution may also have sent policy\.txt/),
		});
		expect(hints).toEqual([expect.stringContaining('1 of 1 executions were sent again')]);
		const later = await run([policyItem()]);
		expect(later.outputs[0]?.[0]?.json).toMatchObject({ status: 'skipped' });
	});

	it('sends a document again without a warning when it was certainly not accepted', async () => {
		service.state.faults.add({
			route: 'create',
			times: 1,
			action: { type: 'status', status: 422 },
		});
		await run([policyItem()]);
		const { outputs } = await run([policyItem()]);
		expect(outputs[0]?.[0]?.json).toMatchObject({ status: 'running' });
		expect(outputs[0]?.[0]?.json).not.toHaveProperty('warning');
	});

	it('is off by default', async () => {
		for (const documentOptions of [{ skipAlreadySent: 'node' }, { skipAlreadySent: 'off' }, {}]) {
			await runFlow({
				...service,
				parameters: operation('create', { documentOptions }),
				items: [policyItem()],
			});
		}
		expect(sentNames()).toEqual([['policy.txt'], ['policy.txt'], ['policy.txt']]);
	});

	it('recognizes a document by its content, not its name', async () => {
		await run([policyItem()]);
		const { outputs } = await run([
			{
				files: {
					scan: file('renamed.txt', POLICY),
					data: file('policy.txt', 'Policy Number: CPP-1002'),
				},
			},
		]);
		expect(sentNames()).toEqual([['policy.txt'], ['policy.txt']]);
		expect(outputs[0]?.[0]?.json.skipped).toEqual([
			{ itemIndex: 0, fieldName: 'scan', fileName: 'renamed.txt', reason: BEFORE },
		]);
	});

	it('sends a document to each workflow of the service once', async () => {
		for (const workflowId of [WORKFLOW_ID, 'never-ending', WORKFLOW_ID])
			await run([policyItem()], { workflowId: workflowById(workflowId) });
		expect(service.state.executions.all().map(({ workflowId }) => workflowId)).toEqual([
			WORKFLOW_ID,
			'never-ending',
		]);
	});

	it('starts no execution with text inputs alone when all documents were sent before', async () => {
		const more = {
			inputs: { textInputs: { pairs: [{ name: 'line', value: 'auto' }] } },
			documentOptions: { withoutDocuments: 'send' },
		};
		await run([policyItem()], more);
		const { outputs } = await run([policyItem()], more);
		expect(outputs[0]?.[0]?.json.status).toBe('skipped');
		expect(service.requests('create')).toHaveLength(1);
	});

	it.each<[string, Partial<INode>, number]>([
		['node', {}, 1],
		['node', { id: 'another-node' }, 2],
		['workflow', { id: 'another-node' }, 1],
	])('remembers documents per %s (%j)', async (skipAlreadySent, settings, executions) => {
		await run([policyItem()], { documentOptions: { skipAlreadySent } });
		await run([policyItem()], { documentOptions: { skipAlreadySent } }, settings);
		expect(service.state.executions.all()).toHaveLength(executions);
	});

	it('forgets documents when the history in n8n is cleared', async () => {
		await run([policyItem()], { documentOptions: { skipAlreadySent: 'workflow' } });
		await processed.clearAllProcessedItems('workflow', {
			workflow: { id: 'engine-test', active: false },
		});
		await run([policyItem()], { documentOptions: { skipAlreadySent: 'workflow' } });
		expect(service.state.executions.all()).toHaveLength(2);
	});

	it('stores neither names nor contents', async () => {
		await run([policyItem()]);
		expect(JSON.stringify([...processed.rows])).not.toMatch(/policy|CPP|intake/i);
	});
});

describe('Only accepted documents are remembered:', () => {
	it.each([
		['a rejected document', { type: 'status', status: 422 }, 0],
		['a document with an unknown outcome', { type: 'reset', when: 'after' }, 1],
	] as const)(
		'%s is sent by the next run, and skipped by the one after',
		async (_what, action, before) => {
			service.state.faults.add({ route: 'create', times: 1, action });
			expect((await run([policyItem()])).error).toBeDefined();
			expect(service.state.executions.all()).toHaveLength(before);
			expect((await run([policyItem()])).outputs[0]?.[0]?.json.status).toBe('running');
			expect((await run([policyItem()])).outputs[0]?.[0]?.json.status).toBe('skipped');
			expect(service.state.executions.all()).toHaveLength(before + 1);
		},
	);

	it('a document that was not sent because another item failed is sent by the next run', async () => {
		const items = [{ files: { data: file('a.txt') } }, policyItem('scan')];
		expect((await run(items, { inputDataFieldName: 'data' })).error).toBeDefined();
		await run(items.slice(0, 1));
		expect(sentNames()).toEqual([['a.txt']]);
	});
});

describe('Items of one run with the same document:', () => {
	it('the first sends it, and all others are skipped', async () => {
		const { outputs, hints } = await run(Array.from({ length: 4 }, () => policyItem()));
		expect(sentNames()).toEqual([['policy.txt']]);
		expect(
			outputs[0]?.map(({ json }) => [
				json.status,
				(json.skipped as Array<{ reason: string }>).map(({ reason }) => reason),
			]),
		).toEqual([['running', []], ...Array<unknown>(3).fill(['skipped', [IN_THIS_RUN]])]);
		expect(hints).toEqual([
			skippedHint(3),
			'3 of 4 items started no execution, because they had no document to send',
		]);
	});

	it('the others send their other documents', async () => {
		const { outputs } = await run([
			policyItem(),
			{ files: { a: file('a.txt'), data: file('copy.txt', POLICY) } },
		]);
		expect(
			service.executionsOf(outputs[0]).map(({ files }) => files.map(({ fileName }) => fileName)),
		).toEqual([['policy.txt'], ['a.txt']]);
	});

	it('the next one sends it when the first was rejected', async () => {
		service.state.faults.add({
			route: 'create',
			times: 1,
			action: { type: 'status', status: 422 },
		});
		const { outputs } = await run(
			[policyItem(), policyItem(), policyItem()],
			{},
			{ onError: 'continueErrorOutput' },
		);
		expect(outputs[0]?.map(({ pairedItem, json }) => [pairedItem, json.status])).toEqual([
			[{ item: 1 }, 'running'],
			[{ item: 2 }, 'skipped'],
		]);
		expect(outputs[1]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
		expect(service.state.executions.all()).toHaveLength(1);
	});

	it('none waits forever when there are more of them than are sent in parallel', async () => {
		const { outputs } = await run(
			Array.from({ length: 30 }, (_, index) =>
				index % 2 === 0 ? policyItem() : { files: { data: file(`${index}.txt`) } },
			),
		);
		expect(outputs[0]).toHaveLength(30);
		expect(service.state.executions.all()).toHaveLength(16);
	});

	it.each([
		['document', [['a.txt'], ['b.txt'], ['c.txt']]],
		['all', [['a.txt', 'b.txt', 'c.txt']]],
	])('each document is sent once in all runs with one execution per %s', async (groupBy, groups) => {
		const items = [
			{ files: { x: file('a.txt'), y: file('b.txt') } },
			{ files: { x: file('a.txt'), y: file('c.txt') } },
		];
		const { outputs } = await run(items, { groupBy });
		expect(
			service.executionsOf(outputs[0]).map(({ files }) => files.map(({ fileName }) => fileName)),
		).toEqual(groups);
		await run(items, { groupBy });
		expect(service.state.executions.all()).toHaveLength(groups.length);
	});
});

/** The service delays its next answer to a create until the returned function is called. */
function delayedCreate(): { sent: () => Promise<void>; answer: () => void } {
	const { faults } = service.state;
	const { faultId } = faults.add({
		route: 'create',
		times: 1,
		action: { type: 'delay', milliseconds: Infinity },
	});
	return {
		sent: async () => {
			await until(() =>
				service.requests('create').some(({ faultApplied }) => faultApplied === 'delay'),
			);
		},
		answer: () => void faults.clear(faultId),
	};
}

describe('Concurrent n8n executions with the same document:', () => {
	/** Starts the second n8n execution while the service delays the create of the first, until `answer` is called. */
	const overlapping = async (
		items: InputItem[] = [policyItem()],
		settings: Partial<INode> = {},
	) => {
		const { sent, answer } = delayedCreate();
		const first = startFlow(flow([policyItem()]));
		await sent();
		return { first, second: startFlow(flow(items, {}, settings)), answer };
	};

	const MOMENT = 200; // milliseconds in which the second finds the document of the first

	/** Whether the create of the first was answered. */
	const isAnswered = () => service.requests('create')[0]?.finishedAt !== null;

	it('the first sends it, and the second skips it and sends its other documents', async () => {
		const { first, second, answer } = await overlapping([
			policyItem(),
			{ files: { a: file('a.txt'), data: file('copy.txt', POLICY) } },
		]);
		await time.sleep(MOMENT);
		answer();
		expect((await first.outcome).outputs[0]?.[0]?.json.status).toBe('running');
		const { outputs } = await second.outcome;
		expect(
			outputs[0]?.map(({ json }) => [
				json.status,
				(json.skipped as Array<{ reason: string }>).map(({ reason }) => reason),
			]),
		).toEqual([
			['skipped', [BEFORE]],
			['running', [BEFORE]],
		]);
		expect(sentNames()).toEqual([['policy.txt'], ['a.txt']]);
	});

	it('the second sends it when the first was rejected', async () => {
		service.state.faults.add({
			route: 'create',
			times: 1,
			action: { type: 'status', status: 422 },
		});
		const { first, second, answer } = await overlapping();
		await time.sleep(MOMENT);
		answer();
		expect((await first.outcome).error).toBeDefined();
		expect((await second.outcome).outputs[0]?.[0]?.json.status).toBe('running');
		expect(sentNames()).toEqual([['policy.txt']]);
	});

	it('another node sends it without waiting', async () => {
		const { first, second, answer } = await overlapping([policyItem()], { id: 'another-node' });
		expect((await second.outcome).outputs[0]?.[0]?.json.status).toBe('running');
		expect(isAnswered()).toBe(false);
		answer();
		await first.outcome;
		expect(service.state.executions.all()).toHaveLength(2);
	});

	it('the Stop button ends the wait of the second, and the first continues', async () => {
		const { first, second, answer } = await overlapping();
		await time.sleep(MOMENT);
		second.stop();
		expect((await second.outcome).error?.message).toMatch(/^The n8n execution was stopped/);
		expect(isAnswered()).toBe(false);
		answer();
		expect((await first.outcome).outputs[0]?.[0]?.json.status).toBe('running');
		expect(sentNames()).toEqual([['policy.txt']]);
	});

	it('the second ends without waiting for the first when another of its items fails', async () => {
		const { first, second, answer } = await overlapping([
			policyItem(),
			{ files: { data: file('b.txt') } },
		]);
		service.state.faults.add({ route: 'create', action: { type: 'status', status: 422 } });
		expect((await second.outcome).error).toBeDefined();
		expect(isAnswered()).toBe(false);
		answer();
		expect((await first.outcome).outputs[0]?.[0]?.json.status).toBe('running');
	});
});

describe('Skip Already Sent with Retry On Fail', () => {
	it('returns the execution of an earlier try, not a skipped item', async () => {
		service.state.faults.add({
			route: 'create',
			workflowId: 'never-ending',
			times: 1,
			action: { type: 'status', status: 422 },
		});
		const items = [WORKFLOW_ID, 'never-ending'].map((workflow) => ({
			json: { workflow },
			...policyItem(),
		}));
		const workflowId = { __rl: true, mode: 'id', value: '={{ $json.workflow }}' };
		const { outputs } = await run(
			items,
			{ workflowId },
			{ retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		);
		expect(outputs[0]?.map(({ json }) => json.status)).toEqual(['running', 'running']);
		expect(service.state.executions.all()).toHaveLength(2);
	});
});

describe("When n8n's store of sent documents fails", () => {
	it('nothing is sent if it fails before the first create', async () => {
		processed.fault = new Error('The database is locked');
		const { error } = await run([policyItem()]);
		expect(error?.message).toContain('The database is locked');
		expect(service.requests('create')).toEqual([]);
	});

	it('the execution of an accepted document is returned, and the log says that the document is not remembered', async () => {
		const { sent, answer } = delayedCreate();
		const running = startFlow(flow([policyItem()]));
		await sent();
		processed.fault = new Error('The database is locked');
		answer();
		const { outputs, error, logs } = await running.outcome;
		expect(error).toBeUndefined();
		expect(outputs[0]?.[0]?.json.executionId).toBe(service.state.executions.all()[0]?.executionId);
		expect(logs).toContain(
			'warn: n8n could not store which documents were sent: The database is locked',
		);
	});
});
