import type { Answer, NoAnswer } from './http';

/** How many nested causes of an error are searched. */
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
 * What an error of n8n's HTTP helpers stands for, where they were asked to give every status as a response: silence, with the code of
 * the network. n8n keeps it as `httpCode`, on some lines the original error as cause as well.
 */
export function silenceOf(error: unknown): NoAnswer {
	let current = error;
	for (let depth = 0; depth < DEEPEST_CAUSE && current !== undefined; depth++) {
		for (const name of ['code', 'httpCode'] as const) {
			const code = property(current, name);
			// An answer that broke off has its status there, which says nothing about the reason.
			if (typeof code === 'string' && !/^\d*$/.test(code)) return { kind: 'noAnswer', code };
		}
		current = property(current, 'cause');
	}
	return { kind: 'noAnswer', code: '' };
}

/** A property of a thrown value; `code` and `cause` need not be enumerable there. */
function property(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function readHeaders(headers: unknown): Record<string, string> {
	return Object.fromEntries(
		Object.entries(typeof headers === 'object' && headers !== null ? headers : {})
			.filter(
				([, value]) =>
					typeof value === 'string' || typeof value === 'number' || Array.isArray(value),
			)
			.map(([name, value]) => [name.toLowerCase(), String(value)]),
	);
}
