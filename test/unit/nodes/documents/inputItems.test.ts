import { filesIn, inputItem } from '../../../../nodes/DocumentWorkflow/documents/open';
import { asReport, isReport } from '../../../../nodes/DocumentWorkflow/documents/select';
import { contextOf } from '../../support/context';

const scan = { data: 'aW1hZ2U=', mimeType: 'image/png', fileName: 'scan.png' };
const item = { json: { subject: 'Claim', _files: { scan } } };
const inputItemWith = (more: object) =>
	inputItem(contextOf({ getInputData: () => [item], ...more }), 0);
const getWorkflowSettings = () => ({ binaryMode: 'combined' as const });

describe('The files of an input item', () => {
	it('are read from its JSON only where n8n keeps them there', () => {
		expect(inputItemWith({ getWorkflowSettings })).toEqual({
			json: { subject: 'Claim' },
			binary: { scan },
		});
		expect(inputItemWith({ getWorkflowSettings: () => ({}) })).toBe(item);
	});

	it('are read from its JSON beside those that it has elsewhere', () => {
		const both = { ...item, binary: { photo: scan } };
		expect(inputItemWith({ getWorkflowSettings, getInputData: () => [both] })).toEqual({
			json: { subject: 'Claim' },
			binary: { scan, photo: scan },
		});
	});

	it.each([undefined, null, 'text'])('are none when its JSON has %j in their place', (files) => {
		const without = { json: { subject: 'Claim', _files: files } };
		expect(inputItemWith({ getWorkflowSettings, getInputData: () => [without] })).toBe(without);
	});

	it('are none when there is no such item', () => {
		expect(inputItemWith({ getWorkflowSettings, getInputData: () => [] })).toEqual({ json: {} });
	});

	it.each([
		['text', 'aW1hZ2U='],
		['nothing', null],
		['only a type', { mimeType: 'image/png' }],
		['only content', { data: 'aW1hZ2U=' }],
		['a type that is no text', { data: 'aW1hZ2U=', mimeType: 7 }],
		['content that is no text', { data: 7, mimeType: 'image/png' }],
	])('include no entry that is %s', (_, entry) => {
		expect(filesIn({ entry, scan })).toEqual({ scan });
	});
});

describe('The mark of a report', () => {
	it('is one more field of the record that n8n keeps of a file', () => {
		expect(asReport(scan)).toEqual({ ...scan, documentWorkflowReport: 'yes' });
	});

	it('is missing on other files, whatever their names are', () => {
		expect([scan, undefined].map(isReport)).toEqual([false, false]);
	});
});
