import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { Created, Refusal } from '../../../service/executions';
import type { Reply } from '../../../service/http';
import { isSuccess } from '../../../service/http';
import { asNodeError } from '../asNodeError';
import type { Place } from '../panel/place';
import { errorAt } from '../panel/place';
import type { Failure } from './operation';

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
	{ words, reply }: Refusal,
	known: IDataObject,
): Failure {
	const { message, advice: description } = words;
	const httpCode = reply.kind === 'answer' ? { httpCode: String(reply.status) } : {};
	const options = { message, description, itemIndex, ...httpCode };
	const error = new NodeApiError(context.getNode(), { message }, options);
	// n8n replaces a message with a code such as ECONNRESET by its own, which advises to send the request again.
	error.message = message;
	return { ok: false, error, json: known };
}

export const NOT_KNOWN =
	'It is not known whether an execution was started: look into the dashboard of the service before you send these documents again';

/** The advice for an unknown outcome, with the user's own identifier. */
export function notKnown({ externalId }: IDataObject): string {
	return externalId === undefined
		? NOT_KNOWN
		: `${NOT_KNOWN}. Its External ID is ${JSON.stringify(externalId)}`;
}

/** The service said yes, but the identifier was not found in its answer. */
function namingAdvice(reply: Reply): string {
	return isSuccess(reply)
		? ". If the answer has it under another name, enter that name in the credential: 'Field for Execution ID' below 'Other Field Names'"
		: '';
}

/**
 * The failure of a create without an execution. An unknown outcome must be reported, because sending again could start a second
 * execution.
 */
export function notStarted(
	place: Place,
	{ outcome, refusal }: Exclude<Created, { outcome: 'accepted' }>,
	known: IDataObject,
): Failure {
	const isUnknown = outcome === 'unknown';
	const words = isUnknown
		? { ...refusal.words, advice: `${notKnown(known)}${namingAdvice(refusal.reply)}` }
		: refusal.words;
	return refused(place, { ...refusal, words }, isUnknown ? { ...known, outcome } : known);
}
