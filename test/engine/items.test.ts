import type { INode, INodeParameters } from 'n8n-workflow';
import { runFlow } from './support/engine';
import type { InputItem } from './support/helper-nodes';
import { operation, policyItem, useService, workflowById, WORKFLOW_ID } from './support/service';
import { time } from './support/time';

const service = useService();

const QUICK = { waiting: { firstCheckSeconds: 0.1 } };
const itemsOf = (workflows: string[]): InputItem[] =>
	workflows.map((workflow, number) => ({ ...policyItem(), json: { workflow, number } }));
const run = (
	name: Parameters<typeof operation>[0],
	items: InputItem[],
	settings: Partial<INode> = {},
	more: INodeParameters = {},
) =>
	runFlow({
		...service,
		items,
		settings,
		parameters: operation(name, {
			...QUICK,
			workflowId: { __rl: true, mode: 'id', value: '={{ $json.workflow }}' },
			inputs: { textInputs: [{ name: 'number', value: '={{ $json.number }}' }] },
			...more,
		}),
	});
const executionOf = (number: number) =>
	service.state.executions.all().find(({ userInputs }) => userInputs?.number === String(number));

/** Each check of its executions is rejected. */
const REJECTED = 'failing';
const MESSAGE = `The credential has no access to workflow "${REJECTED}"`;
beforeEach(() => {
	const action = { type: 'status', status: 403 } as const;
	service.state.faults.add({ route: 'get', workflowId: REJECTED, action });
});

describe('When an item fails and the node stops', () => {
	it('the error says why and lists the started executions', async () => {
		const { error, outputs, status } = await run(
			'createAndWait',
			itemsOf([WORKFLOW_ID, REJECTED, WORKFLOW_ID]),
		);
		expect(status).toBe('error');
		expect(outputs).toEqual([]);
		const [first, second, third] = [0, 1, 2].map((number) => executionOf(number)?.executionId);
		expect(error?.message).toBe(MESSAGE);
		const started = `Started for item 0: ${first} (workflow ${WORKFLOW_ID}), for item 1: ${second} (workflow ${REJECTED}), for item 2: ${third} (workflow ${WORKFLOW_ID})`;
		expect(error?.description?.endsWith(started)).toBe(true);
		expect(error?.context?.itemIndex).toBe(1);
	});

	it('the waits of other items end, and their executions are listed', async () => {
		const begun = time.now();
		const { error } = await run('createAndWait', itemsOf(['never-ending', REJECTED]));
		expect(time.now() - begun).toBeLessThan(1_000);
		expect(error?.message).toBe(MESSAGE);
		for (const number of [0, 1])
			expect(error?.description).toContain(executionOf(number)?.executionId);
	});

	it('a create of another item with an unknown outcome is listed too', async () => {
		service.state.faults.add({
			route: 'create',
			workflowId: REJECTED,
			action: { type: 'reset', when: 'after' },
		});
		const { error } = await run('createAndWait', itemsOf([REJECTED, 'unknown']));
		expect(error?.description).toContain(
			`Possibly started: item 0 (policy.txt), workflow ${REJECTED}`,
		);
	});

	it('no further item is started', async () => {
		const { error } = await run(
			'create',
			itemsOf(['unknown', ...Array.from({ length: 40 }, () => WORKFLOW_ID)]),
		);
		expect(error?.message).toBe('The workflow "unknown" was not found');
		expect(service.state.executions.all().length).toBeLessThan(20);
	});

	it('creates in progress are completed, and their executions are listed', async () => {
		service.state.faults.add({
			route: 'create',
			workflowId: WORKFLOW_ID,
			action: { type: 'delay', milliseconds: 300 },
		});
		const { error } = await run(
			'create',
			itemsOf([
				...Array.from({ length: 7 }, () => WORKFLOW_ID),
				'unknown',
				...Array.from({ length: 10 }, () => WORKFLOW_ID),
			]),
		);
		expect(error?.message).toBe('The workflow "unknown" was not found');
		expect(error?.context?.itemIndex).toBe(7);
		expect(service.state.executions.all()).toHaveLength(7);
		for (const { executionId, userInputs } of service.state.executions.all()) {
			expect(error?.description).toContain(
				`item ${String(userInputs?.number)}: ${executionId} (workflow ${WORKFLOW_ID})`,
			);
		}
		expect(error?.description).not.toContain('Not known');
	});
});

