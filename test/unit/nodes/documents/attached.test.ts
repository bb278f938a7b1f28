import type { IBinaryData } from 'n8n-workflow';

import { asReport, isReport } from '../../../../nodes/DocumentWorkflow/documents/inputItems';

describe('The mark of a report', () => {
	const file: IBinaryData = { data: 'x', mimeType: 'text/csv', fileName: 'w-e.csv' };

	it('is one more field of the record that n8n keeps of a file', () => {
		expect(asReport(file)).toEqual({ ...file, documentWorkflowReport: 'yes' });
	});

	it('is missing on other files, whatever their names are', () => {
		expect([file, undefined].map(isReport)).toEqual([false, false]);
	});
});
