import type { Answer, NoAnswer, Reply } from './http';
import { TokenExchangeError } from './token';

/** How many causes an error is looked through. */
const DEEPEST_CAUSE = 6;

/** A full response of n8n's HTTP helpers (`returnFullResponse`). */
export function answerOf(response: unknown): Answer {
	return {
		kind: 'answer',
		status: Number(property(response, 'statusCode')),
		headers: readHeaders(property(response, 'headers')),
		body: property(response, 'body'),
	};
}

/**
 * What an error of n8n's HTTP helpers stands for. n8n wraps axios' errors, and keeps the original as cause; only status,
 * headers and body of the answer are taken over, never the request, which carries the token. An error with a status of
 * success is an answer that broke off: its body is not there.
 */
export function replyOfError(error: unknown): Reply {
	let code = '';
	let current = error;
	for (let depth = 0; depth < DEEPEST_CAUSE && typeof current === 'object' && current !== null; depth++) {
		if (current instanceof TokenExchangeError) return current.refusal;
		const response = property(current, 'response');
		const status = Number(property(response, 'status'));
		if (status > 0 && !(status >= 200 && status < 300)) {
			return {
				kind: 'answer',
				status,
				headers: readHeaders(property(response, 'headers')),
				body: property(response, 'data'),
			};
		}
		const found = property(current, 'code');
		if (code === '' && typeof found === 'string') code = found;
		current = property(current, 'cause');
	}
	return { kind: 'noAnswer', code };
}

/** As `replyOfError`, where the request itself asked for no token. */
export function bareReplyOfError(error: unknown): Answer | NoAnswer {
	const reply = replyOfError(error);
	return reply.kind === 'noToken' ? { kind: 'noAnswer', code: '' } : reply;
}

/** A property of whatever a library threw; `code` and `cause` need not be enumerable there. */
function property(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function readHeaders(headers: unknown): Record<string, string> {
	return Object.fromEntries(
		Object.entries(typeof headers === 'object' && headers !== null ? headers : {})
			.filter(([, value]) => typeof value === 'string' || typeof value === 'number' || Array.isArray(value))
			.map(([name, value]) => [name.toLowerCase(), String(value)]),
	);
}
