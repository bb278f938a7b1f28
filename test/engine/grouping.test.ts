import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { runFlow } from './support/engine';
import { file } from './support/files';
import type { InputItem } from './support/helper-nodes';
import { operation, policyItem, useService, WORKFLOW_ID } from './support/service';

const service = useService();

type GroupBy = 'item' | 'document' | 'all';
const run = (
	groupBy: GroupBy,
	items: InputItem[],
	more: INodeParameters = {},
	settings: Partial<INode> = {},
	name: 'create' | 'createAndWait' = 'create',
) =>
	runFlow({
		...service,
		parameters: operation(name, { inputDataFieldName: '*', groupBy, ...more }),
		items,
		settings,
	});

/** Three items with three, one and two documents. */
const ITEMS: InputItem[] = [
	{ files: { scan_10: file('c.txt'), scan_1: file('a.txt'), scan_2: file('b.txt') } },
	{ files: { data: file('d.txt') } },
	{ files: { x: file('e.txt'), y: file('f.txt') } },
];
const namesIn = (documents: unknown) =>
	(documents as Array<{ fileName: string }>).map(({ fileName }) => fileName);
const BY_ITEM = { workflowId: { __rl: true, mode: 'id', value: '={{ $json.workflow }}' } };

describe('Group Documents By', () => {
	it.each<[GroupBy, string[][], unknown[]]>([
		[
			'item',
			[['a.txt', 'b.txt', 'c.txt'], ['d.txt'], ['e.txt', 'f.txt']],
			[{ item: 0 }, { item: 1 }, { item: 2 }],
		],
		[
			'document',
			[['a.txt'], ['b.txt'], ['c.txt'], ['d.txt'], ['e.txt'], ['f.txt']],
			[{ item: 0 }, { item: 0 }, { item: 0 }, { item: 1 }, { item: 2 }, { item: 2 }],
		],
		[
			'all',
			[['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt', 'f.txt']],
			[[{ item: 0 }, { item: 1 }, { item: 2 }]],
		],
	])(
		'%s starts executions in order, and returns an item for each, linked to its input',
		async (groupBy, groups, paired) => {
			const { outputs, received, error } = await run(groupBy, ITEMS);
			expect(error).toBeUndefined();
			const [items = []] = outputs;
			expect(service.executionsOf(items).map(({ files }) => namesIn(files))).toEqual(groups);
			expect(service.state.executions.all()).toHaveLength(groups.length);
			expect(items.map(({ json }) => namesIn(json.documents))).toEqual(groups);
			const documents = items.flatMap(({ json }) => json.documents as IDataObject[]);
			expect(documents.map(({ itemIndex, fieldName }) => [itemIndex, fieldName])).toEqual([
				...[1, 2, 10].map((number) => [0, `scan_${number}`]),
				...[
					[1, 'data'],
					[2, 'x'],
					[2, 'y'],
				],
			]);
			const arrived = service.executionsOf(items).flatMap(({ files }) => files);
			expect(documents.map(({ sha256 }) => sha256)).toEqual(arrived.map(({ sha256 }) => sha256));
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual(paired);
			expect(received[0]).toHaveLength(groups.length);
		},
	);
});

describe('All Items Together fails before anything is sent', () => {
	afterEach(() => expect(service.requests()).toEqual([]));

	it.each<[string, INodeParameters]>([
		[
			'in their text inputs',
			{ inputs: { textInputs: [{ name: 'case', value: '={{ $json.workflow }}' }] } },
		],
		[
			'in additional body fields',
			{ inputs: { additional: [{ name: 'to', value: '={{ $json.workflow }}' }] } },
		],
	])('when items differ %s', async (_what, more) => {
		const items = [WORKFLOW_ID, WORKFLOW_ID, 'other'].map((workflow) => ({
			...policyItem(),
			json: { workflow },
		}));
		const { error } = await run('all', items, more);
		expect(error?.message).toBe(
			'Items 0 and 2 cannot be sent in one execution: their workflow, text inputs or options differ',
		);
		expect(error?.description).toContain("Change 'Group Documents By'");
		expect(error?.context?.itemIndex).toBe(2);
	});

	it('when one of the items has no such file', async () => {
		const { outputs } = await run(
			'all',
			[policyItem(), policyItem('scan')],
			{ inputDataFieldName: 'data' },
			{ onError: 'continueErrorOutput' },
		);
		expect(outputs[0]).toEqual([]);
		expect(
			outputs[1]?.map(({ json, pairedItem, binary }) => [
				(json.error as { message: string }).message,
				pairedItem,
				Object.keys(binary ?? {}),
			]),
		).toEqual([
			["The input item has no file in 'data'", { item: 0 }, ['data']],
			["The input item has no file in 'data'", { item: 1 }, ['scan']],
		]);
	});
});

describe('When a create fails and the node continues', () => {
	it('the input item goes to the Error output with only the file of the failed create', async () => {
		service.state.faults.add({
			route: 'create',
			requests: { from: 2, to: 2 },
			action: { type: 'status', status: 422, body: { detail: 'Not readable' } },
		});
		const items = [{ files: { a: file('a.txt'), b: file('b.txt'), c: file('c.txt') } }];
		const { outputs } = await run(
			'document',
			items,
			{ maximumInParallel: 1 },
			{ onError: 'continueErrorOutput' },
		);
		expect(outputs[0]?.map(({ json }) => namesIn(json.documents))).toEqual([['a.txt'], ['c.txt']]);
		expect(
			outputs[1]?.map(({ binary, pairedItem }) => [Object.keys(binary ?? {}), pairedItem]),
		).toEqual([[['b'], { item: 0 }]]);
	});

	it('each item of a create for all items goes to the Error output with its files', async () => {
		const items = [policyItem(), policyItem('scan')].map((item) => ({
			...item,
			json: { workflow: 'unknown' },
		}));
		const { outputs } = await run('all', items, BY_ITEM, { onError: 'continueErrorOutput' });
		expect(outputs[0]).toEqual([]);
		expect(
			outputs[1]?.map(({ json, binary, pairedItem }) => [
				(json.error as { message: string }).message,
				Object.keys(binary ?? {}),
				pairedItem,
			]),
		).toEqual([
			['The workflow "unknown" was not found', ['data'], { item: 0 }],
			['The workflow "unknown" was not found', ['scan'], { item: 1 }],
		]);
	});
});
