import type { INodePropertyOptions } from 'n8n-workflow';

import { excerptOf } from '../../../service/text';
import { readNames } from '../panel/lists';

export const FORMS = {
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
			`'Attach Report' can be csv, html and markdown, and it holds ${excerptOf(name, [], 40)}`,
		);
	});
}
