import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { workflowJson, type WorkflowJson } from './n8n-rest';
import { ROOT } from './pack';

export const EXAMPLES = join(ROOT, 'examples');
export const CREDENTIAL_TYPE = 'documentWorkflowApi';
export const WEBHOOK_CREDENTIAL_TYPE = 'documentWorkflowWebhookApi';

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

/** Replaces the placeholder of a credential, by default the package's, with a stored credential. */
export function withCredential(
	workflow: WorkflowJson,
	credential: { id: string; name: string },
	type = CREDENTIAL_TYPE,
): WorkflowJson {
	const nodes = workflow.nodes.map((node) => {
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
