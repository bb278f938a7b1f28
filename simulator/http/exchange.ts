/** Every request in the service: logged, authenticated, subject to faults and limits, answered. */
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Environment } from '../configuration';
import type { FinalAction } from '../state/faults';
import type { RequestEntry, Route } from '../state/requests';
import type { SimulatorState } from '../state/state';
import type { Judgement } from '../state/tokens';
import { Refusal, refusal, type Answer } from './answers';
import { dropBody, Interrupted } from './body';
import { faultAnswer } from './fault-answers';

export interface Exchange {
	state: SimulatorState;
	environment: Environment;
	request: FastifyRequest;
	entry: RequestEntry;
	judgement: Judgement;
}

/** Handles one kind of request. Raises a Refusal for what the service rejects. */
export type Handler = (exchange: Exchange) => Promise<Answer>;

/** Logs a request whose headers have arrived, and checks its token. */
export async function beginExchange(
	state: SimulatorState,
	environment: Environment,
	request: FastifyRequest,
	reply: FastifyReply,
	route: Route,
): Promise<Exchange> {
	const { headers } = request;
	const length = headers['content-length'];
	const entry = state.requests.begin({
		environment,
		method: request.method,
		route,
		path: pathOf(request),
		authorization: 'none',
		contentType: headers['content-type'] ?? null,
		contentLength: length === undefined ? null : Number(length),
		transferEncoding: headers['transfer-encoding'] ?? null,
	});
	reply.raw.once('close', () => state.requests.finish(entry, null));
	const judgement = await state.tokens.judge(headers.authorization, environment);
	entry.authorization = judgement.authorization;
	if (judgement.clientId !== undefined) entry.clientId = judgement.clientId;
	return { state, environment, request, entry, judgement };
}

/** Handles and answers a request, or applies a fault to it. */
export async function runExchange(
	exchange: Exchange,
	reply: FastifyReply,
	handler: Handler,
): Promise<void> {
	const { state, entry, request } = exchange;
	const workflowId = (request.params as { workflowId?: string }).workflowId;
	const due = state.faults.next({ route: entry.route, workflowId });
	for (const { milliseconds, removed } of due.delays) {
		entry.faultApplied = 'delay';
		await state.clock.sleep(milliseconds, removed, () => entry.finishedAt === null);
	}
	if (due.action)
		entry.faultApplied = due.action.type === 'reset' ? `reset ${due.action.when}` : due.action.type;
	if (due.action?.type === 'reset' && due.action.when === 'before') return cutOff(reply);
	countBody(exchange, reply, due.action);
	try {
		send(exchange, reply, await answerTo(exchange, handler, due.action), due.action);
	} catch (error) {
		if (!(error instanceof Interrupted)) throw error;
		cutOff(reply);
	}
}

async function answerTo(
	exchange: Exchange,
	handler: Handler,
	action: FinalAction | undefined,
): Promise<Answer> {
	const fault = faultAnswer(action, exchange.state.clock.now());
	if (fault === undefined) return carryOut(exchange, handler);
	if (fault.carriedOut) await carryOut(exchange, handler);
	else await dropBody(exchange.request.raw);
	return fault.answer;
}

async function carryOut(exchange: Exchange, handler: Handler): Promise<Answer> {
	const { state, judgement, request } = exchange;
	const leave = state.limits.enter(judgement.clientId ?? `address ${request.ip}`);
	try {
		if (leave === undefined) throw refusal(429, 'Too many requests', { 'retry-after': '1' });
		refuseTooLarge(exchange);
		const answer = await handler(exchange);
		await dropBody(request.raw);
		return answer;
	} catch (error) {
		if (!(error instanceof Refusal)) throw error;
		// Answered after the whole request, like a service that reads a body before it checks it.
		await dropBody(request.raw);
		return error.answer;
	} finally {
		leave?.();
	}
}

/** Raises a Refusal (413) when more bytes are announced, or have arrived, than the limit allows. */
export function refuseTooLarge({ state, entry }: Exchange): void {
	const most = state.settings.current().maximumBodyBytes;
	if (most !== null && Math.max(entry.contentLength ?? 0, entry.bodyBytes) > most) {
		throw refusal(413, 'Request body is too large');
	}
}

function countBody(
	{ request, entry, state, judgement }: Exchange,
	reply: FastifyReply,
	action: FinalAction | undefined,
): void {
	request.raw.on('data', (chunk: Buffer) => {
		entry.bodyBytes += chunk.length;
		if (
			action?.type === 'reset' &&
			action.when === 'during' &&
			entry.bodyBytes >= (action.afterBytes ?? 1)
		)
			cutOff(reply);
		if (
			action?.type === 'revokeTokenDuringUpload' &&
			entry.bodyBytes >= action.afterBytes &&
			judgement.tokenId
		) {
			state.tokens.revoke(judgement.tokenId);
		}
	});
	request.raw.pause();
}

function send(
	{ state, entry }: Exchange,
	reply: FastifyReply,
	answer: Answer,
	action: FinalAction | undefined,
): void {
	const { status, body, headers = {} } = answer;
	// A reset "during" a request without a body has nothing to wait for.
	if (action?.type === 'reset') return cutOff(reply);
	// Logged before it is sent, so that a client that has the answer finds it in the log.
	state.requests.finish(entry, status);
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const sent = { 'content-type': 'application/json', ...headers };
	if (action?.type === 'truncated') {
		reply.hijack();
		reply.raw.writeHead(status, { ...sent, 'content-length': Buffer.byteLength(text) + 64 });
		reply.raw.write(text.slice(0, action.afterBytes), () => reply.raw.destroy());
	} else if (action?.type === 'drip') {
		reply.hijack();
		reply.raw.writeHead(status, sent);
		reply.raw.write(text.slice(0, action.afterBytes ?? 0) || ' ');
		const timer = setInterval(() => reply.raw.write(' '), action.milliseconds ?? 1000);
		reply.raw.once('close', () => clearInterval(timer));
	} else if (action?.type === 'gzipBomb') {
		const megabyte = gzipSync(Buffer.alloc(1_000_000, ' '));
		// Compressed texts behind each other are one compressed text.
		const parts = [gzipSync(text), ...Array<Buffer>(action.megabytes).fill(megabyte)];
		reply
			.code(status)
			.headers({ ...sent, 'content-encoding': 'gzip' })
			.send(Buffer.concat(parts));
	} else {
		reply.code(status).headers(sent).send(text);
	}
}

function cutOff(reply: FastifyReply): void {
	if (!reply.sent) reply.hijack();
	reply.raw.socket?.resetAndDestroy();
}

/** The path without its query, which may hold a signature. */
function pathOf(request: FastifyRequest): string {
	return request.url.split('?')[0] ?? '';
}
