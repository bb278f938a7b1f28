import type { IExecuteFunctions, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { RequestOptions } from '../../../credentials/token';
import { connect, outages } from '../../../nodes/DocumentWorkflow/connection/connect';
import type { FormDataShaped, Reply } from '../../../service/http';
import { contextOf, node } from '../support/context';
import { settled } from '../support/fakeClock';

/** The package knows them for all runs of the process. */
beforeEach(() => outages.clear());

const credential = {
	environment: 'production',
	productionUrl: 'https://api.example.com',
	clientId: 'id',
	clientSecret: 'secret',
};
const CHECK = { kind: 'check', path: '/x', timeoutMilliseconds: 99.5 } as const;
/** The reply to a request that was aborted before it had a token. */
const unsent = (code: string) => ({ kind: 'noAnswer', code, isIncomplete: true });
const UNAUTHORIZED = { statusCode: 401, headers: {}, body: {} };

interface Given {
	/** The n8n execution; a webhook has no signal. */
	stop?: AbortController;
	/** The first answers of the service. Later requests end only by the signal. */
	answers?: unknown[];
	/** Delays later requests regardless of the signal, like a token exchange. */
	exchange?: Promise<void>;
	/** Whether no request has a token yet. */
	isExchanging?: boolean;
}

/** A context like n8n's: it aborts a request by the context's signal, and ignores a signal of the request. */
function contextWith({ stop, answers = [], exchange, isExchanging = false }: Given) {
	const signals: Array<AbortSignal | undefined> = [];
	async function httpRequestWithAuthentication(
		this: IExecuteFunctions,
		_credential: string,
		options: RequestOptions,
	): Promise<unknown> {
		const signal = 'getExecutionCancelSignal' in this ? this.getExecutionCancelSignal() : undefined;
		signals.push(signal);
		expect(this.getNode()).toBe(node);
		if (options.tokenUse !== undefined && !isExchanging)
			options.tokenUse.used = `token ${signals.length}`;
		if (answers.length > 0) return answers.shift();
		await exchange;
		return new Promise((_, reject) => {
			signal?.addEventListener('abort', () =>
				reject(
					new NodeApiError(
						node,
						Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' }) as unknown as JsonObject,
					),
				),
			);
		});
	}
	const context = contextOf({
		getCredentials: <T extends object>() => Promise.resolve(credential as T),
		helpers: { httpRequestWithAuthentication },
		getExecutionCancelSignal: () => stop?.signal,
	});
	if (stop === undefined) Reflect.deleteProperty(context, 'getExecutionCancelSignal');
	return { context, signals };
}

/** The time limits that have begun, which end when a test ends them. */
let limits: Array<{ milliseconds: number; signal: AbortSignal; end: () => void }> = [];
beforeEach(() => {
	limits = [];
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		const controller = new AbortController();
		limits.push({ milliseconds, signal: controller.signal, end: () => controller.abort() });
		return controller.signal;
	});
});
afterEach(() => jest.restoreAllMocks());

const LATE: Reply = { kind: 'noAnswer', code: 'ECONNABORTED' };
/** The reply, or `running` when there is none although nothing else happens. */
async function soon(reply: Promise<Reply>): Promise<Reply | 'running'> {
	return Promise.race([reply, quiet().then(() => 'running' as const)]);
}

async function quiet(): Promise<void> {
	for (let turns = 0; turns < 20; turns++) await settled();
}

/** The reply once its time limit, the only one, has ended. */
async function late(reply: Promise<Reply>): Promise<Reply> {
	expect(await soon(reply)).toBe('running');
	expect(limits.map(({ milliseconds }) => milliseconds)).toEqual([100]);
	limits[0]?.end();
	return reply;
}

/** A token exchange that ends when the test calls `end`. */
function slowExchange(): { exchange: Promise<void>; end: (error?: Error) => void } {
	let end: (error?: Error) => void = () => undefined;
	const exchange = new Promise<void>(
		(resolve, reject) => (end = (error) => (error === undefined ? resolve() : reject(error))),
	);
	return { exchange, end };
}

describe('a check that waits for a token exchange', () => {
	it.each([
		['in a run', { stop: new AbortController() }],
		['in a webhook', {}],
		['after a 401', { answers: [UNAUTHORIZED] }],
	])('ends at its time limit, while the exchange continues: %s', async (_, given) => {
		const { exchange, end } = slowExchange();
		const { context } = contextWith({ ...given, exchange });
		const { send } = await connect(context, { maxInParallel: 8 });
		expect(await late(send(CHECK))).toMatchObject(LATE);
		end();
	});

	it('causes no unhandled rejection when the exchange fails later', async () => {
		const unhandled = jest.fn();
		process.on('unhandledRejection', unhandled);
		const { exchange, end } = slowExchange();
		const { send } = await connect(contextWith({ exchange }).context, { maxInParallel: 8 });
		expect(await late(send(CHECK))).toMatchObject(LATE);
		end(new Error('no token'));
		await quiet();
		process.off('unhandledRejection', unhandled);
		expect(unhandled).not.toHaveBeenCalled();
	});
});

