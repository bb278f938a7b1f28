import type { IBinaryData, IDataObject } from 'n8n-workflow';

import type { Execution } from '../../../../service/contract';
import { asReport } from '../../documents/inputItems';
import type { ServiceContext } from '../../connection/time';
import type { Shaping } from '../choice';
import type { Judgement } from '../judgement';
import { reportPage } from './page';

/** The report of an execution as a file. `beside`: the other fields of its items, such as the sent documents. */
export async function reportOf(
	context: ServiceContext,
	judgement: Judgement,
	shaping: Shaping,
	beside: IDataObject,
): Promise<IBinaryData> {
	const page = Buffer.from(reportPage(judgement, shaping, beside));
	const name = reportFileName(judgement.execution);
	return asReport(await context.helpers.prepareBinaryData(page, name, 'text/html'));
}

/** A file name that every file system accepts: `policy-intake-ex-1.html`. */
export function reportFileName({
	workflowId,
	executionId,
}: Pick<Execution, 'workflowId' | 'executionId'>): string {
	const ids = [workflowId, executionId].map((id) => id.replace(/[^\w-]+/g, '_').slice(0, 80));
	return `${ids.join('-')}.html`;
}
