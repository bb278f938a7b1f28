import { NodeOperationError } from 'n8n-workflow';

import { isLoopback } from '../../../service/baseAddress';
import type { Execution, Json, JsonRecord, Step } from '../../../service/contract';
import type { Reply } from '../../../service/http';
import { parseJson } from '../../../service/json';
import { answerOf, silenceOf } from '../../../credentials/reply';
import { isTooDeep } from '../../../service/reading';
import { isPassing, pauseAskedFor } from '../../../service/retry';
import { readStepData } from '../../../service/steps';
import type { ServiceContext } from '../stop';
import { stopSignal } from '../stop';
import { time } from '../time';
import type { Connection } from '../transport';
import { chooseSteps, uniquelyNamed } from './selection';

/** Limit for the data of one step. */
const MAX_BYTES = 100_000_000;

/** In characters. Exact numbers of longer data take seconds in which n8n does nothing else. */
const MAX_EXACT = 20_000_000;

const TIMEOUT_MILLISECONDS = 60_000;

/** Per address (assumed). */
const MAX_TRIES = 3;
/** For all retries of one execution together, because a notification waits for its answer meanwhile (assumed). */
const MAX_PAUSES_MILLISECONDS = 10_000;

const FIRST_DELAY_MILLISECONDS = 1_000;
const GROWTH = 3;

/** Slow data is not tried again, because another try would take as long. */
export const NOT_FETCHED_IN_TIME: Reply = { kind: 'noAnswer', code: 'NOT_FETCHED_IN_TIME' };

/** `pause` is missing in a webhook, where nothing can stop the fetching. */
export type Fetching = Pick<Connection, 'fetching' | 'isLocal'> &
	Partial<Pick<Connection, 'pause'>>;

/**
 * Fetches the data of steps that came with an address instead (published: the URL mode of webhooks), only for the requested steps.
 * The address is signed: it is fetched without the token, over https (http only where the service itself is on this machine), without
 * following redirects, and appears in no message.
 * @throws NodeOperationError when the data of a step cannot be fetched
 */
export async function fetchSteps(
	context: ServiceContext,
	{ fetching, isLocal, pause = time.sleep }: Fetching,
	itemIndex: number,
	execution: Execution,
	onlySteps: string[],
): Promise<Fetched> {
	const named = uniquelyNamed(execution.steps);
	const wanted = new Set(chooseSteps(named, onlySteps).chosen);
	const fetched: Array<[string, Json]> = [];
	const steps: Step[] = [];
	let pausedMilliseconds = 0;
	for (const each of named) {
		const { name, step } = each;
		if (step.address === undefined || !wanted.has(each)) {
			steps.push(step);
			continue;
		}
		const { address } = step;
		const refuse = (reason: string) => refusal(context, itemIndex, name, reason);
		if (!isAllowed(address, isLocal)) throw refuse('its URL does not begin with https://');
		const json = jsonOf(await fetchWithRetries(address), refuse);
		fetched.push([name, json]);
		steps.push(readStepData(step.stepName, json));
	}
	// Object.fromEntries keeps a name such as __proto__ as an ordinary field.
	return { execution: { ...execution, steps }, fetched: Object.fromEntries(fetched) };

	/** During a pause the queue is free for others. */
	async function fetchWithRetries(address: string): Promise<Reply> {
		for (let tries = 1; ; tries++) {
			const reply = await fetching.run(async () => download(context, address));
			const delay = delayBeforeRetry(reply, { tries, pausedMilliseconds }, time.now());
			if (delay === undefined) return reply;
			pausedMilliseconds += delay;
			await pause(delay);
		}
	}
}

export interface Fetched {
	execution: Execution;
	/** The unchanged data by unique step name. */
	fetched: JsonRecord;
}

interface SoFar {
	/** Of this address. */
	tries: number;
	/** For the whole execution. */
	pausedMilliseconds: number;
}

/**
 * The delay before the next try; undefined when there is none. Only temporary errors are retried: no answer, 408, 429, 5xx. A
 * Retry-After is respected unless it is longer than the time left.
 */
export function delayBeforeRetry(
	reply: Reply,
	{ tries, pausedMilliseconds }: SoFar,
	now: number,
): number | undefined {
	if (reply === NOT_FETCHED_IN_TIME || !isPassing(reply) || tries >= MAX_TRIES) return undefined;
	const delay = pauseAskedFor(reply, now) ?? FIRST_DELAY_MILLISECONDS * GROWTH ** (tries - 1);
	return pausedMilliseconds + delay <= MAX_PAUSES_MILLISECONDS ? delay : undefined;
}

function refusal(
	context: ServiceContext,
	itemIndex: number,
	name: string,
	reason: string,
): NodeOperationError {
	return new NodeOperationError(
		context.getNode(),
		`The data of step "${name}" could not be downloaded: ${reason}`,
		{
			itemIndex,
			description:
				"Use Get Execution with the executionId for a new URL, or remove 'Download Data'",
		},
	);
}

/** @throws NodeOperationError when the answer is not JSON */
function jsonOf(reply: Reply, refuse: (reason: string) => NodeOperationError): Json {
	if (reply === NOT_FETCHED_IN_TIME)
		throw refuse(`it did not arrive within ${TIMEOUT_MILLISECONDS / 1000} seconds`);
	if (reply.kind !== 'answer') throw refuse('the connection broke');
	if (reply.status !== 200) throw refuse(`its URL answers with status ${reply.status}`);
	if (typeof reply.body !== 'string') throw refuse(`it is larger than ${MAX_BYTES / 1_000_000} MB`);
	const value = parse(reply.body);
	if (value === undefined) throw refuse('it is not JSON');
	if (isTooDeep(value)) throw refuse('it is nested too deeply to be read');
	return value;
}

/** Plain http reaches other services of this machine, so it is for a service that is there itself. */
function isAllowed(address: string, isLocal: boolean): boolean {
	if (!URL.canParse(address)) return false;
	const { protocol, hostname } = new URL(address);
	return protocol === 'https:' || (protocol === 'http:' && isLocal && isLoopback(hostname));
}

/** The body of the answer is its text; undefined when it is too large. */
async function download(context: ServiceContext, url: string): Promise<Reply> {
	const stopped = stopSignal(context);
	// The request's own timeout ends when its headers arrive.
	const late = AbortSignal.timeout(TIMEOUT_MILLISECONDS);
	try {
		const response = (await context.helpers.httpRequest({
			method: 'GET',
			url,
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			abortSignal: stopped === undefined ? late : AbortSignal.any([stopped, late]),
		})) as { body: AsyncIterable<Buffer> };
		const answer = answerOf(response);
		return {
			...answer,
			body: await textOf(response.body, Number(answer.headers['content-length'] ?? 0)),
		};
	} catch (error) {
		return late.aborted ? NOT_FETCHED_IN_TIME : silenceOf(error);
	}
}

/** Undefined when the body is, or is announced to be, larger than allowed. */
async function textOf(body: AsyncIterable<Buffer>, announced: number): Promise<string | undefined> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of body) {
		bytes += chunk.length;
		if (bytes > MAX_BYTES || announced > MAX_BYTES) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString('utf8');
}

/** Integers keep all digits, as in an answer of the service. */
function parse(text: string): Json | undefined {
	if (text.length <= MAX_EXACT) return parseJson(text) as Json | undefined;
	try {
		return JSON.parse(text.replace(/^\uFEFF/, '')) as Json;
	} catch {
		return undefined;
	}
}
