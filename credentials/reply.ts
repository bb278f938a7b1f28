import type { Answer, NoAnswer } from '../service/http';
import { isSuccess, MAX_VALUES, SHORT_ANSWER_BYTES, TOO_LARGE } from '../service/http';
import { hasMoreValues, parseJson } from '../service/json';

/** An error and its nested causes. */
const MAX_CAUSES = 6;

/** Of an answer that breaks off, in characters. */
const MAX_RECEIVED = 10_000;

/** For `readAnswer`, which bounds an answer. Every status is a response, because n8n's errors lose headers and answers. */
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
	const { bytes, brokenOff } = await readBytes(answer.body, most);
	const text = textOf(bytes, answer.headers['content-type']);
	const end = brokenOff ?? (hasMoreValues(text ?? '', MAX_VALUES) ? TOO_MUCH : undefined);
	// For errors the status is enough.
	if (end === undefined || !isSuccess(answer)) {
		const body = text === undefined ? undefined : parseJson(text);
		return { ...answer, body: body ?? text ?? bytes.toString() };
	}
	return { ...end, received: bytes.toString('utf8', 0, 4 * MAX_RECEIVED).slice(0, MAX_RECEIVED) };
}

function isStream(body: unknown): body is AsyncIterable<Buffer> {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** The text in the declared character set, or in UTF-8; undefined where the bytes are no text in it. */
function textOf(bytes: Buffer, contentType = ''): string | undefined {
	const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(contentType) ?? [];
	try {
		return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

const TOO_MUCH: NoAnswer = { kind: 'noAnswer', code: TOO_LARGE };

/** `brokenOff`: why the bytes are not complete. */
async function readBytes(body: AsyncIterable<Buffer>, maxBytes: number) {
	const chunks: Buffer[] = [];
	const read = (brokenOff?: NoAnswer) => ({ bytes: Buffer.concat(chunks), brokenOff });
	let length = 0;
	try {
		for await (const chunk of body) {
			chunks.push(chunk);
			length += chunk.length;
			if (length > maxBytes) return read(TOO_MUCH);
		}
		return read();
	} catch (error) {
		return read(silenceOf(error));
	}
}

/** Reads a full response of n8n's HTTP helpers (`returnFullResponse`). */
export function answerOf(response: unknown): Answer {
	const given = Object.entries(Object(property(response, 'headers')) as object);
	const headers = given.map(([name, value]) => [name.toLowerCase(), String(value)] as const);
	return {
		kind: 'answer',
		status: Number(property(response, 'statusCode')),
		headers: Object.fromEntries(headers),
		body: property(response, 'body'),
	};
}

/** Reads an error of n8n's HTTP helpers, which keep the error code as `httpCode`, or the original error as cause. */
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
