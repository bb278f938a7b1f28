import type { IExecuteFunctions, NodeTypeAndVersion } from 'n8n-workflow';

import { isRecord } from '../../../service/contract';

/** It rejects a pause only after the node has run. */
export const ENGINE_2 = 'its n8n workflow uses Engine 2.0';

/** The legacy order of execution would run the node again before its action, and a tool of an AI agent has no items to run again. */
export function obstacleIn(context: IExecuteFunctions): string | undefined {
	if (context.getNode().type.endsWith('Tool')) return 'the node is a tool of an AI agent';
	const { executionOrder, engineType } = context.getWorkflowSettings();
	if (engineType === 'v2') return ENGINE_2;
	if (context.getMode() === 'integrated')
		return 'its n8n workflow was called by another n8n workflow';
	if (executionOrder !== 'v1') return "its n8n workflow uses the legacy 'Execution Order' (v0)";
	if (isAnsweredAtTheEnd(context))
		return 'its n8n workflow answers a webhook, form or chat when the last node finishes';
	const [source] = context.getExecuteData().source?.main ?? [];
	return source ? undefined : 'no previous node ran before it, as with pinned data';
}

/** At a pause n8n would answer the caller with the error "No item to return was found", and end a stream. */
function isAnsweredAtTheEnd(context: IExecuteFunctions): boolean {
	return (
		['webhook', 'manual', 'chat'].includes(context.getMode()) &&
		context
			.getParentNodes(context.getNode().name, { includeNodeParameters: true })
			.some((parent) => !parent.disabled && AT_THE_END.includes(responseModeOf(parent)))
	);
}

const AT_THE_END: unknown[] = ['lastNode', 'streaming'];

/** n8n's chat has its response mode among its options, and does not store the default. */
function responseModeOf({ type, parameters = {} }: NodeTypeAndVersion): unknown {
	const { responseMode, options, availableInChat }: Record<string, unknown> = parameters;
	if (!type.endsWith('.chatTrigger')) return responseMode;
	const chosen = isRecord(options) ? options.responseMode : undefined;
	return chosen ?? (availableInChat === true ? 'streaming' : 'lastNode');
}
