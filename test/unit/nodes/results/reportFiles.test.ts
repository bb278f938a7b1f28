import type { IBinaryData, IDataObject } from 'n8n-workflow';

import type { ReportForm } from '../../../../nodes/DocumentWorkflow/results/report';
import { isReport } from '../../../../nodes/DocumentWorkflow/documents/attached';
import { attachReports, readReportForms } from '../../../../nodes/DocumentWorkflow/results/report';
import { csvReport } from '../../../../nodes/DocumentWorkflow/results/reportCsv';
import type { JsonRecord } from '../../../../service/contract';
import { contextOf } from '../../support/context';
import { reportsOf } from './reports';
import { cell, executionOf, POLICY, shapingOf, step } from './support';

const SHAPING = { minimumConfidence: 0.8 };
const BESIDE: IDataObject = { documents: [{ fileName: 'policy.pdf' }] };

/** The files as n8n would keep them, with their content as text instead of Base64. */
const prepareBinaryData = async (
	content: unknown,
	fileName?: string,
	mimeType = '',
): Promise<IBinaryData> => ({
	data: Buffer.isBuffer(content) ? content.toString() : '',
	mimeType,
	...(fileName === undefined ? {} : { fileName }),
});

const attached = (forms: ReportForm[], body: JsonRecord = POLICY) =>
	attachReports(
		contextOf({ helpers: { prepareBinaryData } }),
		executionOf(body),
		forms,
		shapingOf(SHAPING),
		BESIDE,
	);

/** Rows that have no field in common. */
const SPARSE: JsonRecord = {
	steps: [
		step(
			'losses',
			Array.from({ length: 400 }, (_, index) => ({ [`claim ${index}`]: cell(index, 0.9) })),
		),
	],
};

describe('The reports of an execution', () => {
	it('are none where none is asked for', async () => {
		expect(await attached([])).toEqual({ binary: undefined, hasLongCsv: false });
	});

	it.each<[ReportForm, string, string, () => string]>([
		['csv', 'w-e.csv', 'text/csv', () => csvReport(executionOf(POLICY), shapingOf(SHAPING)).csv],
		['html', 'w-e.html', 'text/html', () => reportsOf(POLICY, SHAPING, BESIDE).html],
		['markdown', 'w-e.md', 'text/markdown', () => reportsOf(POLICY, SHAPING, BESIDE).markdown],
	])('are one file where one is asked for: %s', async (form, fileName, mimeType, textOf) => {
		const { binary = {}, hasLongCsv } = await attached([form]);
		expect(Object.keys(binary)).toEqual([`report_${form}`]);
		expect(binary[`report_${form}`]).toMatchObject({ fileName, mimeType, data: textOf() });
		expect(hasLongCsv).toBe(false);
	});

	it('are a file each, with the same content as one alone', async () => {
		const forms: ReportForm[] = ['csv', 'html', 'markdown'];
		const alone = await Promise.all(forms.map((form) => attached([form])));
		expect((await attached(forms)).binary).toEqual(
			Object.assign({}, ...alone.map(({ binary }) => binary)),
		);
	});

	it('say whether the CSV has a line per value', async () => {
		expect((await attached(['csv'], SPARSE)).hasLongCsv).toBe(true);
		expect((await attached(['html'], SPARSE)).hasLongCsv).toBe(false);
	});

	it('are marked, so that they are not sent as documents', async () => {
		const { binary = {} } = await attached(['csv', 'html', 'markdown']);
		expect(Object.values(binary).map(isReport)).toEqual([true, true, true]);
	});
});

describe('Attach Report', () => {
	it.each<[unknown, ReportForm[]]>([
		[null, []],
		[[], []],
		['html', ['html']],
		['csv, markdown', ['csv', 'markdown']],
		[
			['markdown', 'html', 'csv'],
			['markdown', 'html', 'csv'],
		],
	])('%j means %j', (given, forms) => {
		expect(readReportForms(given)).toEqual(forms);
	});

	it.each([
		['pdf', 'pdf'],
		[['csv', 'constructor'], 'constructor'],
		['x'.repeat(100), `${'x'.repeat(39)}…`],
	])('cannot be %j', (given, shown) => {
		expect(() => readReportForms(given)).toThrow(
			new Error(`'Attach Report' can be csv, html and markdown, but contains ${shown}`),
		);
	});
});
