import { NodeOperationError, sleep } from 'n8n-workflow';

import { isLoopback } from '../../../service/baseAddress';
import type { Execution, Json, JsonRecord, Step } from '../../../service/contract';
import type { Reply } from '../../../service/http';
import { answerOf, silenceOf } from '../../../service/reply';
import { readStepData } from '../../../service/steps';
import type { Connection, ServiceContext } from '../transport';
import { stopSignal } from '../transport';
import { delayBeforeFetchingAgain, NOT_FETCHED_IN_TIME } from './fetchAgain';
import { chooseSteps, nameApart } from './steps';

/** More than this is no extracted data of one step any more. */
const MOST_BYTES = 100_000_000;

const TIMEOUT_MILLISECONDS = 60_000;

/** What data is fetched with; `pause` is left out where nothing can stop the fetching, as in a webhook. */
export type Fetching = Pick<Connection, 'fetching'> & Partial<Pick<Connection, 'pause'>>;

/**
 * The execution with the data of its steps that came with an address (published: the URL mode of webhooks); steps that are not asked
 * for keep theirs. The address is signed: it is fetched without the token, over https (http from this machine alone), without
 * following redirects, and is in no message.
 * @throws NodeOperationError when the data of a step cannot be had
 */
export async function fetchSteps(
	context: ServiceContext,
	{ fetching, pause = sleep }: Fetching,
	itemIndex: number,
	execution: Execution,
	onlySteps: string[],
): Promise<Fetched> {
	const named = nameApart(execution.steps);
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
		const json = await fetchJson(context, itemIndex, name, step.address, persist);
		fetched.push([name, json]);
		steps.push(readStepData(step.stepName, json));
	}
	// Object.fromEntries keeps names such as __proto__ as names like any other.
	return { execution: { ...execution, steps }, fetched: Object.fromEntries(fetched) };

	/** Others have their turn while one pauses. */
	async function persist(address: string): Promise<Reply> {
		for (let tries = 1; ; tries++) {
			const reply = await fetching.run(async () => download(context, address));
			const delay = delayBeforeFetchingAgain(reply, { tries, pausedMilliseconds }, Date.now());
			if (delay === undefined) return reply;
			pausedMilliseconds += delay;
			await pause(delay);
		}
	}
}

export interface Fetched {
	execution: Execution;
	/** What was fetched, as it came, by the names that keep steps apart in all outputs. */
	fetched: JsonRecord;
}

async function fetchJson(
	context: ServiceContext,
	itemIndex: number,
	name: string,
	address: string,
	get: (address: string) => Promise<Reply>,
): Promise<Json> {
	const refuse = (reason: string) =>
		new NodeOperationError(
			context.getNode(),
			`The data of step "${name}" could not be fetched: ${reason}`,
			{
				itemIndex,
				description:
					"Use Get with the executionId for a new address, or switch off 'Fetch Data From Addresses'",
			},
		);
	if (!isAllowed(address)) throw refuse('its address does not begin with https://');
	const reply = await get(address);
	if (reply === NOT_FETCHED_IN_TIME)
		throw refuse(`it did not come within ${TIMEOUT_MILLISECONDS / 1000} seconds`);
	if (reply.kind !== 'answer') throw refuse('the connection broke');
	if (reply.status !== 200) throw refuse(`its address answers with status ${reply.status}`);
	if (typeof reply.body !== 'string')
		throw refuse(`it is larger than ${MOST_BYTES / 1_000_000} MB`);
	const value = parse(reply.body);
	if (value === undefined) throw refuse('it is not JSON');
	return value;
}

function isAllowed(address: string): boolean {
	if (!URL.canParse(address)) return false;
	const { protocol, hostname } = new URL(address);
	return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** The body of the answer is its text; undefined when that was too large. */
async function download(context: ServiceContext, url: string): Promise<Reply> {
	const stopped = stopSignal(context);
	// A timeout of the request would end with its headers.
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

/** Undefined when it is more than may be, or is announced to be. */
async function textOf(body: AsyncIterable<Buffer>, announced: number): Promise<string | undefined> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of body) {
		bytes += chunk.length;
		if (bytes > MOST_BYTES || announced > MOST_BYTES) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): Json | undefined {
	try {
		return JSON.parse(text.replace(/^\uFEFF/, '')) as Json;
	} catch {
		return undefined;
	}
}
