import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { readIdentifier, workflowIdIn } from '../service/identifier';
import { plainText } from '../service/text';
import { type InvalidSetting, refuse, text } from './settings';

/** A workflow of the service as an administrator named it, because the service does not list its workflows. */
interface NamedWorkflow {
	name: string;
	id: string;
}

/** In characters. */
const MAX_NAME = 100;

/** n8n 1 drops hidden fields when it stores a token, so this one is always shown. */
export const workflowNamesField = text('Workflow Names', 'workflowNames', {
	typeOptions: { rows: 4 },
	placeholder: 'e.g. Policy Intake = policy-intake\nClaims = claims-2',
	description:
		'The workflows that the node offers under From List. One per line: a name, an equals sign, and the ID or URL.',
});

/** The named workflows in the order entered, or which line cannot be read. */
export function readWorkflowNames({
	workflowNames: given,
}: ICredentialDataDecryptedObject): { ok: true; workflows: NamedWorkflow[] } | InvalidSetting {
	const workflows: NamedWorkflow[] = [];
	const lines = typeof given === 'string' ? given.split(/\r\n?|\n/) : [];
	for (const [index, line] of lines.entries()) {
		if (line.trim() === '') continue;
		const workflow = readLine(line);
		if (workflow === undefined)
			return refuse(
				`Line ${index + 1} of 'Workflow Names' cannot be read: '${plainText(line, [], MAX_NAME)}'`,
				"Enter one workflow per line in the Document Workflow API credential, e.g. 'Policy Intake = policy-intake'",
			);
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
