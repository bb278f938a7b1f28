/** The built package, as n8n loads it. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeType } from 'n8n-workflow';
import type { DocumentWorkflowApi as CredentialType } from '../../../credentials/DocumentWorkflowApi.credentials';
import type { DocumentWorkflow as NodeType } from '../../../nodes/DocumentWorkflow/DocumentWorkflow.node';

const ROOT = join(__dirname, '..', '..', '..');

rejectOldBuild();

const built = jest.requireActual<{
	DocumentWorkflow: new () => NodeType;
	DocumentWorkflowApi: new () => CredentialType;
}>('../../../index.js');

export const NODE_TYPE = 'n8n-nodes-document-workflow.documentWorkflow';
export const CREDENTIAL_TYPE = 'documentWorkflowApi';

export const documentWorkflow: NodeType & INodeType = new built.DocumentWorkflow();
export const documentWorkflowApi: CredentialType = new built.DocumentWorkflowApi();

/** Tests of an old build would say nothing about the sources. */
function rejectOldBuild(): void {
	for (const room of ['credentials', 'nodes', 'service']) {
		for (const file of readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })) {
			if (!file.endsWith('.ts')) continue;
			const result = join(ROOT, 'dist', room, file.replace(/\.ts$/, '.js'));
			const built = statSync(result, { throwIfNoEntry: false });
			if (built === undefined || built.mtimeMs < statSync(join(ROOT, room, file)).mtimeMs) {
				throw new Error(`dist is older than ${room}/${file}. Run: npm run build`);
			}
		}
	}
}
