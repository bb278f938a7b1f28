import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { Refusal } from '../../../service/executions';
import { asNodeError } from '../panel/errors';
import type { Place } from '../panel/options';
import { errorAt } from '../panel/options';
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