describe('When an item fails and the node continues', () => {
	const workflows = [WORKFLOW_ID, REJECTED, WORKFLOW_ID, 'unknown'];

	it('failed items on the regular output keep their place, with message and known IDs', async () => {
		const { outputs, status } = await run('createAndWait', itemsOf(workflows), {
			onError: 'continueRegularOutput',
		});
		expect(status).toBe('success');
		expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
		const id = executionOf(1)?.executionId;
		expect(outputs[0]?.map(({ json }) => 'error' in json)).toEqual([false, true, false, true]);
		expect(outputs[0]?.map(({ json }) => json.needsReview)).toEqual([false, true, false, true]);
		expect(outputs[0]?.[1]?.json.error).toEqual({
			message: MESSAGE,
			workflowId: REJECTED,
			executionId: id,
			status: 'running',
			documents: [expect.objectContaining({ fileName: 'policy.txt', bytes: 43, itemIndex: 1 })],
			skipped: [],
			checks: 1,
			watchedSeconds: expect.any(Number),
			description: expect.any(String),
		});
		expect(outputs[0]?.[3]?.json.error).toEqual({
			message: 'The workflow "unknown" was not found',
			workflowId: 'unknown',
			fileName: 'policy.txt',
			description: expect.stringContaining("Compare 'Workflow' with the dashboard"),
		});
	});

	it('failed items on the Error output have their input, the message and known IDs', async () => {
		const { outputs, received } = await run('createAndWait', itemsOf(workflows), {
			onError: 'continueErrorOutput',
		});
		expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(outputs[1]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 3 }]);
		expect(received[0]).toHaveLength(2);
		// The failed items keep their files, so that the n8n workflow can store them.
		expect(outputs[1]?.map(({ binary }) => binary?.data?.fileName)).toEqual([
			'policy.txt',
			'policy.txt',
		]);
		expect(outputs[0]?.map(({ binary }) => binary)).toEqual([undefined, undefined]);
		expect(received[1].map(({ json }) => json)).toEqual([
			expect.objectContaining({
				number: 1,
				workflow: REJECTED,
				error: expect.objectContaining({
					message: MESSAGE,
					executionId: executionOf(1)?.executionId,
				}),
			}),
			expect.objectContaining({
				number: 3,
				error: expect.objectContaining({ message: 'The workflow "unknown" was not found' }),
			}),
		]);
	});

	it('an expression that cannot be resolved fails only its own item', async () => {
		const items = [
			{ ...policyItem(), json: { list: ['a'] } },
			{ ...policyItem(), json: {} },
		];
		const { outputs } = await run(
			'create',
			items,
			{ onError: 'continueErrorOutput' },
			{
				workflowId: workflowById(WORKFLOW_ID),
				inputs: {
					textInputs: [
						{ name: 'first', value: '={{ $json.list.map((entry) => entry.length).join() }}' },
					],
				},
			},
		);
		expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toContainEqual({ item: 0 });
		expect((outputs[0]?.length ?? 0) + (outputs[1]?.length ?? 0)).toBe(2);
	});
});

it.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
	'An incomplete credential fails every item (%s)',
	async (onError) => {
		await service.store.save(String(service.credential.id), {
			...service.entered,
			clientSecret: '',
		});
		const { outputs } = await run('create', itemsOf([WORKFLOW_ID, WORKFLOW_ID]), { onError });
		const failedItems = outputs[onError === 'continueErrorOutput' ? 1 : 0];
		expect(failedItems?.map(({ json }) => json.error)).toEqual(
			Array(2).fill(expect.objectContaining({ message: 'Client Secret is empty' })),
		);
		expect(service.requests()).toEqual([]);
	},
);

it('A node without a credential says so', async () => {
	const { error } = await runFlow({
		store: service.store,
		parameters: operation('create'),
		items: [policyItem()],
	});
	expect(error?.message).toBe('Node does not have any credentials set');
});
