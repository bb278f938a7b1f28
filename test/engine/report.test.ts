import type { IBinaryData, INodeParameters } from 'n8n-workflow';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { answer, cell, getAnswered, POLICY_STEPS, step } from './support/answers';
import { useBinaryMode, type BinaryMode } from './support/binary-storage';
import { runFlow, type Outcome } from './support/engine';
import { operation, policyItem, useService } from './support/service';

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
			outputOptions: { attachReport: true, ...(parameters.outputOptions as INodeParameters) },
		},
	);
const reportsIn = ({ received: [items] }: Outcome) => items.map(({ binary }) => binary?.report);

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
				outputOptions: { attachReport: true },
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

	it('adds the report beside the files that Create and Wait sent', async () => {
		answer(service, { steps: POLICY_STEPS });
		const { received } = await runFlow({
			...service,
			parameters: operation('createAndWait', {
				outputOptions: { attachReport: true },
				waiting: { firstCheckSeconds: 0.1 },
			}),
			items: [policyItem()],
		});
		const [item] = received[0];
		expect(Object.keys(item?.binary ?? {}).sort()).toEqual(['data', 'report']);
		expect(item?.json).toMatchObject({ documents: [{ fileName: 'policy.txt' }] });
	});
});
