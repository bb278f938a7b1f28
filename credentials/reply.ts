import type { Answer, NoAnswer } from '../service/http';
import { isSuccess, MAX_VALUES, SHORT_ANSWER_BYTES, TOO_LARGE } from '../service/http';
import { hasMoreValues, parseJson } from '../service/json';

/** An error and its nested causes. */
const MAX_CAUSES = 6;

/** Of an answer that breaks off, in characters. */
const MAX_RECEIVED = 10_000;

/**
 * Options of a request whose answer `readAnswer` reads. n8n itself would read an answer without a limit of size or
 * time, and lose the beginning of an answer that breaks off. Every status is a response, because n8n's errors lose the
 * headers, and on n8n 1 the whole answer.
 */
export const STREAMED = {
	encoding: 'stream',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
} as const;

/** The result of the work, or `instead` when the signal aborts before. */
export async function unlessAborted<T>(
	signal: AbortSignal,
	work: Promise<T>,
	instead: T,
): Promise<T> {
	let giveUp = (): void => undefined;
	const aborted = new Promise<T>((resolve) => (giveUp = () => resolve(instead)));
	signal.addEventListener('abort', giveUp);
	if (signal.aborted) giveUp();
	try {
		return await Promise.race([work, aborted]);
	} finally {
		signal.removeEventListener('abort', giveUp);
	}
}

/** Reads a response to a `STREAMED` request. Its body is the parsed JSON, or the text when it is no JSON. */
export async function readAnswer(
	response: unknown,
	{ maxAnswerBytes }: { maxAnswerBytes: number },
): Promise<Answer | NoAnswer> {
	const answer = answerOf(response);
	// Where n8n simulates requests, the body is there already.
	if (!isStream(answer.body)) return answer;
	const most = isSuccess(answer) ? maxAnswerBytes : SHORT_ANSWER_BYTES;
	const { text, end } = await readText(answer.body, most);
	// For errors the status is enough.
	if (end === undefined || !isSuccess(answer)) return { ...answer, body: parseJson(text) ?? text };
	// A copy, because a slice would keep the whole text in memory.
	return { ...end, received: Buffer.from(text.slice(0, MAX_RECEIVED)).toString() };
}

function isStream(body: unknown): body is AsyncIterable<Buffer> {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** `end`: why the text is not complete. */
async function readText(
	body: AsyncIterable<Buffer>,
	maxBytes: number,
): Promise<{ text: string; end?: NoAnswer }> {
	const end: NoAnswer = { kind: 'noAnswer', code: TOO_LARGE };
	const chunks: Buffer[] = [];
	const textSoFar = () => Buffer.concat(chunks).toString('utf8');
	let bytes = 0;
	try {
		for await (const chunk of body) {
			chunks.push(chunk);
			bytes += chunk.length;
			if (bytes > maxBytes) return { text: textSoFar(), end };
		}
		const text = textSoFar();
		return hasMoreValues(text, MAX_VALUES) ? { text, end } : { text };
	} catch (error) {
		return { text: textSoFar(), end: silenceOf(error) };
	}
}

/** Reads a full response of n8n's HTTP helpers (`returnFullResponse`). */
export function answerOf(response: unknown): Answer {
	return {
		kind: 'answer',
		status: Number(property(response, 'statusCode')),
		headers: Object.fromEntries(
			Object.entries(Object(property(response, 'headers')) as object).map(([name, value]) => [
				name.toLowerCase(),
				String(value),
			]),
		),
		body: property(response, 'body'),
	};
}

/**
 * Reads an error of n8n's HTTP helpers. With `ignoreHttpStatusErrors` they only throw when there is no answer. n8n
 * keeps the error code as `httpCode`; some versions also keep the original error as cause.
 */
export function silenceOf(error: unknown): NoAnswer {
	const chain = [error];
	while (chain.length < MAX_CAUSES) chain.push(property(chain.at(-1), 'cause'));
	const codes = chain.flatMap((each) => [property(each, 'code'), property(each, 'httpCode')]);
	// For a truncated answer this is the status, not an error code.
	const isCode = (each: unknown): each is string => typeof each === 'string' && !/^\d*$/.test(each);
	const port = chain.map((each) => property(each, 'port')).find((each) => typeof each === 'number');
	const silence: NoAnswer = { kind: 'noAnswer', code: codes.find(isCode) ?? '' };
	return port === undefined ? silence : { ...silence, port };
}

/** Also reads properties that are not enumerable, such as `cause`. */
function property(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
