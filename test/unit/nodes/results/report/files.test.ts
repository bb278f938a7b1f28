import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { isReport } from '../../../../../nodes/DocumentWorkflow/documents/select';
import { judge } from '../../../../../nodes/DocumentWorkflow/results/judge/judge';
import {
	reportFileName,
	reportOf,
} from '../../../../../nodes/DocumentWorkflow/results/words/report/page';
import { contextOf } from '../../../support/context';
import { reportOn } from './reports';
import { executionOf, POLICY, settingsOf } from '../support';

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

describe('The report of an execution', () => {
	it('is a page in a file, marked so that it is not sent as a document', async () => {
		const shaping = settingsOf({ minimumConfidence: 0.8 });
		const file = await reportOf(
			contextOf({ helpers: { prepareBinaryData } }),
			await judge(executionOf(POLICY), shaping, BESIDE),
			shaping,
			BESIDE,
		);
		const data = await reportOn(POLICY, {}, BESIDE);
		expect(file).toMatchObject({ fileName: 'w-e.html', mimeType: 'text/html', data });
		expect(isReport(file)).toBe(true);
	});
});

describe('The name of the report', () => {
	it.each([
		['policy-intake', 'ex_1', 'policy-intake-ex_1.html'],
		['../../etc', 'a b/c\\d:e', '_etc-a_b_c_d_e.html'],
		['CON.x', '東京', 'CON_x-_.html'],
		['w'.repeat(300), 'e'.repeat(300), `${'w'.repeat(80)}-${'e'.repeat(80)}.html`],
	])('is, for workflow %j and execution %j, %j', (workflowId, executionId, name) => {
		expect(reportFileName({ workflowId, executionId })).toBe(name);
	});
});
