/** The answers of faults that take the place of the service's own. */
import type { FinalAction } from '../state/faults';
import type { Answer } from './answers';

/** The answer of a fault, and whether the request is carried out before it; undefined when the service answers. */
export function faultAnswer(
	action: FinalAction | undefined,
	now: number,
): { answer: Answer; carriedOut: boolean } | undefined {
	if (action?.type !== 'status' && action?.type !== 'notJson' && action?.type !== 'redirect')
		return undefined;
	return { answer: answerOf(action, now), carriedOut: action.carriedOut ?? false };
}

type Replacing = Extract<FinalAction, { type: 'status' | 'notJson' | 'redirect' }>;

function answerOf(action: Replacing, now: number): Answer {
	if (action.type === 'redirect')
		return { status: action.status ?? 302, body: '', headers: { location: action.location } };
	if (action.type === 'notJson') {
		const body = action.body ?? '<!doctype html><html><body><h1>Welcome</h1></body></html>';
		const headers = { 'content-type': action.contentType ?? 'text/html; charset=utf-8' };
		return { status: 200, body, headers };
	}
	const { status, body = { detail: 'Fault on demand' }, retryAfter } = action;
	const headers = { ...action.headers };
	if (retryAfter !== undefined) headers['retry-after'] = retryAfterText(retryAfter, now);
	return { status, body, headers };
}

function retryAfterText(
	given: NonNullable<(Replacing & { type: 'status' })['retryAfter']>,
	now: number,
): string {
	if (typeof given !== 'object') return String(given);
	return new Date(now + given.dateInSeconds * 1000).toUTCString();
}
