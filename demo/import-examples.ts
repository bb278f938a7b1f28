import {
	CREDENTIAL_TYPE,
	readExampleWorkflows,
	withCredential,
	withSetting,
} from '../harness/example-workflows';
import type { N8nClient } from '../harness/n8n-rest';
import { Trouble } from '../harness/report';
import type { Simulator } from '../simulator';

export const MAIN_WORKFLOW = 'sample-documents';

/** Stores the credential and imports the example workflows; returns the id of the one that is run. */
export async function importExamples(
	client: N8nClient,
	simulator: Simulator,
	documents: string,
): Promise<string> {
	const [account] = simulator.state.clients;
	if (!account) throw new Error('The simulated service has no client.');
	const name = 'Document Workflow account';
	const data = {
		environment: 'production',
		productionUrl: simulator.productionUrl,
		stagingUrl: simulator.stagingUrl,
		clientId: account.clientId,
		clientSecret: account.clientSecret,
		workflowNames: workflowIds(simulator.state).map(namedLine).join('\n'),
	};
	const id = await client
		.createCredential({ name, type: CREDENTIAL_TYPE, data })
		.catch((error: unknown) => {
			if (!String(error).includes('Unrecognized credential type')) throw error;
			throw new Trouble(
				'This n8n does not have the package n8n-nodes-document-workflow.',
				'Install it, restart n8n and start again: CONTRIBUTING.md has the commands. Set N8N_OWNER_EMAIL and N8N_OWNER_PASSWORD to the owner of this n8n.',
			);
		});
	const ids = new Map<string, string>();
	for (const [file, workflow] of readExampleWorkflows()) {
		const prepared = withCredential(workflow, { id, name });
		// Without its sample data it reads the folder.
		const onDocuments = () => ({
			...withSetting(prepared, 'documentsFolder', documents),
			pinData: {},
		});
		ids.set(file, await client.createWorkflow(file === MAIN_WORKFLOW ? onDocuments() : prepared));
	}
	const workflowId = ids.get(MAIN_WORKFLOW);
	if (workflowId === undefined)
		throw new Error(`The example workflow ${MAIN_WORKFLOW} is missing.`);
	return workflowId;
}

export const workflowIds = ({ workflows }: Simulator['state']) =>
	workflows.all().map(({ workflowId }) => workflowId);

/** A line of *Workflow Names* in the credential, such as "Policy intake = policy-intake". */
function namedLine(workflowId: string): string {
	const words = workflowId.replaceAll('-', ' ');
	return `${words.charAt(0).toUpperCase()}${words.slice(1)} = ${workflowId}`;
}
