import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { StartedExecution } from '../../../service/contract';
import { connect, isStopped, type Connection } from '../transport';
import { asNodeError } from './failures';
import type { Call, Failure, Operation, Result } from './operation';

/** How many items are worked on at the same time. */
const MOST_IN_PARALLEL = 8;

/**
 * Runs an operation for all input items. Without "continue on fail" no item is begun after the first one that did not
 * succeed; those under way come to their end, and the error lists every execution that was started.
 */
export async function runForAllItems(context: IExecuteFunctions, operation: Operation): Promise<INodeExecutionData[]> {
	const started = new Map<number, StartedExecution>();
	const results = new Map<number, Result>();
	const goesOn = context.continueOnFail();
	let failedItem: number | undefined;
	let connection: Promise<Connection> | undefined;

	await inParallel(context.getInputData().length, MOST_IN_PARALLEL, async (itemIndex) => {
		if (isStopped(context) || (failedItem !== undefined && !goesOn)) return;
		const remember = (execution: StartedExecution) => void started.set(itemIndex, execution);
		const result = await runOne(operation, { context, itemIndex, remember }, () => (connection ??= connect(context)));
		results.set(itemIndex, result);
		if (!result.ok) failedItem ??= itemIndex;
	});

	const failure = failedItem === undefined ? undefined : results.get(failedItem);
	if (isStopped(context)) {
		const message = 'The n8n execution was stopped';
		// n8n has stored a stopped execution before its node ends: only the log can still tell what was started.
		if (started.size > 0) context.logger.warn(`${message}. ${listOf(started)}`);
		throw withStarted(failure?.ok === false ? failure.error : new NodeOperationError(context.getNode(), message), started);
	}
	if (failure?.ok === false && !goesOn) throw withStarted(failure.error, started);
	return [...results].sort(([a], [b]) => a - b).map(([itemIndex, result]) => asItem(itemIndex, result));
}

/**
 * Whatever is thrown becomes the item's failure, a credential that cannot be used too: n8n would let the input items of a node
 * that throws leave through the regular output.
 */
async function runOne(operation: Operation, call: Omit<Call, 'connection'>, connected: () => Promise<Connection>): Promise<Result> {
	let known: StartedExecution | undefined;
	const remember = (execution: StartedExecution) => {
		known = execution;
		call.remember(execution);
	};
	try {
		return await operation.run({ ...call, connection: await connected(), remember });
	} catch (error) {
		return { ok: false, error: asNodeError(call.context.getNode(), error, call.itemIndex), json: { ...known } };
	}
}

/**
 * n8n sends an item to the Error output when `error` is the only field of its JSON, and puts the input's fields beside it.
 * A typed error in `item.error` would send it there too, but n8n then replaces the JSON by the message: the ids would be lost.
 */
function asItem(itemIndex: number, result: Result): INodeExecutionData {
	const pairedItem = { item: itemIndex };
	if (result.ok) return { json: result.json, pairedItem };
	const { error, json } = result;
	return { json: { error: { message: error.message, description: error.description ?? '', ...json } }, pairedItem };
}

/** Adds the executions that were started to what the error says, so that none is lost with the run. */
function withStarted(error: Failure['error'], started: Map<number, StartedExecution>): Failure['error'] {
	if (started.size > 0) error.description = [error.description, listOf(started)].filter(Boolean).join('. ');
	return error;
}

function listOf(started: Map<number, StartedExecution>): string {
	const list = [...started]
		.sort(([a], [b]) => a - b)
		.map(([itemIndex, { workflowId, executionId }]) => `item ${itemIndex}: ${executionId} (workflow ${workflowId})`);
	return `Executions that were started: ${list.join(', ')}`;
}

async function inParallel(count: number, most: number, work: (index: number) => Promise<void>): Promise<void> {
	let next = 0;
	const worker = async () => {
		while (next < count) await work(next++);
	};
	await Promise.all(Array.from({ length: Math.min(most, count) }, worker));
}
