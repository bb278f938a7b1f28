import type { IBinaryKeyData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { asNodeError } from '../asNodeError';
import type { StoredPause } from '../pausing/pause';
import { itemsWhenPaused, openPause } from '../pausing/pause';
import { referencesTo } from '../pausing/resumeAddress';
import { time } from '../time';
import { connect, isStopped, STOPPED } from '../transport';
import { failed } from './failures';
import { readMostInParallel } from './fields/sending';
import { hintsFor } from './hints';
import type { Failure, Job, Operation, Result, Session } from './operation';
import { openStarts } from './starts';
import { tellWhenStopped } from './stopped';

/**
 * Runs an operation for all input items. Without "continue on fail" nothing is sent when one of them cannot be, and nothing is begun
 * after the first that did not succeed: requests under way come to their end, waits are given up, and the error tells every
 * execution that was started. Where jobs wait for a notification the n8n execution pauses; n8n then runs the node again.
 */
export async function runForAllItems(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const putOut = itemsWhenPaused(context);
	if (putOut !== undefined) return putOut;
	const starts = openStarts(context);
	const pause = openPause(context);
	const goesOn = context.continueOnFail();
	let failure: Failure | undefined;
	const whyNotToGoOn = () =>
		isStopped(context)
			? STOPPED
			: failure !== undefined && !goesOn
				? 'Another item did not succeed'
				: undefined;
	const stopTelling = tellWhenStopped(context, starts);

	const prepared = await prepareJobs(
		context,
		operation,
		{ starts, resumedUntil: pause.earlier?.until },
		whyNotToGoOn,
	);
	const jobs = prepared.map((job) => ({ ...job, work: failureBefore(job) ?? job.work }));
	failure = goesOn
		? undefined
		: jobs.map(({ work }) => work).find((work) => typeof work !== 'function');
	const first =
		failure === undefined
			? await Promise.all(jobs.map(async (job) => carryOut(job, job.work)))
			: [];
	const results = await Promise.all(
		first.map(async (result, number) => lookAgain(jobs[number], result)),
	);

	/** Why a job did not succeed before the pause, after which it is not tried again. */
	function failureBefore({ key, itemIndexes: [itemIndex = 0] }: Job): Failure | undefined {
		const kept = pause.earlier?.failures[key];
		return kept && failed({ context, itemIndex }, kept.message, kept.description, kept.json);
	}

	async function lookAgain(job: Job | undefined, result: Result): Promise<Result> {
		const awaits = result.ok ? result.awaits : undefined;
		if (
			job === undefined ||
			awaits === undefined ||
			time.now() - awaits.since < NOTIFIED_AGAIN_MILLISECONDS
		)
			return result;
		return carryOut(job, awaits.look);
	}

	async function carryOut(
		{ key, itemIndexes: [itemIndex = 0] }: Job,
		work: Job['work'],
	): Promise<Result> {
		const result =
			typeof work === 'function'
				? await work().catch((error: unknown) => thrown(error, itemIndex, key))
				: work;
		if (!result.ok) failure ??= result;
		return result;
	}

	function thrown(error: unknown, itemIndex: number, job: string): Failure {
		return {
			ok: false,
			error: asNodeError(context.getNode(), error, itemIndex),
			json: starts.known(job),
		};
	}

	if (isStopped(context))
		throw withSummary(new NodeOperationError(context.getNode(), STOPPED), starts.summary());
	stopTelling();
	if (failure !== undefined && !goesOn) throw withSummary(failure.error, starts.summary());
	const items = jobs.flatMap((job, number) => asItems(context, job, results[number]));
	const awaited = results.flatMap((result) =>
		result.ok && result.awaits !== undefined ? [result.awaits] : [],
	);
	if (awaited.length > 0) {
		const kept = {
			awaited: awaited.map(({ execution }) => execution),
			until: Math.max(...awaited.map(({ until }) => until)),
			failures: failuresIn(jobs, results),
		};
		await pause.begin(kept, items);
		return items;
	}
	starts.close();
	const hints = hintsFor(results);
	if (hints.length > 0) context.addExecutionHints(...hints);
	return items;
}

/**
 * A trigger repeats a notification that comes before the pause is stored for two minutes. What was seen running less than this long ago
 * need not be looked at again before the pause.
 */
const NOTIFIED_AGAIN_MILLISECONDS = 60_000;

/**
 * The jobs of an operation. A credential that cannot be used fails each item: n8n would let the input items of a node that throws
 * leave through the regular output.
 */
async function prepareJobs(
	context: IExecuteFunctions,
	operation: Operation,
	run: Pick<Session, 'starts' | 'resumedUntil'>,
	whyNotToGoOn: () => string | undefined,
): Promise<Job[]> {
	try {
		const connection = await connect(context, readMostInParallel(context), whyNotToGoOn);
		const pauseMilliseconds = operation.leadsBackFor?.(context);
		const reference =
			pauseMilliseconds === undefined
				? undefined
				: referencesTo(context, pauseMilliseconds, connection.sealer);
		return await operation.prepare({
			context,
			connection,
			...run,
			inputs: context.getInputData(),
			reference,
		});
	} catch (error) {
		return context.getInputData().map((_item, itemIndex) => {
			const key = String(itemIndex);
			const startedExecutionIds = run.starts.executionIds();
			const json =
				startedExecutionIds.length === 0 ? {} : { ...run.starts.known(key), startedExecutionIds };
			const failure: Failure = {
				ok: false,
				error: asNodeError(context.getNode(), error, itemIndex),
				json,
			};
			return { key, itemIndexes: [itemIndex], work: failure };
		});
	}
}

function failuresIn(jobs: Job[], results: Result[]): StoredPause['failures'] {
	const failures: StoredPause['failures'] = {};
	for (const [number, result] of results.entries()) {
		const { key } = jobs[number] ?? {};
		if (key !== undefined && !result.ok)
			failures[key] = {
				message: result.error.message,
				description: result.error.description ?? '',
				json: result.json,
			};
	}
	return failures;
}

/**
 * n8n sends an item to the Error output when `error` is the only field of its JSON, and puts the input's fields beside it.
 * A typed error in `item.error` would send it there too, but n8n then replaces the JSON by the message: the ids would be lost.
 * Each input item of a job leaves there with its files, so that they can be put aside.
 */
function asItems(
	context: IExecuteFunctions,
	{ itemIndexes, fieldNames }: Job,
	result: Result | undefined,
): INodeExecutionData[] {
	if (result === undefined) return [];
	if (result.ok) {
		const [first = 0, ...others] = itemIndexes;
		const pairedItem =
			others.length === 0 ? { item: first } : itemIndexes.map((item) => ({ item }));
		if (result.awaits !== undefined)
			return result.items.map(({ json }) => ({
				...inputOf(context, first),
				json: { ...inputOf(context, first).json, ...json },
				pairedItem,
			}));
		return result.items.map((item) => ({ ...item, pairedItem }));
	}
	const { error, json } = result;
	return itemIndexes.map((itemIndex) => {
		const binary = filesOf(
			context.getInputData()[itemIndex]?.binary,
			itemIndexes.length === 1 ? fieldNames : undefined,
		);
		const item = {
			json: { error: { message: error.message, description: error.description ?? '', ...json } },
			pairedItem: { item: itemIndex },
		};
		return binary === undefined ? item : { ...item, binary };
	});
}

/** What goes on when a pause reaches its time limit is what came in, with the execution beside it. */
function inputOf(
	context: IExecuteFunctions,
	itemIndex: number,
): Pick<INodeExecutionData, 'json' | 'binary'> {
	const { json = {}, binary } = context.getInputData()[itemIndex] ?? {};
	return binary === undefined ? { json } : { json, binary };
}

/** The files that a job is about; all of its item where it is about none in particular. */
function filesOf(
	binary: IBinaryKeyData | undefined,
	fieldNames: string[] = [],
): IBinaryKeyData | undefined {
	if (binary === undefined || fieldNames.length === 0) return binary;
	return Object.fromEntries(Object.entries(binary).filter(([name]) => fieldNames.includes(name)));
}

function withSummary(error: Failure['error'], summary: string): Failure['error'] {
	error.description = [error.description?.replace(/\.$/, ''), summary].filter(Boolean).join('. ');
	return error;
}
