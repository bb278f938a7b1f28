import { tryTo } from './tryTo';
import { type Answer, isSuccess, type NoAnswer, SHORT_ANSWER_BYTES, TOO_LARGE } from './http';
import { hasMoreValues, isObject, parseJson } from './json';

/** Of an answer. With one row of so many fields n8n 2 grows by 600 MB. */
const MAX_VALUES = 500_000;

/** An error and its nested causes. */
const MAX_CAUSES = 6;

/** Of an answer that breaks off, in characters. */
const MAX_RECEIVED = 10_000;

/** For `readAnswer`, which bounds an answer. Every status is a response: n8n's errors lose headers and answers. */
export const STREAMED = {
	encoding: 'stream',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
} as const;

/** The result of the work, or `instead` when the signal aborts before. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>, instead: T) {
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

/**
 * Reads a response to a `STREAMED` request. Its body is the parsed JSON, or the text when it is no JSON.
 * Other work goes on in `between`, before and after a long answer is read.
 */
export async function readAnswer(
	response: unknown,
	maxAnswerBytes = SHORT_ANSWER_BYTES,
	between = async (): Promise<void> => undefined,
): Promise<Answer | NoAnswer> {
	const answer = answerOf(response);
	// Where n8n simulates requests, the body is there already.
	if (!isStream(answer.body)) return answer;
	const most = isSuccess(answer) ? maxAnswerBytes : SHORT_ANSWER_BYTES;
	const { bytes, brokenOff } = await readBytes(answer.body, most);
	const isLong = bytes.length > SHORT_ANSWER_BYTES;
	if (isLong) await between();
	const text = decodeText(bytes, answer.headers['content-type']);
	const json = text ?? '';
	const end = brokenOff ?? (hasMoreValues(json, MAX_VALUES) ? TOO_MUCH : undefined);
	// For errors the status is enough.
	if (end === undefined || !isSuccess(answer)) {
		const body = parseJson(json) ?? text ?? bytes.toString();
		if (isLong) await between();
		return { ...answer, body };
	}
	return { ...end, received: bytes.toString('utf8', 0, 4 * MAX_RECEIVED).slice(0, MAX_RECEIVED) };
}

function isStream(body: unknown): body is AsyncIterable<Buffer> {
	return isObject(body) && Symbol.asyncIterator in body;
}

/** The text in the declared character set, or in UTF-8; undefined where the bytes are no text in it. */
function decodeText(bytes: Buffer, contentType = ''): string | undefined {
	const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(contentType) ?? [];
	return tryTo(() => new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes));
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
	// A host with several addresses has an error for each.
	const within = (each: unknown) =>
		property(each, 'cause') ?? property(property(each, 'errors'), '0');
	while (chain.length < MAX_CAUSES) chain.push(within(chain.at(-1)));
	const codes = chain.flatMap((each) => [property(each, 'code'), property(each, 'httpCode')]);
	// For a truncated answer this is the status, not an error code.
	const isCode = (each: unknown): each is string => typeof each === 'string' && !/^\d*$/.test(each);
	const peers = chain.flatMap((each) => [property(each, 'hostname'), property(each, 'port')]);
	const peer = peers.find((each) => typeof each === 'string' || typeof each === 'number');
	return { kind: 'noAnswer', code: codes.find(isCode) ?? '', peer };
}

/** Also reads properties that are not enumerable, such as `cause`. */
function property(value: unknown, name: string): unknown {
	return Reflect.get(Object(value) as object, name);
}
