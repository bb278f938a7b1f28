import { randomUUID } from 'node:crypto';
import { CREDENTIAL_TYPE } from '../../harness/example-workflows';
import { node, type NodeJson } from '../../harness/flows';
import type { World } from './support';

export {
	chain,
	documentWorkflow,
	node,
	numbers,
	readFiles,
	split,
	type NodeJson,
	type Operation,
} from '../../harness/flows';

/** The package's trigger; it accepts calls with the key of the tests. */
export function documentWorkflowTrigger(
	{ credential: { id, name } }: World,
	parameters: Record<string, unknown> = {},
): NodeJson {
	return {
		...node(
			'Document Workflow Trigger',
			'n8n-nodes-document-workflow.documentWorkflowTrigger',
			2,
			parameters,
		),
		// The editor sets one for each webhook node; without it n8n 1 does not use the path as it is.
		webhookId: randomUUID(),
		credentials: { [CREDENTIAL_TYPE]: { id, name } },
	};
}

/** n8n's HTTP Request node with the package's credential. */
export function httpRequest(
	{ credential: { id, name } }: World,
	url: string,
	options: Record<string, unknown> = {},
): NodeJson {
	return {
		...node('HTTP Request', 'n8n-nodes-base.httpRequest', 4.2, {
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: CREDENTIAL_TYPE,
			options,
		}),
		credentials: { [CREDENTIAL_TYPE]: { id, name } },
	};
}

/** Early and frequent checks, so that tests are short. */
export const EARLY_CHECKS = { firstCheckSeconds: 1, longestIntervalMinutes: 0.02 };

export const EARLY = { waiting: EARLY_CHECKS };

/** Needs no file. */
export const TEXT_ONLY = {
	documents: 'none',
	inputs: { textInputs: [{ name: 'note', value: 'text only' }] },
};
