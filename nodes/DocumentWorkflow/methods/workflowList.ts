import type {
	ICredentialDataDecryptedObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { readWorkflowNames } from '../../../credentials/workflowNames';
import { CREDENTIAL_NAME } from '../connection/request';

/**
 * Lists the workflows that are named in the credential. n8n shows only the message of an error here, so it says what to do, too.
 * @throws NodeOperationError when there is nothing to list
 */
export async function searchWorkflows(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const credential = await credentialOf(this);
	const read = readWorkflowNames(credential);
	if (!read.ok) throw new NodeOperationError(this.getNode(), `${read.message}. ${read.advice}`);
	if (read.workflows.length === 0)
		throw new NodeOperationError(
			this.getNode(),
			"No workflow names yet. Enter them under 'Workflow Names' in the Document Workflow API credential, or choose By ID or By URL",
		);
	const wanted = filter.trim().toLowerCase();
	return {
		results: read.workflows
			.filter(({ name, id }) => `${name}\n${id}`.toLowerCase().includes(wanted))
			.map(({ name, id }) => ({ name, value: id })),
	};
}

async function credentialOf(
	context: ILoadOptionsFunctions,
): Promise<ICredentialDataDecryptedObject> {
	try {
		return await context.getCredentials(CREDENTIAL_NAME);
	} catch {
		throw new NodeOperationError(
			context.getNode(),
			'No credential selected. Select a Document Workflow API credential to see its workflows',
		);
	}
}
