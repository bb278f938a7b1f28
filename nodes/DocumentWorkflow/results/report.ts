import type { IBinaryKeyData, IDataObject, INodePropertyOptions } from 'n8n-workflow';
import type { Execution } from '../../../service/contract';
import { asReport } from '../documents/attached';
import type { ServiceContext } from '../stop';
import type { Shaping } from './choice';
import { csvReport } from './reportCsv';
import { htmlReport } from './reportHtml';
import { markdownReport } from './reportMarkdown';
import { reportPage } from './reportPage';
import { excerptOf } from '../../../service/text';
import { readNames } from '../panel/values';

export interface AttachedReports {
	/** Undefined when no report was asked for. */
	binary: IBinaryKeyData | undefined;
	/** Whether the CSV has a line per value instead of per row. */
	hasLongCsv: boolean;
}

/** Writes the reports of an execution. `beside` are the other fields of its output items, such as the documents that were sent. */
export async function attachReports(
	context: ServiceContext,
	execution: Execution,
	forms: ReportForm[],
	shaping: Shaping,
	beside: IDataObject,
): Promise<AttachedReports> {
	if (forms.length === 0) return { binary: undefined, hasLongCsv: false };
	const csv = forms.includes('csv') ? csvReport(execution, shaping) : undefined;
	const page = forms.some((form) => form !== 'csv')
		? reportPage(execution, shaping, beside)
		: undefined;
	const texts: Record<ReportForm, string | undefined> = {
		csv: csv?.csv,
		html: page && htmlReport(page),
		markdown: page && markdownReport(page),
	};
	const binary: IBinaryKeyData = {};
	for (const form of forms) {
		const { extension, mediaType } = FORMS[form];
		const file = await context.helpers.prepareBinaryData(
			Buffer.from(texts[form] ?? ''),
			reportFileName(execution, extension),
			mediaType,
		);
		binary[`report_${form}`] = asReport(file);
	}
	return { binary, hasLongCsv: csv?.isLong === true };
}

/** A file name that every file system accepts: `policy-intake-ex-1.csv`. */
export function reportFileName(
	{ workflowId, executionId }: Pick<Execution, 'workflowId' | 'executionId'>,
	extension: string,
): string {
	const [workflow, execution] = [workflowId, executionId].map((id) =>
		id.replace(/[^\w-]+/g, '_').slice(0, 80),
	);
	return `${workflow}-${execution}.${extension}`;
}

const FORMS = {
	csv: { extension: 'csv', mediaType: 'text/csv' },
	html: { extension: 'html', mediaType: 'text/html' },
	markdown: { extension: 'md', mediaType: 'text/markdown' },
} as const;

export type ReportForm = keyof typeof FORMS;

/** Each form has a field of its own in the output item: `report_csv`, `report_html` and `report_markdown`. */
export const REPORT_FORMS: INodePropertyOptions[] = [
	{
		name: 'CSV',
		value: 'csv',
		description: 'All rows as a table for Excel, in the field report_csv',
	},
	{
		name: 'HTML',
		value: 'html',
		description: 'A page for people, e.g. to send by mail, in the field report_html',
	},
	{
		name: 'Markdown',
		value: 'markdown',
		description: 'The page as text, which n8n can display, in the field report_markdown',
	},
];

/** @throws Error when it holds anything but forms of a report */
export function readReportForms(given: unknown): ReportForm[] {
	return readNames(given, 'Attach Report').map((name) => {
		if (Object.hasOwn(FORMS, name)) return name as ReportForm;
		throw new Error(
			`'Attach Report' can be csv, html and markdown, but contains ${excerptOf(name, [], 40)}`,
		);
	});
}
