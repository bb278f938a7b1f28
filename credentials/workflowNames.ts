import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

import { readIdentifier, workflowIdIn } from '../service/identifier';
import { plainText } from '../service/text';

/** A workflow of the service as an administrator named it, because the service does not list its workflows. */
export interface NamedWorkflow {
	name: string;
	id: string;
}

export type ReadWorkflowNames =
	{ ok: true; workflows: NamedWorkflow[] } | { ok: false; message: string; advice: string };

/** In characters. */
const MAX_NAME = 100;

/** n8n 1 drops hidden fields when it stores a token, so this one is always shown. */
export const workflowNamesField: INodeProperties = {
	displayName: 'Workflow Names',
	name: 'workflowNames',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	placeholder: 'Policy Intake = policy-intake\nClaims = claims-2',
	description:
		'The workflows that the node offers under From List. One per line: a name, an equals sign, and the ID or URL.',
};

/** The named workflows in the order entered, or which line cannot be read. */
export function readWorkflowNames({
	workflowNames: given,
}: ICredentialDataDecryptedObject): ReadWorkflowNames {
	const workflows: NamedWorkflow[] = [];
	for (const [index, line] of (typeof given === 'string' ? given : '')
		.split(/\r\n?|\n/)
		.entries()) {
		if (line.trim() === '') continue;
		const workflow = readLine(line);
		if (workflow === undefined)
			return {
				ok: false,
				message: `Line ${index + 1} of 'Workflow Names' cannot be read: '${plainText(line, [], MAX_NAME)}'`,
				advice:
					"Enter one workflow per line in the Document Workflow API credential, e.g. 'Policy Intake = policy-intake'",
			};
		workflows.push(workflow);
	}
	return { ok: true, workflows };
}

/** The first equals sign separates, because a URL may have more of them. */
function readLine(line: string): NamedWorkflow | undefined {
	const separator = line.indexOf('=');
	const name = plainText(line.slice(0, Math.max(separator, 0)), [], MAX_NAME);
	const id = readIdentifier(workflowIdIn(line.slice(separator + 1)));
	return name === '' || id === undefined || /[\s/?#]/.test(id) ? undefined : { name, id };
}
