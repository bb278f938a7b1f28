import type { Answer, NoAnswer } from '../service/http';

/** An error and its nested causes. */
const MAX_CAUSES = 6;

/** Reads a full response of n8n's HTTP helpers (`returnFullResponse`). */
export function answerOf(response: unknown): Answer {
	return {
		kind: 'answer',
		status: Number(property(response, 'statusCode')),
		headers: readHeaders(property(response, 'headers')),
		body: property(response, 'body'),
	};
}

/**
 * Reads an error of n8n's HTTP helpers. With `ignoreHttpStatusErrors` they only throw when there is no answer. n8n keeps the error code
 * as `httpCode`; some versions also keep the original error as cause.
 */
export function silenceOf(error: unknown): NoAnswer {
	let current = error;
	for (let depth = 0; depth < MAX_CAUSES && current !== undefined; depth++) {
		for (const name of ['code', 'httpCode'] as const) {
			const code = property(current, name);
			// For a truncated answer this is the status, not an error code.
			if (typeof code === 'string' && !/^\d*$/.test(code)) return { kind: 'noAnswer', code };
		}
		current = property(current, 'cause');
	}
	return { kind: 'noAnswer', code: '' };
}

/** Also reads properties that are not enumerable, such as `cause`. */
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
