import type * as Workflow from 'n8n-workflow';

interface Built {
	address: Pick<Workflow.IWebhookDescription, 'path'>;
}
const n8nWorkflow = jest.requireActual<typeof Workflow>('n8n-workflow');

/** The address as it is with a version of n8n. */
function addressWith(offered: object): Built['address'] {
	let built: Built | undefined;
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => offered);
		built = jest.requireActual<Built>('../../../../nodes/DocumentWorkflow/trigger/address');
		jest.dontMock('n8n-workflow');
	});
	if (built === undefined) throw new Error('The module was not loaded');
	return built.address;
}

const node = (path: string) => ({ parameters: { path } }) as unknown as Workflow.INode;

describe('The address of the trigger', () => {
	it('is read by n8n 2 without an expression, unless the panel has one', () => {
		const address = addressWith(n8nWorkflow) as Workflow.IWebhookDescription;
		const read = (path: string) =>
			n8nWorkflow.resolveWebhookDescriptionField(node(path), address, 'path');
		expect(read('intake')).toEqual({ resolved: true, value: 'intake' });
		expect(read('={{ "intake" }}')).toEqual({ resolved: false });
	});

	it('is an expression for the editor, and for n8n 1', () => {
		const withEditor = JSON.parse(JSON.stringify(addressWith(n8nWorkflow))) as object;
		expect(withEditor).toEqual({ path: '={{$parameter["path"]}}' });
		expect(addressWith({})).toEqual({ path: '={{ $parameter["path"] }}' });
	});
});
