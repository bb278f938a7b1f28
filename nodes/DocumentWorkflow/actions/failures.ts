import type { IDataObject, INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { Refusal } from '../../../service/executions';
import type { ServiceContext } from '../transport';
import type { Failure } from './operation';

/** Which node and which of its input items a failure belongs to. */
export interface Place {
	context: ServiceContext;
	itemIndex: number;
}

/** A refusal of the service, with its status and what is known of the execution. */
export function refused(
	{ context, itemIndex }: Place,
	refusal: Refusal,
	known: IDataObject,
): Failure {
	const { words, reply } = refusal;
	const httpCode = reply.kind === 'answer' ? String(reply.status) : undefined;
	return {
		ok: false,
		error: apiError(context.getNode(), itemIndex, words.message, words.advice, httpCode),
		json: known,
	};
}

export const NOT_KNOWN =
	'It is not known whether an execution was started: look into the dashboard of the service before you send these documents again';

/** What to check, with what the user knows the case by. */
export function notKnown({ externalId }: IDataObject): string {
	return externalId === undefined
		? NOT_KNOWN
		: `${NOT_KNOWN}. Its External ID is ${JSON.stringify(externalId)}`;
}

/** A create whose outcome is not known must be said to be so: sending it again could start a second execution. */
export function unknownOutcome(place: Place, refusal: Refusal, known: IDataObject): Failure {
	return refused(
		place,
		{ ...refusal, words: { ...refusal.words, advice: notKnown(known) } },
		{ ...known, outcome: 'unknown' },
	);
}

export function failed(
	{ context, itemIndex }: Place,
	message: string,
	description: string,
	known: IDataObject,
): Failure {
	return {
		ok: false,
		error: new NodeOperationError(context.getNode(), message, { itemIndex, description }),
		json: known,
	};
}

function apiError(
	node: INode,
	itemIndex: number,
	message: string,
	description: string,
	httpCode: string | undefined,
): NodeApiError {
	const error = new NodeApiError(
		node,
		{ message },
		{ message, description, itemIndex, ...(httpCode === undefined ? {} : { httpCode }) },
	);
	// For a message that names a code such as ECONNRESET n8n puts words of its own, which advise to send the request again.
	error.message = message;
	return error;
}
