import { inputItem } from '../../../../nodes/DocumentWorkflow/documents/inputItems';
import { contextOf } from '../../support/context';

const scan = { data: 'aW1hZ2U=', mimeType: 'image/png', fileName: 'scan.png' };
const item = { json: { subject: 'Claim', _files: { scan } } };
const inputItemWith = (more: object) =>
	inputItem(contextOf({ getInputData: () => [item], ...more }), 0);

describe('The files of an input item', () => {
	it('are read from its JSON only where n8n keeps them there', () => {
		const getWorkflowSettings = () => ({ binaryMode: 'combined' });
		expect(inputItemWith({ getWorkflowSettings })).toEqual({
			json: { subject: 'Claim' },
			binary: { scan },
		});
		expect(inputItemWith({ getWorkflowSettings: () => ({}) })).toBe(item);
	});

	it('are where they always were in an older n8n, which does not say its settings', () => {
		expect(inputItemWith({ getWorkflowSettings: undefined })).toBe(item);
	});
});
