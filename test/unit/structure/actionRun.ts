import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeExecutionHint,
	NodeOperationError,
} from 'n8n-workflow';

import { DocumentWorkflow } from '../../../nodes/DocumentWorkflow/DocumentWorkflow.node';
import { contextOf, node } from '../support/context';
import { ProcessedData } from '../support/processedData';
import {
	FakeService,
	CREDENTIALS,
	NOBODY,
	SILENT,
	credentialsWith,
	fileOf,
	httpOf,
	inFakeTime,
	parametersOf,
	prepare,
	type Helpers,
	type Listener,
	type Scene,
} from './scene';

const ITEMS: INodeExecutionData[] = [
	{ json: { subject: 'Claim' }, binary: { data: fileOf('Policy Number: CPP-1') } },
];

/** Everything that can be seen of a run of the action node: requests with their times, items, hints, pauses, and its error. */
export async function outcomeOfAction(scene: Scene, listener = NOBODY): Promise<unknown> {
	return inFakeTime(async (clock) => {
		const store = new ProcessedData();
		const asked: unknown[] = [];
		const service = new FakeService(clock, scene);
		const outcomes: unknown[] = [];
		for (let run = 0; run < (scene.runs ?? 1); run++)
			outcomes.push(await runAction(scene, listener, service, remembering(store, asked)));
		return { outcomes, requests: service.requests, asked };
	});
}

/** n8n's store of what was processed; what it is asked is recorded. */
function remembering(store: ProcessedData, asked: unknown[]): Helpers {
	const { checkProcessedAndRecord, removeProcessed } = store.helpers();
	return {
		checkProcessedAndRecord: async (items, scope, options) => {
			asked.push(['record', scope, items]);
			return checkProcessedAndRecord(items, scope, options);
		},
		removeProcessed: async (items, scope, options) => {
			asked.push(['remove', scope, items]);
			return removeProcessed(items, scope, options);
		},
	};
}

async function runAction(
	{ items = ITEMS, parameters = {}, expression, credentials = CREDENTIALS }: Scene,
	listener: Listener,
	service: FakeService,
	memory: Helpers,
): Promise<object> {
	const action = new DocumentWorkflow();
	const read = parametersOf(action.description, parameters, listener, expression);
	const hints: NodeExecutionHint[] = [];
	const pausedUntil: Date[] = [];
	const context: IExecuteFunctions = {
		...contextOf({
			getInputData: () => items,
			continueOnFail: () => false,
			getContext: contextData(),
			getExecutionId: () => '1',
			getMode: () => 'manual',
			getWorkflow: () => ({ id: 'workflow', active: false }),
			getParentNodes: () => [],
			getWorkflowSettings: () => ({ executionOrder: 'v1' }),
			getExecuteData: () => ({
				node,
				data: { main: [items] },
				source: { main: [{ previousNode: 'Before' }] },
			}),
			putExecutionToWait: async (until) => Promise.resolve(void pausedUntil.push(until)),
			addExecutionHints: (...given) => void hints.push(...given),
			logger: SILENT,
			getCredentials: credentialsWith(credentials, listener),
			helpers: {
				...memory,
				...httpOf(service, credentials, listener),
				prepareBinaryData: prepare,
			},
		}),
		getNodeParameter: ((name: string, _itemIndex: number, fallback?: unknown) =>
			read(name, fallback)) as IExecuteFunctions['getNodeParameter'],
	};
	const output = await action.execute.call(context).catch(errorAsFound);
	// n8n runs the node once more, as an action that stores the pause.
	if ('actions' in output) await action.execute.call(context);
	return { output, hints, pausedUntil };
}

const contextData = () => {
	const data = {};
	return () => data;
};
function errorAsFound(error: NodeOperationError): object {
	const { message, description, context } = error;
	return { message, description, itemIndex: context?.itemIndex };
}
