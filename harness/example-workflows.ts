import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { workflowJson, type WorkflowJson } from './n8n-rest';
import { ROOT } from './pack';

export const EXAMPLES = join(ROOT, 'examples');
export const CREDENTIAL_TYPE = 'documentWorkflowApi';

/** n8n's own nodes that need neither a credential nor another service, and so have no sample data. */
const WITHOUT_CREDENTIAL = [
	...['aggregate', 'code', 'convertToFile', 'filter', 'form', 'if', 'manualTrigger', 'merge'],
	'removeDuplicates',
	...['scheduleTrigger', 'set', 'sort', 'splitInBatches', 'splitOut', 'stickyNote', 'summarize'],
	'switch',
].map((type) => `n8n-nodes-base.${type}`);

const ownTable = z.object({
	type: z.literal('n8n-nodes-base.dataTable'),
	parameters: z.union([
		z.object({ resource: z.literal('table') }).passthrough(),
		z.object({ dataTableId: z.object({ value: z.string().startsWith('=') }).passthrough() }),
	]),
});

/** Needs a credential, another service, or something that n8n does not have from the start. A table that the workflow makes is there. */
export const needsSampleData = (node: { type: string }): boolean =>
	!WITHOUT_CREDENTIAL.includes(node.type) && !ownTable.safeParse(node).success;

/** Starts a workflow. The trigger for IMAP is the only one whose type does not say so. */
export const isTrigger = ({ type }: { type: string }) => /Trigger$|\.emailReadImap$/.test(type);

/** The nodes of the examples that need a credential, by its type. */
const TAKERS: Record<string, RegExp> = {
	[CREDENTIAL_TYPE]: /\.documentWorkflow(Trigger)?$/,
	imap: /\.emailReadImap$/,
	n8nApi: /\.(n8n|httpRequest)$/,
	postgres: /\.postgres$/,
	smtp: /\.emailSend$/,
	microsoftOAuth2Api: /\.(microsoftSharePoint|httpRequest)$/,
};
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
 * Chooses a stored credential, by default the package's, in all nodes that need it. The examples have none, because n8n runs no workflow with the
 * placeholder of one.
 */
export function withCredential(
	workflow: WorkflowJson,
	{ id, name }: { id: string; name: string },
	type = CREDENTIAL_TYPE,
): WorkflowJson {
	const takers = TAKERS[type];
	if (takers === undefined) throw new Error(`No example needs a credential of the type ${type}.`);
	const nodes = workflow.nodes.map((node) => {
		if (!takers.test(node.type)) return node;
		return { ...node, credentials: Object.assign({}, node.credentials, { [type]: { id, name } }) };
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
