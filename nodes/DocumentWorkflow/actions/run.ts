import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { connect, isStopped, type Connection } from '../transport';
import { asNodeError } from './failures';
import type { Call, Failure, Operation, Result } from './operation';
import { openStarts } from './starts';

/** How many items are worked on at the same time. */
const MOST_IN_PARALLEL = 8;

const STOPPED = 'The n8n execution was stopped';

/**
 * Runs an operation for all input items. Without "continue on fail" nothing is begun after the first item that did not succeed:
 * requests under way come to their end, waits are given up, and the error tells every execution that was started.
 */
export async function runForAllItems(context: IExecuteFunctions, operation: Operation): Promise<INodeExecutionData[]> {
	const starts = openStarts(context);
	const results = new Map<number, Result>();
	const goesOn = context.continueOnFail();
	let failure: Failure | undefined;
	let connection: Promise<Connection> | undefined;
	const whyNotToGoOn = () => (isStopped(context) ? STOPPED : failure !== undefined && !goesOn ? 'Another item did not succeed' : undefined);
	const connected = () => (connection ??= connect(context, whyNotToGoOn));

	await inParallel(context.getInputData().length, MOST_IN_PARALLEL, async (itemIndex) => {
		if (whyNotToGoOn() !== undefined) return;
		const result = await runOne(operation, { context, itemIndex, starts }, connected);
		results.set(itemIndex, result);
		if (!result.ok) failure ??= result;
	});

	if (isStopped(context)) {
		// n8n has stored a stopped execution before its node ends: only the log can still tell what was started.
		if (starts.summary() !== '') context.logger.warn(`${STOPPED}. ${starts.summary()}`);
		throw withSummary(failure?.error ?? new NodeOperationError(context.getNode(), STOPPED), starts.summary());
	}
	if (failure !== undefined && !goesOn) throw withSummary(failure.error, starts.summary());
	return [...results].sort(([a], [b]) => a - b).map(([itemIndex, result]) => asItem(context, itemIndex, result));
}

/**
 * Whatever is thrown becomes the item's failure, a credential that cannot be used too: n8n would let the input items of a node
 * that throws leave through the regular output.
 */
async function runOne(operation: Operation, call: Omit<Call, 'connection'>, connected: () => Promise<Connection>): Promise<Result> {
	const { context, itemIndex, starts } = call;
	try {
		return await operation.run({ ...call, connection: await connected() });
	} catch (error) {
		const start = starts.of(itemIndex);
		const known = start?.kind === 'accepted' ? { ...start.execution } : {};
		return { ok: false, error: asNodeError(context.getNode(), error, itemIndex), json: known };
	}
}

/**
 * n8n sends an item to the Error output when `error` is the only field of its JSON, and puts the input's fields beside it.
 * A typed error in `item.error` would send it there too, but n8n then replaces the JSON by the message: the ids would be lost.
 * The files of the input go with it, so that they can be put aside.
 */
function asItem(context: IExecuteFunctions, itemIndex: number, result: Result): INodeExecutionData {
	const pairedItem = { item: itemIndex };
	if (result.ok) return { json: result.json, pairedItem };
	const { error, json } = result;
	const binary = context.getInputData()[itemIndex]?.binary;
	const item = { json: { error: { message: error.message, description: error.description ?? '', ...json } }, pairedItem };
	return binary === undefined ? item : { ...item, binary };
}

function withSummary(error: Failure['error'], summary: string): Failure['error'] {
	error.description = [error.description, summary].filter(Boolean).join('. ');
	return error;
}

async function inParallel(count: number, most: number, work: (index: number) => Promise<void>): Promise<void> {
	let next = 0;
	const worker = async () => {
		while (next < count) await work(next++);
	};
	await Promise.all(Array.from({ length: Math.min(most, count) }, worker));
}
