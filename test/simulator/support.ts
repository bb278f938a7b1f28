/** Shared by the tests of the simulator: a running simulator, and a client of the service. */
import { request, type ClientRequest } from 'node:http';
import type { Clock } from '../../simulator/clock';
import { startSimulator, type Simulator, type SimulatorConfiguration } from '../../simulator';
import { FakeClock } from '../unit/support/fakeClock';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { allLines, readDocument } from '../../simulator/extract/document';
import { findFields, type Row } from '../../simulator/extract/fields';
import { linesOfText } from '../../simulator/extract/lines';
import type { Field } from '../../simulator/configuration';

export const CLIENT = { clientId: 'client', clientSecret: 'made-up-secret' };

export const POLICY_STEP = {
	stepName: 'Policy',
	fields: [
		{ name: 'policy_number', labels: ['Policy Number', 'Policy No.'] },
		{ name: 'premium', labels: ['Premium'], type: 'amount' as const },
	],
};

/** A workflow that ends at once, with the data of a policy. */
const quick = (workflowId: string, more: object = {}) => ({
	workflowId,
	duration: { fixedSeconds: 0 },
	steps: [POLICY_STEP],
	...more,
});

export const CONFIGURATION: SimulatorConfiguration = {
	clients: [
		CLIENT,
		{ clientId: 'narrow', clientSecret: 'made-up-secret', workflows: ['other'] },
		{ clientId: 'staging-only', clientSecret: 'made-up-secret', environments: ['staging'] },
	],
	workflows: [
		quick('intake'),
		quick('slow', { duration: { fixedSeconds: 3600 } }),
		quick('other'),
		quick('failing', { failWith: { error_message: 'Unreadable', code: 7 } }),
		quick('urls', { fileAccess: 'publicUrls' }),
		quick('protected', { fileAccess: 'oauth2Urls' }),
		quick('box', { fileAccess: 'boxLinks' }),
	],
};

export interface Reply {
	status: number;
	headers: Headers;
	body: Record<string, unknown>;
}

export interface Caller {
	simulator: Simulator;
	/** The Authorization header with a new token. */
	authorization: string;
	create(
		workflowId: string,
		body: FormData | object,
		headers?: Record<string, string>,
	): Promise<Reply>;
	/** The ID of a created execution. */
	createdId(workflowId: string, body: FormData | object): Promise<string>;
	get(workflowId: string, executionId: string, headers?: Record<string, string>): Promise<Reply>;
	/** Checks until the execution is no longer running. */
	ended(workflowId: string, executionId: string): Promise<Record<string, unknown>>;
}

/** A simulator for one test file, and a client of one of its environments. */
export async function started(
	configuration: SimulatorConfiguration = CONFIGURATION,
	clock?: Clock,
): Promise<Caller> {
	return callerOf(await startSimulator({ configuration, clock }));
}

export async function callerOf(
	simulator: Simulator,
	baseUrl = simulator.productionUrl,
): Promise<Caller> {
	const authorization = `Bearer ${await tokenOf(baseUrl)}`;
	const caller: Caller = {
		simulator,
		authorization,
		create: async (workflowId, body, headers = { authorization }) => {
			const multipart = body instanceof FormData;
			const type: Record<string, string> = multipart ? {} : { 'content-type': 'application/json' };
			const sent = multipart ? body : JSON.stringify(body);
			return call(`${baseUrl}${createPath(workflowId)}`, {
				method: 'POST',
				headers: { ...type, ...headers },
				body: sent,
			});
		},
		createdId: async (workflowId, body) => {
			const { status, body: answer } = await caller.create(workflowId, body);
			if (status !== 200) throw new Error(`create answered ${status}: ${JSON.stringify(answer)}`);
			return String(answer.workflow_execution_id);
		},
		get: (workflowId, executionId, headers = { authorization }) =>
			call(`${baseUrl}${createPath(workflowId)}/${executionId}`, { headers }),
		ended: (workflowId, executionId) =>
			until(async () => {
				const { body } = await caller.get(workflowId, executionId);
				return body.status === 'running' ? undefined : body;
			}),
	};
	return caller;
}

