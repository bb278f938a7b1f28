import { NodeOperationError } from 'n8n-workflow';

import { isLoopback } from '../../../service/baseAddress';
import type { Execution, Json, JsonRecord, Step } from '../../../service/contract';
import type { Lane } from '../../../service/pace';
import { readStepData } from '../../../service/steps';
import type { ServiceContext } from '../transport';
import { stopSignal } from '../transport';

/** More than this is no extracted data of one step any more. */
const MOST_BYTES = 100_000_000;

const TIMEOUT_MILLISECONDS = 60_000;

/**
 * The execution with the data of its steps that came with an address (published: the URL mode of webhooks). The address is signed:
 * it is fetched without the token, over https only, without following redirects, and is in no message.
 * @throws NodeOperationError when the data of a step cannot be had
 */
export async function fetchSteps(context: ServiceContext, lane: Lane, itemIndex: number, execution: Execution): Promise<Fetched> {
	const fetched: JsonRecord = {};
	const steps: Step[] = [];
	for (const step of execution.steps) {
		const { stepName, address } = step;
		if (address === undefined) {
			steps.push(step);
			continue;
		}
		const json = await lane.run(async () => fetchJson(context, itemIndex, stepName, address));
		fetched[stepName] = json;
		steps.push(readStepData(stepName, json));
	}
	return { execution: { ...execution, steps }, fetched };
}

export interface Fetched {
	execution: Execution;
	/** What was fetched, by step, as it came. */
	fetched: JsonRecord;
}

async function fetchJson(context: ServiceContext, itemIndex: number, stepName: string, address: string): Promise<Json> {
	const refuse = (reason: string) =>
		new NodeOperationError(context.getNode(), `The data of step "${stepName}" could not be fetched: ${reason}`, {
			itemIndex,
			description: "Use Get with the executionId for a new address, or switch off 'Fetch Data From Addresses'",
		});
	if (!isAllowed(address)) throw refuse('its address does not begin with https://');
	const fetched = await download(context, address).catch(() => undefined);
	if (fetched === undefined) throw refuse('the connection broke');
	if (fetched.status !== 200) throw refuse(`its address answers with status ${fetched.status}`);
	if (fetched.text === undefined) throw refuse(`it is larger than ${MOST_BYTES / 1_000_000} MB`);
	const value = parse(fetched.text);
	if (value === undefined) throw refuse('it is not JSON');
	return value;
}

function isAllowed(address: string): boolean {
	if (!URL.canParse(address)) return false;
	const { protocol, hostname } = new URL(address);
	return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** `text` is undefined when it was too large. */
async function download(context: ServiceContext, url: string): Promise<{ status: number; text: string | undefined }> {
	const stopped = stopSignal(context);
	// A timeout of the request would end with its headers.
	const late = AbortSignal.timeout(TIMEOUT_MILLISECONDS);
	const response = (await context.helpers.httpRequest({
		method: 'GET',
		url,
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		abortSignal: stopped === undefined ? late : AbortSignal.any([stopped, late]),
	})) as { statusCode: number; headers: Record<string, string>; body: AsyncIterable<Buffer> };
	const announced = Number(response.headers['content-length'] ?? 0);
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of response.body) {
		bytes += chunk.length;
		if (bytes > MOST_BYTES || announced > MOST_BYTES) return { status: response.statusCode, text: undefined };
		chunks.push(chunk);
	}
	return { status: response.statusCode, text: Buffer.concat(chunks).toString('utf8') };
}

function parse(text: string): Json | undefined {
	try {
		return JSON.parse(text.replace(/^\uFEFF/, '')) as Json;
	} catch {
		return undefined;
	}
}
