import type { IBinaryKeyData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { History } from '../../../service/lifeTable';
import { connect, isStopped, STOPPED } from '../transport';
import { asNodeError } from './failures';
import { readMostInParallel } from './fields/sending';
import { hintsFor } from './hints';
import type { Failure, Job, Operation, Result, Session } from './operation';
import { openStarts } from './starts';
import { tellWhenStopped } from './stopped';

/**
 * Runs an operation for all input items. Without "continue on fail" nothing is sent when one of them cannot be, and nothing is begun
 * after the first that did not succeed: requests under way come to their end, waits are given up, and the error tells every
 * execution that was started.
 */
export async function runForAllItems(context: IExecuteFunctions, operation: Operation): Promise<INodeExecutionData[]> {
	const starts = openStarts(context);
	const goesOn = context.continueOnFail();
	let failure: Failure | undefined;
	const whyNotToGoOn = () => (isStopped(context) ? STOPPED : failure !== undefined && !goesOn ? 'Another item did not succeed' : undefined);
	const stopTelling = tellWhenStopped(context, starts);

	const jobs = await prepareJobs(context, operation, starts, whyNotToGoOn);
	failure = goesOn ? undefined : jobs.map(({ work }) => work).find((work) => typeof work !== 'function');
	const results = failure === undefined ? await Promise.all(jobs.map(carryOut)) : [];

	async function carryOut({ key, work, itemIndexes: [itemIndex = 0] }: Job): Promise<Result> {
		const result = typeof work === 'function' ? await work().catch((error: unknown) => thrown(error, itemIndex, key)) : work;
		if (!result.ok) failure ??= result;
		return result;
	}

	function thrown(error: unknown, itemIndex: number, job: string): Failure {
		const start = starts.of(job);
		const known = start?.kind === 'accepted' ? { ...start.execution } : {};
		return { ok: false, error: asNodeError(context.getNode(), error, itemIndex), json: known };
	}

	if (isStopped(context)) throw withSummary(new NodeOperationError(context.getNode(), STOPPED), starts.summary());
	stopTelling();
	if (failure !== undefined && !goesOn) throw withSummary(failure.error, starts.summary());
	starts.close();
	const hints = hintsFor(results);
	if (hints.length > 0) context.addExecutionHints(...hints);
	return jobs.flatMap((job, number) => asItems(context, job, results[number]));
}

/**
 * The jobs of an operation. A credential that cannot be used fails each item: n8n would let the input items of a node that throws
 * leave through the regular output.
 */
async function prepareJobs(context: IExecuteFunctions, operation: Operation, starts: Session['starts'], whyNotToGoOn: () => string | undefined): Promise<Job[]> {
	try {
		const connection = await connect(context, readMostInParallel(context), whyNotToGoOn);
		return await operation.prepare({ context, connection, starts, history: new History() });
	} catch (error) {
		return context.getInputData().map((_item, itemIndex) => {
			const failure: Failure = { ok: false, error: asNodeError(context.getNode(), error, itemIndex), json: {} };
			return { key: String(itemIndex), itemIndexes: [itemIndex], work: failure };
		});
	}
}

/**
 * n8n sends an item to the Error output when `error` is the only field of its JSON, and puts the input's fields beside it.
 * A typed error in `item.error` would send it there too, but n8n then replaces the JSON by the message: the ids would be lost.
 * Each input item of a job leaves there with its files, so that they can be put aside.
 */
function asItems(context: IExecuteFunctions, { itemIndexes, fieldNames }: Job, result: Result | undefined): INodeExecutionData[] {
	if (result === undefined) return [];
	if (result.ok) {
		const [first = 0, ...others] = itemIndexes;
		const pairedItem = others.length === 0 ? { item: first } : itemIndexes.map((item) => ({ item }));
		return result.items.map((item) => ({ ...item, pairedItem }));
	}
	const { error, json } = result;
	return itemIndexes.map((itemIndex) => {
		const binary = filesOf(context.getInputData()[itemIndex]?.binary, itemIndexes.length === 1 ? fieldNames : undefined);
		const item = { json: { error: { message: error.message, description: error.description ?? '', ...json } }, pairedItem: { item: itemIndex } };
		return binary === undefined ? item : { ...item, binary };
	});
}

/** The files that a job is about; all of its item where it is about none in particular. */
function filesOf(binary: IBinaryKeyData | undefined, fieldNames: string[] = []): IBinaryKeyData | undefined {
	if (binary === undefined || fieldNames.length === 0) return binary;
	return Object.fromEntries(Object.entries(binary).filter(([name]) => fieldNames.includes(name)));
}

function withSummary(error: Failure['error'], summary: string): Failure['error'] {
	error.description = [error.description?.replace(/\.$/, ''), summary].filter(Boolean).join('. ');
	return error;
}
