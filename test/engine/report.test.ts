import type { IBinaryData, IBinaryKeyData, INodeParameters } from 'n8n-workflow';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { answer, cell, getAnswered, POLICY_STEPS, step } from './support/answers';
import { useBinaryMode, type BinaryMode } from './support/binary-storage';
import { runFlow, type Outcome } from './support/engine';
import { operation, POLICY, policyItem, sha256, useService } from './support/service';

const service = useService();
afterAll(() => useBinaryMode('memory'));

const contentOf = async (file: IBinaryData | undefined) =>
	Container.get(BinaryDataService).getAsBuffer(file ?? { data: '', mimeType: '' });
const get = (parameters: INodeParameters, steps: unknown[] = POLICY_STEPS) =>
	getAnswered(
		service,
		{ steps },
		{
			minimumConfidence: 0,
			...parameters,
			outputOptions: { attachReport: ['csv'], ...(parameters.outputOptions as INodeParameters) },
		},
	);
const reportsIn = ({ received: [items] }: Outcome) => items.map(({ binary }) => binary?.report_csv);

describe.each<BinaryMode>(['memory', 'filesystem'])('Attach Report (%s mode)', (mode) => {
	beforeEach(() => useBinaryMode(mode));

	it.each(['simplified', 'raw', 'selected'])('adds the rows as a CSV file: %s', async (output) => {
		const [report, ...others] = reportsIn(await get({ output }));
		expect(others).toEqual([]);
		expect(report).toMatchObject({
			fileName: 'intake-e-1.csv',
			mimeType: 'text/csv',
			fileExtension: 'csv',
		});
		expect((await contentOf(report)).toString('utf8')).toBe(
			[
				'\uFEFFStep,Row,policy_number,insured,cause,paid,Lowest confidence,To review',
				'policy,1,CPP-1001,Müller & Söhne,,,0.55,',
				'losses,1,,,Hail,1250,0.9,',
				'losses,2,,,"Fire, kitchen",0,0.4,',
				'',
			].join('\r\n'),
		);
	});
});

/** As n8n stores an item, or passes it to another workflow. */
const stored = (binary: IBinaryKeyData = {}) =>
	JSON.parse(JSON.stringify(binary)) as IBinaryKeyData;

describe.each<BinaryMode>(['memory', 'filesystem'])(
	'A report on an input item (%s mode)',
	(mode) => {
		beforeEach(() => useBinaryMode(mode));

		const reports = async () => {
			const { received } = await get({
				outputOptions: { attachReport: ['csv', 'html', 'markdown'] },
			});
			return stored(received[0][0]?.binary);
		};
		const create = async (binary: IBinaryKeyData, parameters: INodeParameters) =>
			runFlow({
				...service,
				parameters: operation('create', parameters),
				items: [{ ...policyItem(), binary }],
			});
		const sentBy = ({ received: [[item]] }: Outcome) =>
			(item?.json.documents as Array<{ fieldName: string }>).map(({ fieldName }) => fieldName);

		it('is not sent as a document by the wildcard *', async () => {
			const binary = await reports();
			expect(Object.keys(binary)).toEqual(['report_csv', 'report_html', 'report_markdown']);
			expect(sentBy(await create(binary, { inputDataFieldName: '*' }))).toEqual(['data']);
		});

		it('is not sent as a document when another node has renamed its field', async () => {
			const { report_html: page } = await reports();
			const binary = { attachment_0: page ?? { data: '', mimeType: '' } };
			const outcome = await create(binary, { inputDataFieldName: 'data, attachment_*' });
			expect(sentBy(outcome)).toEqual(['data']);
		});

		it('is sent when its field is named', async () => {
			const outcome = await create(await reports(), { inputDataFieldName: 'report_csv' });
			expect(sentBy(outcome)).toEqual(['report_csv']);
		});

		it('does not keep a document of the user with the same field name from being sent', async () => {
			const { report_csv: csv } = await reports();
			const { data, mimeType, fileName, id } = csv ?? { data: '', mimeType: '' };
			const own = { report_csv: { data, mimeType, fileName, id } as IBinaryData };
			expect(sentBy(await create(own, { inputDataFieldName: '*' }))).toEqual([
				'data',
				'report_csv',
			]);
		});
	},
);

