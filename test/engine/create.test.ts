import { randomBytes } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { useBinaryMode, type BinaryMode } from './support/binary-storage';
import { runFlow } from './support/engine';
import { file } from './support/files';
import type { InputItem } from './support/helper-nodes';
import { useObjectStore } from './support/object-store';
import { operation, POLICY, policyItem, sha256, useService, WORKFLOW_ID } from './support/service';

const service = useService();
const objectStore = useObjectStore();

const create = (items: InputItem[], more: INodeParameters = {}) =>
	runFlow({ ...service, parameters: operation('create', more), items });
/** The files that the service received. */
const arrived = () => service.state.executions.all().flatMap(({ files }) => files);

describe.each<BinaryMode>(['memory', 'filesystem', 's3'])(
	'Create, with n8n keeping files in its %s mode,',
	(mode) => {
		beforeEach(async () => useBinaryMode(mode, objectStore));

		it('sends one document and returns the started execution', async () => {
			const { outputs, received } = await create([policyItem()]);
			const [execution] = service.state.executions.all();
			expect(outputs).toEqual([
				[
					{
						json: {
							needsReview: false,
							workflowId: WORKFLOW_ID,
							executionId: execution?.executionId,
							status: 'running',
							documents: [
								{
									fileName: 'policy.txt',
									mediaType: 'text/plain',
									bytes: 43,
									sha256: sha256(POLICY),
									itemIndex: 0,
									fieldName: 'data',
								},
							],
							skipped: [],
						},
						pairedItem: { item: 0 },
					},
				],
			]);
			expect(received[0]).toHaveLength(1);
		});

		it('sends every byte of each document with a Content-Length', async () => {
			const first = randomBytes(3_000_001);
			const second = randomBytes(70_000);
			await create(
				[
					{
						files: {
							data: file('first.bin', first, 'application/octet-stream'),
							extra: file('second.dwg', second, 'image/vnd.dwg'),
						},
					},
				],
				{
					inputDataFieldName: 'data, extra',
				},
			);
			expect(arrived()).toEqual([
				{
					fieldName: 'files',
					fileName: 'first.bin',
					mediaType: 'application/octet-stream',
					bytes: 3_000_001,
					sha256: sha256(first),
				},
				{
					fieldName: 'files',
					fileName: 'second.dwg',
					mediaType: 'image/vnd.dwg',
					bytes: 70_000,
					sha256: sha256(second),
				},
			]);
			const [request] = service.requests('create');
			expect(request?.contentLength).toBe(request?.bodyBytes);
			expect(request?.transferEncoding).toBeNull();
			expect(request?.contentType).toMatch(/^multipart\/form-data; boundary=/);
		});

		it('sends the documents of several fields in the order given, each once', async () => {
			const files = { one: file('1.txt'), two: file('2.txt'), three: file('3.txt') };
			await create([{ files }], { inputDataFieldName: ' three ,one,, two, one' });
			expect(service.requests('create')).toHaveLength(1);
			expect(arrived().map(({ fileName }) => fileName)).toEqual(['3.txt', '1.txt', '2.txt']);
		});

		it.each([
			'Überweisung – Schäden №5.txt',
			'保険証券.txt',
			"O'Neil & Sons; policy=1.txt",
			'emoji 📄.txt',
		])('keeps the file name %s', async (name) => {
			await create([{ files: { data: file(name) } }]);
			expect(arrived().map(({ fileName }) => fileName)).toEqual([name]);
		});

		it('replaces double quotes in a file name with apostrophes', async () => {
			await create([{ files: { data: file('the "final" policy.txt') } }]);
			expect(arrived().map(({ fileName }) => fileName)).toEqual(["the 'final' policy.txt"]);
		});

		it('names a file without a name after its field', async () => {
			await create(
				[
					{
						files: {
							scan: file(undefined, Buffer.from('%PDF-1.7'), 'application/pdf'),
							other: file(undefined, Buffer.from('y'), 'application/x-scan'),
						},
					},
				],
				{
					inputDataFieldName: 'scan, other',
				},
			);
			expect(arrived().map(({ fileName }) => fileName)).toEqual(['scan.pdf', 'other']);
		});

		it('does not change the input item', async () => {
			const item = policyItem();
			const before = structuredClone(item);
			await create([item]);
			expect(item).toEqual(before);
		});
	},
);

describe('Create sends text inputs', () => {
	const sent = () => service.state.executions.all().map(({ userInputs }) => userInputs);

	it('with values that are not text as JSON', async () => {
		await create([{ ...policyItem(), json: { limits: [1, 2], nothing: null } }], {
			inputs: {
				textInputs: [
					{ name: ' policy_number ', value: 'CPP-1001' },
					{ name: 'note', value: 'a "quoted" – text\nin two lines' },
					{ name: 'limits', value: '={{ $json.limits }}' },
					{ name: 'nothing', value: '={{ $json.nothing }}' },
				],
			},
		});
		expect(sent()).toEqual([
			{
				policy_number: 'CPP-1001',
				note: 'a "quoted" – text\nin two lines',
				limits: '[1,2]',
				nothing: '',
			},
		]);
	});

	it('without any document', async () => {
		const { outputs } = await create([{}], {
			documents: 'none',
			inputs: { textInputs: [{ name: 'policy_number', value: 'CPP-1001' }] },
		});
		expect(sent()).toEqual([{ policy_number: 'CPP-1001' }]);
		expect(outputs[0]?.[0]?.json.documents).toEqual([]);
	});

	it('only when there are any', async () => {
		await create([policyItem()], { inputs: { textInputs: [] } });
		expect(sent()).toEqual([null]);
	});
});

describe('Create finds its workflow', () => {
	it('by its URL in the dashboard', async () => {
		const workflowId = {
			__rl: true,
			mode: 'url',
			value: `https://app.example.com/organizations/7/workflows/${WORKFLOW_ID}/edit?tab=runs`,
		};
		const { error } = await create([policyItem()], { workflowId });
		expect(error).toBeUndefined();
		expect(service.requests('create')[0]?.path).toBe(
			`/api/v1/workflow-builder/workflows/${WORKFLOW_ID}/executions`,
		);
	});

	it('by an expression, evaluated for each item', async () => {
		const items = [WORKFLOW_ID, 'never-ending'].map((workflow) => ({
			...policyItem(),
			json: { workflow },
		}));
		const { outputs } = await create(items, {
			workflowId: { __rl: true, mode: 'id', value: '={{ $json.workflow }}' },
		});
		expect(outputs[0]?.map(({ json }) => json.workflowId)).toEqual([WORKFLOW_ID, 'never-ending']);
		expect(new Set(service.state.executions.all().map(({ workflowId }) => workflowId))).toEqual(
			new Set([WORKFLOW_ID, 'never-ending']),
		);
	});
});
