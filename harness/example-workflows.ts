import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { workflowJson, type WorkflowJson } from './n8n-rest';
import { ROOT } from './pack';

export const EXAMPLES = join(ROOT, 'examples');
export const CREDENTIAL_TYPE = 'documentWorkflowApi';
export const WEBHOOK_CREDENTIAL_TYPE = 'documentWorkflowWebhookApi';

/** The examples with notes, sample data and a layout as in n8n's library of templates. They run before a credential is chosen. */
export const TEMPLATES = [
	'outlook-to-excel',
	'report-a-claim',
	'gmail-to-google-sheet',
	'drive-folder',
	'when-a-workflow-fails',
];

/** n8n's own nodes in templates that need neither a credential nor another service, and so have no sample data. */
export const WITHOUT_CREDENTIAL = [
	'form',
	'if',
	'removeDuplicates',
	'set',
	'splitOut',
	'stickyNote',
].map((type) => `n8n-nodes-base.${type}`);

/** Starts a workflow. The trigger for IMAP is the only one whose type does not say so. */
export const isTrigger = ({ type }: { type: string }) => /Trigger$|\.emailReadImap$/.test(type);

/** The package's node as templates have it: without a placeholder, because n8n runs no workflow with one. */
const templateNode = z.object({
	type: z.literal('n8n-nodes-document-workflow.documentWorkflow'),
	parameters: z.object({ operation: z.enum(['create', 'get', 'wait', 'createAndWait']) }),
	credentials: z.undefined(),
});
const withCredentials = z.object({ credentials: z.record(z.unknown()) });
const settingsNode = z.object({
	parameters: z
		.object({
			assignments: z
				.object({
					assignments: z.array(z.object({ name: z.string(), value: z.string() }).passthrough()),
				})
				.passthrough(),
		})
		.passthrough(),
});

/** The example workflows by file name without extension. */
export function readExampleWorkflows(): Map<string, WorkflowJson> {
	const folder = join(EXAMPLES, 'workflows');
	const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
	return new Map(
		files.map((file) => [
			file.replace(/\.json$/, ''),
			workflowJson.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))),
		]),
	);
}

/**
 * Replaces the placeholder of a credential, by default the package's, with a stored credential. In templates, which have no placeholders, the
 * package's nodes get it.
 */
export function withCredential(
	workflow: WorkflowJson,
	credential: { id: string; name: string },
	type = CREDENTIAL_TYPE,
): WorkflowJson {
	const nodes = workflow.nodes.map((node) => {
		if (type === CREDENTIAL_TYPE && templateNode.safeParse(node).success)
			return { ...node, credentials: { [type]: credential } };
		const { success, data } = withCredentials.safeParse(node);
		if (!success || !(type in data.credentials)) return node;
		return { ...node, credentials: { ...data.credentials, [type]: credential } };
	});
	return { ...workflow, nodes };
}

/** Replaces one value of the node "Settings"; throws if the node does not have it. */
export function withSetting(workflow: WorkflowJson, name: string, value: string): WorkflowJson {
	let found = false;
	const nodes = workflow.nodes.map((node) => {
		if (node.name !== 'Settings') return node;
		const { parameters } = settingsNode.parse(node);
		const assignments = parameters.assignments.assignments.map((assignment) => {
			if (assignment.name !== name) return assignment;
			found = true;
			return { ...assignment, value };
		});
		return {
			...node,
			parameters: { ...parameters, assignments: { ...parameters.assignments, assignments } },
		};
	});
	if (!found) throw new Error(`The workflow "${workflow.name}" has no setting "${name}".`);
	return { ...workflow, nodes };
}