it.each([
	['that is answered', { answers: [{ statusCode: 200, headers: {}, body: {} }] }],
	['that is late', {}],
	['that waits for a token', slowExchange()],
])('A check %s removes its listener from the time limit', async (_, given) => {
	const added = jest.spyOn(AbortSignal.prototype, 'addEventListener');
	const removed = jest.spyOn(AbortSignal.prototype, 'removeEventListener');
	const { send } = await connect(contextWith(given).context, { maxInParallel: 8 });
	const reply = send(CHECK);
	await quiet();
	limits[0]?.end();
	await reply;
	const call = added.mock.contexts.findIndex((signal) => signal === limits[0]?.signal);
	const [, listener] = added.mock.calls[call] ?? [];
	expect(listener).toBeDefined();
	expect(removed).toHaveBeenCalledWith('abort', listener);
});

describe('a check whose answer never ends', () => {
	it.each([
		['in a run', new AbortController()],
		['in a webhook', undefined],
	])('ends at its time limit, like a check without an answer: %s', async (_, stop) => {
		const { context } = contextWith(stop === undefined ? {} : { stop });
		const { send } = await connect(context, { maxInParallel: 8 });
		expect(await late(send(CHECK))).toMatchObject(LATE);
	});

	it('has one limit for all its requests, when the token has to be renewed in between', async () => {
		const { context, signals } = contextWith({
			stop: new AbortController(),
			answers: [UNAUTHORIZED, UNAUTHORIZED],
		});
		const { send } = await connect(context, { maxInParallel: 8 });
		expect(await late(send(CHECK))).toMatchObject(LATE);
		expect(signals).toHaveLength(3);
		expect(signals.every((signal) => signal?.aborted)).toBe(true);
	});

	it('is aborted by the Stop button, and reported as aborted', async () => {
		const stop = new AbortController();
		const { context } = contextWith({ stop });
		const { send } = await connect(context, { maxInParallel: 8 });
		const reply = send({ ...CHECK, timeoutMilliseconds: 60_000 });
		expect(await soon(reply)).toBe('running');
		stop.abort();
		expect(await reply).toMatchObject({ kind: 'noAnswer', code: 'ERR_CANCELED' });
	});
});

/** A form whose last byte is handed over when the test calls `complete`. */
function slowForm(): { body: FormDataShaped; complete: () => void } {
	let complete = (): void => undefined;
	const body: FormDataShaped = {
		[Symbol.toStringTag]: 'FormData',
		[Symbol.iterator]: () => body.entries(),
		append: () => undefined,
		entries: () => [].values(),
		begin: (whenComplete = () => undefined) => (complete = whenComplete),
		end: () => true,
	};
	return { body, complete: () => complete() };
}

describe('a create', () => {
	const create = async (given: Given, body: FormDataShaped) => {
		const { context } = contextWith(given);
		const { send } = await connect(context, { maxInParallel: 8 });
		return send({ ...CHECK, kind: 'create', body });
	};

	it('has no limit while it is uploaded, and a limit from then on', async () => {
		const { body, complete } = slowForm();
		const reply = create({ stop: new AbortController() }, body);
		expect(await soon(reply)).toBe('running');
		expect(limits).toEqual([]);
		complete();
		expect(await late(reply)).toMatchObject(LATE);
	});

	it('is aborted by the Stop button', async () => {
		const stop = new AbortController();
		const reply = create({ stop }, slowForm().body);
		expect(await soon(reply)).toBe('running');
		stop.abort();
		expect(await reply).toMatchObject({ kind: 'noAnswer', code: 'ERR_CANCELED' });
	});

	it('that is stopped while it waits for a token counts as not sent', async () => {
		const stop = new AbortController();
		const { exchange, end } = slowExchange();
		const reply = create({ stop, exchange, isExchanging: true }, slowForm().body);
		expect(await soon(reply)).toBe('running');
		stop.abort();
		expect(await reply).toMatchObject(unsent('ERR_CANCELED'));
		end();
	});

	it('without files has its limit from the beginning', async () => {
		const { context } = contextWith({});
		const { send } = await connect(context, { maxInParallel: 8 });
		expect(await late(send({ ...CHECK, kind: 'create', body: {} }))).toMatchObject(LATE);
	});
});
