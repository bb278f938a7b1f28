import { isLoopback } from '../../../service/http';
import type { Execution, Json, JsonRecord } from '../../../service/contract';
import { type NoAnswer, type Reply, TOO_LARGE } from '../../../service/http';
import { parseJson } from '../../../service/json';
import { answerOf, readText, silenceOf, STREAMED } from '../../../credentials/reply';
import { isTooDeep } from '../../../service/reading';
import { delayBeforeCheckingAgain } from '../../../service/retry';
import { readStepData } from '../../../service/steps';
import { plainText } from '../../../service/text';
import type { ServiceContext } from '../connection/time';
import { Deadline, isStopped, MINUTE, SECOND, stopSignal, time } from '../connection/time';
import type { Connection } from '../connection/connect';
import { chooseSteps, uniquelyNamed } from './selection';

const MAX_BYTES = 100_000_000;

/** For all pauses of one execution together, because a notification waits for its answer meanwhile (assumed). */
const MAX_PAUSES = 10 * SECOND;

/** Slow data is not tried again, because another try would take as long. */
const TOO_SLOW: NoAnswer = { kind: 'noAnswer', code: 'NOT_DOWNLOADED_IN_TIME' };

/** What to do where data could not be downloaded. */
export const NEW_URL = 'Use Get Execution with the executionId for a new URL';

export type Fetching = Pick<Connection, 'fetching' | 'isLocal' | 'pause'>;

/**
 * Downloads the data of the requested steps that came with an address instead (published: the URL mode of webhooks). The address is
 * signed: it is requested without the token, over https (http only where the service itself is on this machine), without following
 * redirects, and appears in no message. Rejects only when the run is over or was stopped. `fetched`: the unchanged data by unique
 * step name. `notDownloaded`: a sentence for each step whose data could not be downloaded.
 */
export async function fetchSteps(
	context: ServiceContext,
	{ fetching, isLocal, pause }: Fetching,
	execution: Execution,
	onlySteps: string[],
): Promise<{ execution: Execution; fetched: JsonRecord; notDownloaded: string[] }> {
	const named = uniquelyNamed(execution.steps);
	const wanted = new Set(chooseSteps(named, onlySteps).chosen);
	const fetched: Array<[string, Json]> = [];
	const notDownloaded: string[] = [];
	const steps = [...execution.steps];
	let pausesLeft = MAX_PAUSES;
	for (const [index, each] of named.entries()) {
		const { address, stepName } = each.step;
		if (address === undefined || !wanted.has(each)) continue;
		const data = await dataAt(address);
		if ('json' in data) {
			fetched.push([each.name, data.json]);
			steps[index] = readStepData(stepName, data.json);
		} else {
			notDownloaded.push(
				`The data of step "${plainText(each.name)}" could not be downloaded: ${data.reason}`,
			);
		}
	}
	// Object.fromEntries keeps a name such as __proto__ as an ordinary field.
	return {
		execution: { ...execution, steps },
		fetched: Object.fromEntries(fetched),
		notDownloaded,
	};

	async function dataAt(address: string): Promise<Data> {
		if (!isAllowed(address, isLocal)) return { reason: 'its URL does not begin with https://' };
		for (let tries = 1; ; tries++) {
			const reply = await fetching.run(async () => download(context, address));
			const data = dataIn(reply);
			const delay =
				'json' in data || reply === TOO_SLOW
					? Infinity
					: (delayBeforeCheckingAgain(reply, tries, time.now()) ?? Infinity);
			if (delay > pausesLeft) return data;
			pausesLeft -= delay;
			// Others may be downloaded during the pause.
			await pause(delay);
		}
	}
}

type Data = { json: Json } | { reason: string };

function dataIn(reply: Reply): Data {
	if (reply === TOO_SLOW) return { reason: `it did not arrive within ${MINUTE / SECOND} seconds` };
	if (reply.kind !== 'answer') {
		const isTooLarge = reply.kind === 'noAnswer' && reply.code === TOO_LARGE;
		return { reason: isTooLarge ? 'it is larger than 100 MB' : 'the connection broke' };
	}
	if (reply.status !== 200) return { reason: `its URL answers with status ${reply.status}` };
	if (reply.body === undefined) return { reason: 'it is not JSON' };
	if (isTooDeep(reply.body)) return { reason: 'it is nested too deeply to be read' };
	return { json: reply.body as Json };
}

/** Plain http reaches other services of this machine, so it is for a service that is there itself. */
function isAllowed(address: string, isLocal: boolean): boolean {
	if (!URL.canParse(address)) return false;
	const { protocol, hostname } = new URL(address);
	return protocol === 'https:' || (protocol === 'http:' && isLocal && isLoopback(hostname));
}

/** The body of the answer is its JSON; undefined where it is none. */
async function download(context: ServiceContext, url: string): Promise<Reply> {
	// The request's own timeout ends when its headers arrive.
	const deadline = new Deadline(stopSignal(context));
	deadline.begin(MINUTE);
	try {
		const request = { ...STREAMED, method: 'GET', url, abortSignal: deadline.signal } as const;
		const answer = answerOf(await context.helpers.httpRequest(request));
		const { text, end } = await readText(answer.body as AsyncIterable<Buffer>, MAX_BYTES);
		if (end === undefined) return { ...answer, body: parseJson(text) };
		return isLate() ? TOO_SLOW : end;
	} catch (error) {
		return isLate() ? TOO_SLOW : silenceOf(error);
	} finally {
		deadline.close();
	}

	function isLate(): boolean {
		return deadline.signal.aborted && !isStopped(context);
	}
}
