import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import type { Execution } from '../../../service/contract';
import type { ServiceContext } from '../stop';
import type { Shaping } from './choice';
import { csvReport } from './reportCsv';
import type { ReportForm } from './reportForms';
import { FORMS } from './reportForms';
import { htmlReport } from './reportHtml';
import { markdownReport } from './reportMarkdown';
import { asReport } from './reportMark';
import { reportPage } from './reportPage';

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
			Buffer.from(texts[form] ?? '', 'utf8'),
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
