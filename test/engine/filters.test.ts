import type { INodeParameters } from 'n8n-workflow';
import { png } from '../fixtures/images';
import { runFlow } from './support/engine';
import { file, PDF, textOf } from './support/files';
import type { InputFile, InputItem } from './support/helper-nodes';
import { operation, policyItem, useService, WORKFLOW_ID } from './support/service';

const service = useService();

const create = (items: InputItem[], documentOptions: INodeParameters, more: INodeParameters = {}) =>
	runFlow({
		...service,
		parameters: operation('create', { inputDataFieldName: '*', documentOptions, ...more }),
		items,
	});
const sentNames = () =>
	service.state.executions.all().map(({ files }) => files.map(({ fileName }) => fileName));
const itemOf = (...files: InputFile[]): InputItem => ({
	files: Object.fromEntries(files.map((each, index) => [`file_${index}`, each])),
});

const FILES = [
	file('policy 7.pdf', PDF, 'application/pdf'),
	file(
		'Policy_terms.DOCX',
		'x',
		'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	),
	file('claim.txt', textOf(12_000)),
	file('photo.png', png(500, 500), 'image/png'),
];

describe('Filters', () => {
	it.each<[string, INodeParameters, string[], Array<[string, string]>]>([
		[
			'by file name',
			{ fileNames: 'policy*, *.PNG' },
			['policy 7.pdf', 'Policy_terms.DOCX', 'photo.png'],
			[['claim.txt', 'its name does not match policy*, *.PNG']],
		],
	])(
		'skip documents %s, and the output lists them with the reason',
		async (_what, filters, sent, reasons) => {
			const { outputs, hints, error } = await create([itemOf(...FILES)], filters);
			expect(error).toBeUndefined();
			expect(sentNames()).toEqual([sent]);
			expect(outputs[0]?.[0]?.json.skipped).toEqual(
				reasons.map(([fileName, reason]) => ({
					itemIndex: 0,
					fieldName: `file_${FILES.findIndex((each) => each.fileName === fileName)}`,
					fileName,
					reason,
				})),
			);
			const count = reasons.length === 1 ? '1 document was' : `${reasons.length} documents were`;
			const named = reasons.map(([fileName, reason]) => `"${fileName}" (${reason})`);
			expect(hints).toEqual([`${count} skipped: ${named.join(', ')}`]);
		},
	);

	it('use the name that a document is sent with, not that of the input', async () => {
		await create(
			[
				itemOf(
					file('=?utf-8?B?TcO8bGxlci5wZGY=?=', PDF, 'application/octet-stream'),
					file('scan', Buffer.concat([PDF, PDF]), 'application/pdf'),
				),
			],
			{ fileNames: 'Müller*.pdf, scan.pdf' },
		);
		expect(sentNames()).toEqual([['Müller.pdf', 'scan.pdf']]);
	});
});

describe('A repeated document', () => {
	const twice = itemOf(
		file('first.txt', 'same content'),
		file('other.txt', 'same length!'),
		file('second.csv', 'same content', 'text/plain'),
	);

	it('is sent once per execution, under any name', async () => {
		const { outputs, hints } = await create([twice], {});
		expect(sentNames()).toEqual([['first.txt', 'other.txt']]);
		expect(outputs[0]?.[0]?.json.skipped).toEqual([
			{
				itemIndex: 0,
				fieldName: 'file_2',
				fileName: 'second.csv',
				reason: 'it is a duplicate of first.txt',
			},
		]);
		expect(hints).toEqual([
			'1 document was skipped: "second.csv" (it is a duplicate of first.txt)',
		]);
	});

	it('is sent once for its item when each document is an execution', async () => {
		const { outputs } = await create([twice, twice], {}, { groupBy: 'document' });
		const once = [['first.txt'], ['other.txt']];
		expect(
			service.executionsOf(outputs[0]).map(({ files }) => files.map(({ fileName }) => fileName)),
		).toEqual([...once, ...once]);
		expect(
			outputs[0]?.map(({ json }) =>
				(json.skipped as Array<{ fileName: string }>).map(({ fileName }) => fileName),
			),
		).toEqual([['second.csv'], [], ['second.csv'], []]);
	});

	it('is sent once when all items go into one execution', async () => {
		const { outputs } = await create(
			[policyItem(), itemOf(file('claim.txt')), policyItem('scan')],
			{},
			{ groupBy: 'all' },
		);
		expect(sentNames()).toEqual([['policy.txt', 'claim.txt']]);
		expect(outputs[0]?.[0]?.json.skipped).toEqual([
			expect.objectContaining({ itemIndex: 2, fieldName: 'scan' }),
		]);
	});

	it('is sent in each execution that contains it', async () => {
		await create([policyItem(), policyItem()], {});
		expect(sentNames()).toEqual([['policy.txt'], ['policy.txt']]);
	});
});

describe('An item without documents after filtering', () => {
	const inputs = { inputs: { textInputs: [{ name: 'line', value: 'auto' }] } };

	it.each(['create', 'createAndWait'] as const)(
		'is output as skipped, without an execution or a wait (%s)',
		async (name) => {
			const parameters = operation(name, {
				inputDataFieldName: '*',
				documentOptions: { fileNames: '*.pdf' },
				inputs: { metadata: [{ name: 'external_id', value: 'CASE-1' }] },
			});
			const { outputs, hints } = await runFlow({ ...service, parameters, items: [policyItem()] });
			expect(outputs[0]).toMatchObject([
				{
					json: {
						needsReview: true,
						workflowId: WORKFLOW_ID,
						externalId: 'CASE-1',
						status: 'skipped',
						documents: [],
						skipped: [
							{
								itemIndex: 0,
								fieldName: 'data',
								fileName: 'policy.txt',
								reason: 'its name does not match *.pdf',
							},
						],
					},
					pairedItem: { item: 0 },
				},
			]);
			expect(hints).toEqual([
				'The item needs review. Nothing was sent: policy.txt (its name does not match *.pdf)',
			]);
			expect(service.requests()).toEqual([]);
		},
	);

	it('fails with a list of the skipped documents when set to fail', async () => {
		const { error } = await create([policyItem()], {
			fileNames: '*.pdf',
			withoutDocuments: 'fail',
		});
		expect(error?.message).toBe('The item has no documents to send');
		expect(error?.description).toContain('policy.txt: its name does not match *.pdf');
		expect(service.requests()).toEqual([]);
	});

	it('sends its text inputs alone when set to send', async () => {
		const { outputs } = await create(
			[policyItem(), {}],
			{ fileNames: '*.pdf', withoutDocuments: 'send' },
			inputs,
		);
		expect(
			service.state.executions.all().map(({ userInputs, files }) => [userInputs, files]),
		).toEqual(Array(2).fill([{ line: 'auto' }, []]));
		expect(
			outputs[0]?.map(({ json }) => [json.documents, (json.skipped as unknown[]).length]),
		).toEqual([
			[[], 1],
			[[], 0],
		]);
	});

	it('has a hint on what to connect when no item has a file', async () => {
		const { outputs, hints } = await create([{}, {}], {}, inputs);
		expect(outputs[0]?.map(({ json }) => json.status)).toEqual(['skipped', 'skipped']);
		expect(hints).toEqual([
			"No input item has a file. Connect a node that outputs files, such as a mail trigger, or choose another source under 'Documents'",
			'2 of 2 items need review. The first: Nothing was sent: there is no document',
			'2 of 2 items started no execution, because they had no document to send',
		]);
		expect(service.requests()).toEqual([]);
	});
});