describe('Attach Report', () => {
	it('is off by default', async () => {
		const { received } = await getAnswered(service, { steps: POLICY_STEPS });
		expect(received[0][0]).not.toHaveProperty('binary');
	});

	it('adds one file per execution, to its first row, with One Item per Row', async () => {
		answer(service, { steps: POLICY_STEPS });
		const outcome = await runFlow({
			...service,
			parameters: operation('get', {
				executionId: '={{ "e-" + $json.index }}',
				output: 'rows',
				outputOptions: { attachReport: ['csv'] },
			}),
			items: [{}, {}],
		});
		expect(reportsIn(outcome).map((report) => report?.fileName)).toEqual([
			'intake-e-0.csv',
			undefined,
			undefined,
			'intake-e-1.csv',
			undefined,
			undefined,
		]);
	});

	it('adds each chosen form in a field of its own', async () => {
		const { received } = await get({
			minimumConfidence: '80 %',
			outputOptions: { attachReport: ['csv', 'html', 'markdown'] },
		});
		const binary = received[0][0]?.binary ?? {};
		expect(
			Object.entries(binary).map(([field, { fileName, mimeType }]) => [field, fileName, mimeType]),
		).toEqual([
			['report_csv', 'intake-e-1.csv', 'text/csv'],
			['report_html', 'intake-e-1.html', 'text/html'],
			['report_markdown', 'intake-e-1.md', 'text/markdown'],
		]);
		const [page, text] = await Promise.all(
			[binary.report_html, binary.report_markdown].map(async (file) =>
				(await contentOf(file)).toString('utf8'),
			),
		);
		expect(page).toContain('Müller &amp; Söhne');
		expect(text).toContain('| Insured       | Müller & Söhne | 55 % (review) |');
	});

	it.each([
		['csv, html', ['report_csv', 'report_html']],
		[['markdown'], ['report_markdown']],
		[[], []],
		['', []],
	])('takes %j from an expression', async (attachReport, fields) => {
		const { received } = await get({ outputOptions: { attachReport } });
		expect(Object.keys(received[0][0]?.binary ?? {})).toEqual(fields);
	});

	it.each(['pdf', 'CSV', true])('fails the item when it holds %j', async (attachReport) => {
		const { error } = await get({ outputOptions: { attachReport } });
		expect(error?.message).toMatch(/^'Attach Report' (can|must) be /);
	});

	it('applies Only Steps and the minimum confidence', async () => {
		const [report] = reportsIn(
			await get({
				minimumConfidence: 0.8,
				outputOptions: { onlySteps: 'losses', below: 'only' },
			}),
		);
		expect((await contentOf(report)).toString('utf8')).toBe(
			'\uFEFFStep,Row,cause,paid,Lowest confidence,To review\r\nlosses,2,"Fire, kitchen",0,0.4,paid: 0 (0.4)\r\n',
		);
	});

	it('escapes values that Excel would run as formulas', async () => {
		const [report] = reportsIn(
			await get({}, [step('policy', { note: cell('=HYPERLINK("http://x.example.com")', 0.9) })]),
		);
		expect((await contentOf(report)).toString('utf8')).toContain(
			`"'=HYPERLINK(""http://x.example.com"")"`,
		);
	});

	it('escapes formulas after a semicolon, where Excel begins a cell in some locales', async () => {
		const [report] = reportsIn(
			await get({}, [step('policy', { note: cell("x;=cmd|'/C calc'!A0;y", 0.9) })]),
		);
		expect((await contentOf(report)).toString('utf8')).toContain(
			`policy,1,"x;'=cmd|'/C calc'!A0;y",0.9,`,
		);
	});

	it('adds the reports beside the files that Create and Wait sent, and the page lists these', async () => {
		answer(service, { steps: POLICY_STEPS });
		const { received } = await runFlow({
			...service,
			parameters: operation('createAndWait', {
				outputOptions: { attachReport: ['csv', 'html'] },
				waiting: { firstCheckSeconds: 0.1 },
			}),
			items: [policyItem()],
		});
		const [item] = received[0];
		expect(Object.keys(item?.binary ?? {})).toEqual(['report_csv', 'report_html', 'data']);
		const page = (await contentOf(item?.binary?.report_html)).toString('utf8');
		expect(page).toContain('policy.txt');
		expect(page).toContain(`SHA-256 ${sha256(POLICY)}`);
		expect(item?.json).toMatchObject({ documents: [{ fileName: 'policy.txt' }] });
	});
});
