import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FIELDS, SPELLINGS, TOKEN_PATH, type Json } from '../../service/contract';
import { executionPath, executionsPath } from '../../service/executions';
import { shapeOf } from './shape';

export interface Wanted {
	baseUrl: string;
	workflowId: string;
	login: { clientId: string; clientSecret: string };
	/** A file to send, or an execution that is there. */
	of: { file: string } | { executionId: string };
	/** Between two checks. */
	everyMilliseconds: number;
	/** How many checks at most. */
	checks: number;
}

/** An answer without its values. */
export interface Recorded {
	name: string;
	status: number;
	contentType: string;
	body: Json;
}

interface Reply {
	status: number;
	contentType: string;
	body: Json;
}

/** Exchanges a token, creates an execution unless one is named, and checks it. Each answer that differs from the last is recorded. */
export async function record({ login, of, ...wanted }: Wanted): Promise<Recorded[]> {
	const { baseUrl, workflowId } = wanted;
	const recorded: Recorded[] = [];
	const keep = (name: string, { body, ...reply }: Reply) =>
		recorded.push({ name, ...reply, body: shapeOf(body) });
	const { clientId, clientSecret, accessToken } = FIELDS.token;
	const token = await ask(baseUrl + TOKEN_PATH, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ [clientId]: login.clientId, [clientSecret]: login.clientSecret }),
	});
	keep('token', token);
	const access = textAt(token.body, [accessToken]);
	if (access === '') return recorded;
	const headers = { authorization: `Bearer ${access}` };
	let id = 'executionId' in of ? of.executionId : '';
	if ('file' in of) {
		const body = new FormData();
		body.append(FIELDS.create.files, new Blob([readFileSync(of.file)]), basename(of.file));
		const url = baseUrl + executionsPath(workflowId);
		const created = await ask(url, { method: 'POST', headers, body });
		keep('create', created);
		id = textAt(created.body, [...SPELLINGS.executionId, ...SPELLINGS.startedId]);
		if (id === '') return recorded;
	}
	await check(baseUrl + executionPath(workflowId, id), headers, wanted, keep);
	return recorded;
}

async function check(
	url: string,
	headers: Record<string, string>,
	{ checks, everyMilliseconds }: Pick<Wanted, 'checks' | 'everyMilliseconds'>,
	keep: (name: string, reply: Reply) => void,
): Promise<void> {
	let last = '';
	for (let number = 1; number <= checks; number++) {
		const reply = await ask(url, { headers });
		const shape = JSON.stringify([reply.status, shapeOf(reply.body)]);
		if (shape !== last) keep(`check-${number}`, reply);
		last = shape;
		const status = textAt(reply.body, SPELLINGS.status);
		if (reply.status !== 200 || /^(?:completed|failed)$/i.test(status)) return;
		await sleep(everyMilliseconds);
	}
}

async function ask(url: string, options: RequestInit): Promise<Reply> {
	const response = await fetch(url, { ...options, redirect: 'error' });
	const text = await response.text();
	const contentType = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
	return { status: response.status, contentType, body: parsed(text) };
}

function parsed(text: string): Json {
	try {
		return JSON.parse(text) as Json;
	} catch {
		return text;
	}
}

function textAt(body: Json, names: readonly string[]): string {
	if (typeof body !== 'object' || body === null || Array.isArray(body)) return '';
	const found = names.map((name) => body[name]).find((value) => typeof value === 'string');
	return typeof found === 'string' ? found : '';
}
