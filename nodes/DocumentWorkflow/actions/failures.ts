import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { Refusal } from '../../../service/executions';
import { asNodeError } from '../panel/errors';
import type { Place } from '../panel/options';
import { errorAt } from '../panel/options';
import type { Failure, Job, Result } from './operation';
import { isRecord } from '../../../service/contract';

export function failed(
	place: Place,
	message: string,
	description: string,
	known: IDataObject,
): Failure {
	return { ok: false, error: errorAt(place, message, description), json: known };
}

/** The failure for anything thrown while an item was processed. */
export function asFailure({ context, itemIndex }: Place, thrown: unknown, known = {}): Failure {
	return { ok: false, error: asNodeError(context.getNode(), thrown, itemIndex), json: known };
}

/** A refusal of the service, with its status and what is known of the execution. */
export function refused(
	{ context, itemIndex }: Place,
	{ words, reply }: Pick<Refusal, 'words' | 'reply'>,
	known: IDataObject,
): Failure {
	const { message, advice: description } = words;
	const httpCode = reply.kind === 'answer' ? { httpCode: String(reply.status) } : {};
	const options = { message, description, itemIndex, ...httpCode };
	const error = new NodeApiError(context.getNode(), { message }, options);
	// n8n replaces a message with a code such as ECONNRESET by its own, as in errorAt.
	error.message = message;
	return { ok: false, error, json: known };
}

const ADVICE =
	'The data may belong to another document, for example where a proxy repeats an answer. Check both in the dashboard of the service';

/**
 * The results, with a failure for each create whose execution is also that of another create with other documents: data of another
 * document is never filed under this one. The same bytes, or the same URLs, may share an execution.
 */
export function failShared(context: IExecuteFunctions, jobs: Job[], results: Result[]): Result[] {
	const contents = new Map<string, Set<string>>();
	const sent = results.map((result) => sentIn(result));
	for (const each of sent)
		if (each !== undefined)
			contents.set(each.execution, (contents.get(each.execution) ?? new Set()).add(each.content));
	return results.map((result, number) => {
		const { execution = '', executionId = '' } = sent[number] ?? {};
		if ((contents.get(execution)?.size ?? 0) < 2) return result;
		const about = result.ok ? (result.about ?? {}) : result.json;
		const place = { context, itemIndex: jobs[number]?.itemIndexes[0] ?? 0 };
		const message = `Other documents of this run have the same execution ID: ${executionId}`;
		return failed(place, message, ADVICE, about);
	});
}

/** Undefined where a job sent nothing, or where that is not known. */
function sentIn(
	result: Result,
): { execution: string; executionId: string; content: string } | undefined {
	const { documents, workflowId, executionId }: IDataObject = result.ok
		? (result.about ?? {})
		: result.json;
	if (!Array.isArray(documents) || typeof executionId !== 'string') return undefined;
	const sent = documents.map((each) =>
		isRecord(each) ? JSON.stringify([each.sha256, each.address]) : '',
	);
	const content = JSON.stringify(sent.sort());
	return { execution: JSON.stringify([workflowId, executionId]), executionId, content };
}