export function createPath(workflowId: string): string {
	return `/api/v1/workflow-builder/workflows/${workflowId}/executions`;
}

export async function call(url: string, init?: RequestInit): Promise<Reply> {
	const response = await fetch(url, { redirect: 'manual', ...init });
	const text = await response.text();
	return {
		status: response.status,
		headers: response.headers,
		body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
	};
}

/** Sends the beginning of a body of unknown length. `status`: of the answer; undefined where the connection broke. */
export function begin(
	{ simulator, authorization }: Caller,
	path: string,
	type: string,
	text: string,
): { sent: ClientRequest; status: Promise<number | undefined> } {
	const headers = { authorization, 'content-type': type };
	const sent = request(`${simulator.productionUrl}${path}`, { method: 'POST', headers });
	const status = new Promise<number | undefined>((resolve) => {
		sent.on('response', (response) => resolve(response.resume().statusCode));
		sent.on('error', () => resolve(undefined));
	});
	sent.write(text);
	return { sent, status };
}

export function exchange(
	baseUrl: string,
	body: unknown,
	headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<Reply> {
	return call(`${baseUrl}/api/v1/oauth2/access_token`, {
		method: 'POST',
		headers,
		body: typeof body === 'string' ? body : JSON.stringify(body),
	});
}

export async function tokenOf(baseUrl: string, client = CLIENT): Promise<string> {
	const { body } = await exchange(baseUrl, {
		client_id: client.clientId,
		client_secret: client.clientSecret,
	});
	return String(body.access_token);
}

/** A form with the given text documents. */
export function form(
	documents: Record<string, string>,
	texts: Record<string, string> = {},
): FormData {
	const data = new FormData();
	for (const [name, text] of Object.entries(documents))
		data.append('files', new Blob([text], { type: 'text/plain' }), name);
	for (const [name, text] of Object.entries(texts)) data.append(name, text);
	return data;
}

export const DOCUMENT = { 'policy.txt': 'Policy Number: AB-1\nPremium: $1,250.00\n' };

/** Asks again and again until there is a result. */
export async function until<Answer>(
	ask: () => Promise<Answer | undefined> | Answer | undefined,
): Promise<Answer> {
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		await new Promise((resolve) => setTimeout(resolve, 1));
	}
}

/** A time of the service that passes only when a test lets it. What is aborted still counts as waiting. */
export class ServiceClock extends FakeClock implements Clock {
	async sleep(milliseconds: number, ended: AbortSignal): Promise<void> {
		if (milliseconds === 0) return;
		const stopped = new Promise<void>((resolve) =>
			ended.addEventListener('abort', () => resolve()),
		);
		await Promise.race([this.pause(milliseconds), stopped]);
	}
}

interface Drawn {
	text: string;
	x: number;
	y: number;
	size?: number;
}

/** A PDF with one page per list of drawn texts. */
export async function pdfOf(...pages: Drawn[][]): Promise<Uint8Array> {
	const document = await PDFDocument.create();
	const font = await document.embedFont(StandardFonts.Helvetica);
	for (const drawn of pages) {
		const page = document.addPage();
		for (const { text, x, y, size = 10 } of drawn) page.drawText(text, { x, y, size, font });
	}
	return document.save();
}

/** The lines of a PDF as text, cells separated by three spaces. */
export async function pdfLines(bytes: Uint8Array): Promise<string[]> {
	const read = await readDocument({ fileName: 'a.pdf', mediaType: 'application/pdf', bytes });
	return allLines(read).map(({ text }) => text);
}

export function field(
	labels: string | string[],
	type: Field['type'] = 'text',
	more: Partial<Field> = {},
): Field {
	return { name: 'found', labels: [labels].flat(), type, ...more };
}

/** The cell of one field in a text: value and confidence score. */
export function cellIn(text: string, asked: Field, others: Field[] = []): Row[string] {
	const row = findFields(linesOfText(text), [asked, ...others]);
	return row[asked.name] ?? { value: 'no such cell', confidence_score: -1 };
}
