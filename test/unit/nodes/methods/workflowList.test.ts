import type { ICredentialDataDecryptedObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { workflowField } from '../../../../nodes/DocumentWorkflow/actions/fields/ids';
import { DocumentWorkflow } from '../../../../nodes/DocumentWorkflow/DocumentWorkflow.node';
import { node } from '../../support/context';

const { listSearch } = new DocumentWorkflow().methods;

/** Searches as n8n does, with the method that the list of the field names. */
async function search(credential: ICredentialDataDecryptedObject | undefined, filter?: string) {
	const [list] = workflowField.modes ?? [];
	const method = list?.typeOptions?.searchListMethod as keyof typeof listSearch;
	const context = {
		getNode: () => node,
		getCredentials: async () => {
			if (credential === undefined) throw new Error('Node does not have any credentials set');
			return Promise.resolve(credential);
		},
	};
	return listSearch[method].call(context as unknown as ILoadOptionsFunctions, filter);
}

const CREDENTIAL = { workflowNames: 'Policy Intake = p-1\nClaims = c-2\nLoss Runs = l-3' };

describe('the list of workflows', () => {
	it('has the workflows that are named in the credential, in their order', async () => {
		expect(await search(CREDENTIAL)).toEqual({
			results: [
				{ name: 'Policy Intake', value: 'p-1' },
				{ name: 'Claims', value: 'c-2' },
				{ name: 'Loss Runs', value: 'l-3' },
			],
		});
	});

	it.each([
		['CLAIM', ['Claims']],
		[' in ', ['Policy Intake']],
		['l-3', ['Loss Runs']],
		['nothing', []],
		['', ['Policy Intake', 'Claims', 'Loss Runs']],
	])('has only those whose name or ID holds the filter %j', async (filter, names) => {
		const { results } = await search(CREDENTIAL, filter);
		expect(results.map(({ name }) => name)).toEqual(names);
	});

	it.each([
		[
			'no credential is chosen',
			undefined,
			'No credential selected. Select a Document Workflow API credential to see its workflows',
		],
		[
			'no names are entered',
			{},
			"No workflow names yet. Enter them under 'Workflow Names' in the Document Workflow API credential, or choose By ID",
		],
		[
			'a line cannot be read',
			{ workflowNames: 'Claims' },
			"Line 1 of 'Workflow Names' cannot be read: 'Claims'. Enter one workflow per line in the Document Workflow API credential, e.g. 'Policy Intake = policy-intake'",
		],
	])('says what to do where %s', async (_what, credential, message) => {
		await expect(search(credential)).rejects.toThrow(message);
	});
});
