import type {
	EngineRequest,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';

import { operationField, operationFields, OPERATIONS } from './actions';
import { runOperation } from './actions/run';
import { searchWorkflows, testCredential } from './methods';
import { storePause } from './pausing/pause';

/** For example "create and wait: policy-intake". The raw parameters have the name that was chosen from the list; an expression has no value here. */
const SUBTITLE =
	'={{ ((operation, chosen) => [operation?.replace(/[A-Z]/g, " $&").toLowerCase(), chosen?.cachedResultName || String(chosen?.value ?? "").replace(/^=.*$/s, "").replace(/^.*[/]workflows?[/]([^/?#]+).*$/i, "$1").trim()].filter(Boolean).join(": "))($parameter.toJSON().operation, $parameter.toJSON().workflowId) }}';

/** What n8n shows while the node waits. 24 is the default of the option; an expression in it has no value here. */
const WAITING =
	'={{ ((hours) => "n8n checks the document service regularly" + (isNaN(hours) ? "." : ", for up to " + hours + " hours."))(Number($parameter["waiting"]?.["longestWaitHours"] ?? 24)) + " Enter nothing here. The service may itself wait for a person: see n8n\'s log." }}';

export class DocumentWorkflow implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Document Workflow',
		name: 'documentWorkflow',
		icon: { light: 'file:documentWorkflow.svg', dark: 'file:documentWorkflow.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: SUBTITLE,
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
		waitingNodeTooltip: WAITING,
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
