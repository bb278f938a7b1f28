import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import {
	countOpenings,
	useBinaryMode,
	useObjectStore,
	type BinaryMode,
} from './support/binary-storage';
import { runFlow } from './support/engine';
import { file, textOf, type InputItem } from './support/helper-nodes';
import { useProcessedItems } from './support/deduplication';
import { operation, POLICY, policyItem, sha256, useService } from './support/service';

const service = useService();
const objectStore = useObjectStore();
useProcessedItems();
afterAll(() => useBinaryMode('memory'));

const create = (items: InputItem[], more: Parameters<typeof operation>[1] = {}, settings = {}) =>
	runFlow({
		...service,
		items,
		settings,
		parameters: operation('create', { inputDataFieldName: '*', ...more }),
	});
const sentNames = () =>
	service.state.executions.all().map(({ files }) => files.map(({ fileName }) => fileName));

describe.each<[BinaryMode, RegExp]>([
	['memory', /^undefined$/],
	['filesystem', /^filesystem-v2:/],
	['s3', /^s3:/],
])('With files in the %s mode', (mode, id) => {
	beforeEach(() => useBinaryMode(mode, objectStore));

	it('items hold files as n8n does', async () => {
		const { run } = await create([policyItem()]);
		expect(
			String(run.data.resultData.runData.Items?.[0]?.data?.main?.[0]?.[0]?.binary?.data?.id),
		).toMatch(id);
		expect(sentNames()).toEqual([['policy.txt']]);
	});

	it('a file is opened for its first bytes and to be sent; where its content decides, the first time reads it whole', async () => {
		const opened = countOpenings();
		const counts: Record<string, number[]> = {};
		const count = async (name: string, items: InputItem[], more: INodeParameters = {}) => {
			await create(items, more);
			counts[name] = opened();
		};
		const files = (...sizes: number[]): InputItem[] => {
			const named = sizes.map((size, at) => [`f${at}`, file(`${at}.txt`, textOf(size))] as const);
			return [{ files: Object.fromEntries(named) }];
		};
		const many = Array.from({ length: 20 }, (_, at) => 300_000 + at);
		await count('one', files(300_000));
		await count('twenty', files(...many));
		await count('Skip Already Sent', files(400_000, 400_001), {
			documentOptions: { skipAlreadySent: true },
		});
		await count('the same twice', files(5_000, 5_000));
		await count('the same in two items', [...files(6_000), ...files(6_000)], { groupBy: 'all' });
		await count('not wanted by name', files(7_000), { documentOptions: { fileNames: '*.pdf' } });
		await count('empty', files(0));
		const stored = {
			one: [2],
			twenty: many.map(() => 2),
			'Skip Already Sent': [2, 2],
			'the same twice': [1, 2],
			'the same in two items': [1, 2],
			'not wanted by name': [],
			empty: [],
		};
		const held = Object.fromEntries(Object.keys(stored).map((name) => [name, []]));
		expect(counts).toEqual(mode === 'memory' ? held : stored);
	});
});

describe.each<BinaryMode>(['memory', 'filesystem', 's3'])(
	'Where n8n 2 keeps the files of an item in its JSON, in the %s mode,',
	(mode) => {
		beforeEach(() => useBinaryMode(mode, objectStore));

		const combined = (items: InputItem[], more: INodeParameters = {}, settings = {}) =>
			runFlow({
				...service,
				items,
				settings,
				workflowSettings: { binaryMode: 'combined' },
				parameters: operation('create', more),
			});
		const keptIn = (item: INodeExecutionData | undefined) =>
			mode === 'memory' ? item?.binary : item?.json._files;

		it('sends files and returns them with their item', async () => {
			const { outputs, run } = await combined([policyItem(), policyItem('scan')], {
				outputOptions: { includeFiles: true },
			});
			const [given] = run.data.resultData.runData.Items?.[0]?.data?.main?.[0] ?? [];
			expect(keptIn(given)).toMatchObject({ data: { fileName: 'policy.txt' } });
			expect(
				service.executionsOf(outputs[0]).map(({ files }) => files.map(({ sha256: hash }) => hash)),
			).toEqual([[sha256(POLICY)], [sha256(POLICY)]]);
			expect(outputs[0]?.map((item) => Object.keys(keptIn(item) ?? {}))).toEqual([
				['data'],
				['scan'],
			]);
		});

		it('returns failed items with their fields and files', async () => {
			const items = [{ ...policyItem(), json: { case: 1 } }, { json: { case: 2 } }];
			const { outputs } = await combined(
				items,
				{ inputDataFieldName: 'data', documentOptions: { withoutDocuments: 'fail' } },
				{ onError: 'continueErrorOutput' },
			);
			expect(outputs[0]).toHaveLength(1);
			expect(outputs[1]?.map(({ json }) => json.case)).toEqual([2]);

			service.state.faults.add({ route: 'create', action: { type: 'status', status: 422 } });
			const failed = await combined([policyItem()], {}, { onError: 'continueErrorOutput' });
			expect(keptIn(failed.outputs[1]?.[0])).toMatchObject({ data: { fileName: 'policy.txt' } });
			const inPlace = await combined([policyItem()], {}, { onError: 'continueRegularOutput' });
			expect(inPlace.outputs[0]?.map(({ json }) => typeof json.error)).toEqual(['object']);
			expect(keptIn(inPlace.outputs[0]?.[0])).toMatchObject({ data: { fileName: 'policy.txt' } });
		});
	},
);

it('A field _files of the JSON that n8n has not written is not read', async () => {
	await useBinaryMode('filesystem', objectStore);
	const { run } = await create([policyItem()]);
	const stored = run.data.resultData.runData.Items?.[0]?.data?.main?.[0]?.[0]?.binary;
	const before = service.requests('create').length;
	const { outputs } = await create([
		{ json: { _files: JSON.parse(JSON.stringify(stored)) as object } },
	]);
	expect(outputs[0]?.[0]?.json).toMatchObject({ status: 'skipped', skipped: [] });
	expect(service.requests('create')).toHaveLength(before);
});

describe.each<BinaryMode>(['filesystem', 's3'])('A file missing in the %s store of n8n', (mode) => {
	beforeEach(() => useBinaryMode(mode, objectStore));

	const items = (): InputItem[] => [
		policyItem(),
		{ files: { data: { ...file('lost.txt'), isLost: true } } },
		policyItem(),
	];

	it('fails the run before anything is sent', async () => {
		const { error } = await create(items());
		expect(error?.context?.itemIndex).toBe(1);
		expect(error?.message).toMatch(/not found/i);
		expect(service.requests()).toEqual([]);
	});

	it('fails only its item when the node continues on errors', async () => {
		const { outputs } = await create(
			items(),
			{ documentOptions: { skipAlreadySent: false } },
			{ onError: 'continueErrorOutput' },
		);
		expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(outputs[1]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
	});
});
