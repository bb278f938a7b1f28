import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { StartedExecution } from '../../../service/contract';
import { connect } from '../transport';
import { asNodeError } from './failures';
import type { Call, Failure, Operation, Result } from './operation';

/** How many items are worked on at the same time. */
const MOST_IN_PARALLEL = 8;

/**
 * Runs an operation for all input items. Without "continue on fail" no item is begun after the first one that did not
 * succeed; those under way come to their end, and the error lists every execution that was started.
 */
export async function runForAllItems(context: IExecuteFunctions, operation: Operation): Promise<INodeExecutionData[]> {
	const connection = await connect(context);
	const started = new Map<number, StartedExecution>();
	const results = new Map<number, Result>();
	const goesOn = context.continueOnFail();
	let failedItem: number | undefined;

	await inParallel(context.getInputData().length, MOST_IN_PARALLEL, async (itemIndex) => {
		if (connection.isStopped() || (failedItem !== undefined && !goesOn)) return;
		const remember = (execution: StartedExecution) => void started.set(itemIndex, execution);
		const result = await runOne(operation, { context, connection, itemIndex, remember });
		results.set(itemIndex, result);
		if (!result.ok) failedItem ??= itemIndex;
	});

	const failure = failedItem === undefined ? undefined : results.get(failedItem);
	if (failure?.ok === false && (!goesOn || connection.isStopped())) {
		throw withStarted(failure.error, started);
	}
	if (connection.isStopped()) {
		throw withStarted(new NodeOperationError(context.getNode(), 'The n8n execution was stopped'), started);
	}
	return [...results].sort(([a], [b]) => a - b).map(([itemIndex, result]) => asItem(itemIndex, result));
}

async function runOne(operation: Operation, call: Call): Promise<Result> {
	let known: StartedExecution | undefined;
	const remember = (execution: StartedExecution) => {
		known = execution;
		call.remember(execution);
	};
	try {
		return await operation.run({ ...call, remember });
	} catch (error) {
		return { ok: false, error: asNodeError(call.context.getNode(), error, call.itemIndex), json: { ...known } };
	}
}

/** A failed item carries the typed error beside its JSON: n8n's Error output is filled by it. */
function asItem(itemIndex: number, result: Result): INodeExecutionData {
	const pairedItem = { item: itemIndex };
	if (result.ok) return { json: result.json, pairedItem };
	const { error, json } = result;
	return { json: { ...json, error: error.message, details: error.description ?? '' }, error, pairedItem };
}

/** Adds the executions that were started to what the error says, so that none is lost with the run. */
function withStarted(error: Failure['error'], started: Map<number, StartedExecution>): Failure['error'] {
	if (started.size === 0) return error;
	const list = [...started].sort(([a], [b]) => a - b).map(([itemIndex, { workflowId, executionId }]) => `item ${itemIndex}: ${executionId} (workflow ${workflowId})`);
	error.description = [error.description, `Executions that were started: ${list.join(', ')}`].filter(Boolean).join('. ');
	return error;
}

async function inParallel(count: number, most: number, work: (index: number) => Promise<void>): Promise<void> {
	let next = 0;
	const worker = async () => {
		while (next < count) await work(next++);
	};
	await Promise.all(Array.from({ length: Math.min(most, count) }, worker));
}
