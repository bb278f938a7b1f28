import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { Refusal } from '../../../service/executions';
import type { Wait } from '../../../service/wait';
import type { About } from '../about';
import type { Connection } from '../connection/connect';
import { failIfStopped, turns } from '../connection/time';
import { asNodeError, errorAt, type Place } from '../panel/options';
import type { RunPause } from '../pausing/pause';
import type { Failure, ResultItems } from '../results/items/result';
import type { Journal } from './sending/journal';

/** Reads and checks the parameters of all items. Nothing is sent before all jobs are known. */
export interface Operation {
	option: INodePropertyOptions;
	/** Its fields, without the display condition for this operation, which is added for all operations. */
	fields: INodeProperties[];
	prepare: (session: Session) => Promise<Job[]>;
}

export interface Session {
	context: IExecuteFunctions;
	inputs: INodeExecutionData[];
	/** In milliseconds since 1970. */
	startedAt: number;
	connection: Connection;
	pause: RunPause;
	journal: Journal;
}

/** The work for one execution of the service. */
export interface Job {
	/** Unique within the run, and the same in each try of the node. */
	key: string;
	itemIndexes: number[];
	/** The fields of its files, when it does not have all files of its item. */
	fieldNames?: string[] | undefined;
	work: (() => Promise<Result>) | Failure;
}

export type FailedJob = Job & { work: Failure };

export type { Failure };
export type Result = Success | Failure;

export interface Success extends ResultItems {
	/** Runs when the node ends and outputs the items. */
	whenOutput?: () => Promise<void>;
	/** The wait for its execution. While that is open, there are no items, and the n8n execution has to pause. */
	wait?: Wait;
}

export interface JobResult {
	job: Job;
	result: Result;
}

type ItemJob = Pick<Job, 'key' | 'itemIndexes'>;

export function itemJob(itemIndex: number): ItemJob {
	return { key: String(itemIndex), itemIndexes: [itemIndex] };
}

/** Prepares each input item. Anything thrown becomes the failure of that item. */
export async function forEachItem<T>(
	{ context }: Pick<Session, 'context'>,
	prepare: (place: Place, job: ItemJob) => T | Promise<T>,
): Promise<Array<T | FailedJob>> {
	return inParallel(context.getInputData(), async (_item, itemIndex) => {
		const [place, job] = [{ context, itemIndex }, itemJob(itemIndex)];
		try {
			if (turns.isOver()) await turns.next();
			failIfStopped(context);
			return await prepare(place, job);
		} catch (error) {
			return { ...job, work: asFailure(place, error) };
		}
	});
}

/** Items or jobs prepared in parallel, which is also the number of open files. */
const MAX_AT_ONCE = 8;

/** Runs work for each entry of a list, some in parallel. The results are in the order of the list. */
export async function inParallel<T, R>(
	list: readonly T[],
	work: (each: T, index: number) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	const entries = list.entries();
	const worker = async () => {
		for (const [index, each] of entries) results[index] = await work(each, index);
	};
	await Promise.all(Array.from({ length: Math.min(MAX_AT_ONCE, list.length) }, worker));
	return results;
}

/** Where the errors of a job are shown: its first input item. */
export function placeOf(context: IExecuteFunctions, job: Pick<Job, 'itemIndexes'>): Place {
	return { context, itemIndex: job.itemIndexes[0] ?? 0 };
}

export function failed(place: Place, message: string, description: string, about: About): Failure {
	return { ok: false, error: errorAt(place, message, description), about };
}

/** The failure for anything thrown while an item was processed. */
export function asFailure(place: Place, thrown: unknown, about: About = {}): Failure {
	return { ok: false, error: asNodeError(place, thrown), about };
}

/** A refusal of the service, with its status and what is known of the execution. */
export function refused(
	{ context, itemIndex }: Place,
	{ fault, reply }: Pick<Refusal, 'fault' | 'reply'>,
	about: About,
): Failure {
	const { message, advice: description } = fault;
	const httpCode = reply.kind === 'answer' ? { httpCode: String(reply.status) } : {};
	const options = { message, description, itemIndex, ...httpCode };
	const error = new NodeApiError(context.getNode(), { message }, options);
	// n8n replaces a message with a code such as ECONNRESET by its own, as in errorAt.
	error.message = message;
	return { ok: false, error, about };
}
