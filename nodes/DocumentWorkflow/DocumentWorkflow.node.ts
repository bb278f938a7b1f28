import type {
	EngineRequest,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';

import {
	operationField,
	operationFields,
	OPERATIONS,
	subtitle,
	waitingNodeTooltip,
} from './actions';
import { runOperation } from './actions/run';
import { searchWorkflows, testCredential } from './methods';
import { storePause } from './pausing/pause';

export class DocumentWorkflow implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Document Workflow',
		name: 'documentWorkflow',
		icon: { light: 'file:documentWorkflow.svg', dark: 'file:documentWorkflow.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle,
		// An AI agent reads this, whatever the operation. People see the trigger's in n8n's node list.
		description: 'Extract data from documents such as invoices, claims and policies',
		defaults: { name: 'Document Workflow' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Extracts data from documents such as mail attachments, invoices, claims and policies with an external document service. Use the operation createAndWait: it sends the files of its input items and returns the data, also after hours, without a Wait node or a loop. Values below Minimum Confidence set needsReview; branch on it with an If node.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-document-workflow.documentWorkflowTrigger',
					relationHint: 'Starts an n8n workflow when the document service finishes an execution',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		waitingNodeTooltip,
		credentials: [
			{ name: 'documentWorkflowApi', required: true, testedBy: 'documentWorkflowApiTest' },
		],
		properties: [operationField, ...operationFields],
	};

	methods = {
		credentialTest: { documentWorkflowApiTest: testCredential },
		listSearch: { searchWorkflows },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][] | EngineRequest> {
		const stored = await storePause(this);
		if (stored !== undefined) return stored;
		const operation = OPERATIONS.get(this.getNodeParameter('operation', 0));
		if (operation === undefined) {
			throw new NodeOperationError(
				this.getNode(),
				"The selected 'Operation' is not supported by this version of the node",
				{ description: 'Select the operation again, or update the package' },
			);
		}
		const output = await runOperation(this, operation);
		return Array.isArray(output) ? [output] : output;
	}
}
