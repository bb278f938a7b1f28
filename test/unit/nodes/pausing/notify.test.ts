import type { IHttpRequestOptions, IWebhookFunctions } from 'n8n-workflow';

import { sealReference } from '../../../../nodes/DocumentWorkflow/pausing/reference';
import { notify } from '../../../../nodes/DocumentWorkflow/pausing/notify';
import type { Execution } from '../../../../service/contract';

const SEALER = { clientId: 'client', clientSecret: 'made-up-secret-of-a-client' };
const BASE = 'https://n8n.example.com/automation/webhook-waiting';
const OWN = `${BASE}/4711/document-workflow`;
const SIGNATURE = 'signature=5f2d8c';
const RUNNING = { statusCode: 409, body: { message: 'The execution "4711" is running already.' } };
const NOTIFIED = { statusCode: 200, body: { waiting: false } };
const FINISHED = {
	statusCode: 409,
	body: { message: 'The execution "4711 has finished already.' },
};

let number = 0;
let sent: IHttpRequestOptions[];
let logs: string[];

beforeEach(() => {
	jest.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
	number++;
	[sent, logs] = [[], []];
});
afterEach(() => jest.useRealTimers());

type Reply = { statusCode: unknown; body?: unknown } | string | Error;

/** n8n gives these answers in order, and repeats the last one. */
function contextOf(...replies: Array<Reply | Promise<Reply>>): IWebhookFunctions {
	const log = (message: string) => void logs.push(message);
	const httpRequest = async (options: IHttpRequestOptions): Promise<unknown> => {
		sent.push(options);
		const reply = await (replies.length > 1 ? replies.shift() : replies[0]);
		if (reply instanceof Error) throw reply;
		return reply;
	};
	const context = {
		evaluateExpression: () => `${BASE}/__UNKNOWN__`,
		logger: { warn: log, info: log, error: log, debug: log },
		helpers: { httpRequest },
	};
	return context as unknown as IWebhookFunctions;
}

function executionWith(reference: string | undefined): Execution {
	return {
		workflowId: 'intake',
		executionId: `e-${number}`,
		status: 'completed',
		phase: 'completed',
		metadata: {},
		reference,
		steps: [],
		stepsField: 'steps',
		failureReason: '',
		raw: {},
	};
}

const referenceTo = (
	url: string,
	workflowId = 'intake',
	expiresAt = Date.now() + 1_000,
	sealer = SEALER,
) => sealReference(url, workflowId, expiresAt, sealer);
const notifyWith = (
	context: IWebhookFunctions,
	reference: string | undefined = referenceTo(`${OWN}?${SIGNATURE}`),
) => notify(context, executionWith(reference), SEALER);

/** The result, after some time. */
async function outcomeOf(notifying: Promise<unknown>, milliseconds = 200_000): Promise<unknown> {
	await jest.advanceTimersByTimeAsync(milliseconds);
	return notifying;
}

describe('Before n8n knows its own address', () => {
	it('the trigger sends no notification', async () => {
		const context = contextOf(NOTIFIED);
		context.evaluateExpression = () => 'undefined/undefined';
		expect(await outcomeOf(notifyWith(context))).toBe('nobody');
		expect(sent).toEqual([]);
	});
});

describe('A paused n8n execution', () => {
	it('is called at its full address with the IDs of the ended execution only', async () => {
		expect(await outcomeOf(notifyWith(contextOf(NOTIFIED)))).toBe('notified');
		expect(sent).toEqual([
			{
				method: 'POST',
				url: `${OWN}?${SIGNATURE}`,
				body: { workflowId: 'intake', executionId: `e-${number}` },
				json: true,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				timeout: 60_000,
			},
		]);
		expect(logs).toEqual([]);
	});

	it.each<[string, Reply]>([
		[
			'is not there any more',
			{ statusCode: 404, body: { message: 'The execution "4711" does not exist.' } },
		],
		['has finished', FINISHED],
		['wants another token', { statusCode: 401, body: { error: 'Invalid token' } }],
		[
			'has no such node any more',
			{ statusCode: 404, body: { message: 'Could not find node to process webhook.' } },
		],
	])(
		'is not waiting when it %s: the result is nobody, and the log says so',
		async (_what, reply) => {
			expect(await outcomeOf(notifyWith(contextOf(reply)))).toBe('nobody');
			expect(sent).toHaveLength(1);
			expect(logs).toEqual([
				expect.stringContaining(
					`No n8n execution waits for execution e-${number} of workflow intake anymore`,
				),
			]);
		},
	);

	const ANSWERS = (status: number) => `answers with status ${status}`;

	it.each<[string, Reply, string]>([
		['cannot ask the service', { statusCode: 503, body: { message: 'later' } }, ANSWERS(503)],
		[
			'does not answer',
			Object.assign(new Error(`connect ECONNREFUSED ${OWN}?${SIGNATURE}`), {
				code: 'ECONNREFUSED',
			}),
			'cannot be reached',
		],
		['answers nothing that can be read', 'nonsense', 'cannot be reached'],
		[
			'is on an n8n that starts',
			{ statusCode: 200, body: 'n8n is starting up. Please wait' },
			ANSWERS(200),
		],
		['is behind a page to sign in', { statusCode: 200, body: { ok: true } }, ANSWERS(200)],
		[
			'is behind a proxy that repeats its answer with another status',
			{ statusCode: 203, body: { waiting: false } },
			ANSWERS(203),
		],
		['has a status that is no number', { statusCode: '200' }, 'cannot be reached'],
		['is behind a proxy that leads elsewhere', { statusCode: 302, body: '' }, ANSWERS(302)],
		[
			'is behind a proxy that asks who is there',
			{ statusCode: 401, body: { message: 'Unauthorized' } },
			ANSWERS(401),
		],
		['is behind a proxy that refuses', { statusCode: 403, body: {} }, ANSWERS(403)],
		[
			'is behind a proxy that knows no such path',
			{ statusCode: 404, body: '<html>' },
			`${ANSWERS(404)}. With N8N_PATH, you must also set N8N_WEBHOOK_URL (n8n 1: WEBHOOK_URL)`,
		],
		['is behind a proxy that has too much to do', { statusCode: 429, body: {} }, ANSWERS(429)],
	])(
		'is notified later when it %s: the service has to call again, and the log says why, without the address',
		async (_what, reply, why) => {
			expect(await outcomeOf(notifyWith(contextOf(reply)))).toBe('later');
			expect(sent).toHaveLength(1);
			expect(logs).toEqual([
				`The n8n execution that waits for execution e-${number} of workflow intake could not be notified: the URL of n8n itself, set by WEBHOOK_URL, ${why}`,
			]);
		},
	);

	it('is notified later when n8n fails for another reason than a crash of it, and the log does not blame the address', async () => {
		const reply = { statusCode: 500, body: { code: 0, message: 'SQLITE_BUSY' } };
		expect(await outcomeOf(notifyWith(contextOf(reply)))).toBe('later');
		expect(logs).toEqual([
			`The n8n execution that waits for execution e-${number} of workflow intake could not be notified: n8n answers with status 500; its log has the reason`,
		]);
	});

	// Texts of n8n 1 and n8n 2.
	const CRASHED = ["(reading 'pop')", "(reading 'resultData')"].map((reading) => ({
		statusCode: 500,
		body: { code: 0, message: `Cannot read properties of undefined ${reading}` },
	}));

	it.each(CRASHED)(
		'that has crashed is notified for two minutes, because n8n may still recover it; then nobody waits, for each later call too',
		async (reply) => {
			const context = contextOf(reply);
			const reference = referenceTo(OWN, 'intake', Date.now() + 1_000_000);
			expect(await outcomeOf(notifyWith(context, reference), 10_000)).toBe('later');
			expect(await outcomeOf(notifyWith(context, reference), 10_000)).toBe('later');
			await jest.advanceTimersByTimeAsync(120_000);
			const all = sent.length;
			expect(await outcomeOf(notifyWith(context, reference), 10_000)).toBe('nobody');
			expect(sent).toHaveLength(all);
			expect(logs).toEqual([
				`Execution e-${number} of workflow intake resumes nothing: its n8n execution has crashed`,
			]);
		},
	);

	it('that has crashed is called after a quarter of a second, then after twice as long each time, at last every five seconds', async () => {
		const calls: number[] = [];
		const context = contextOf();
		const begin = Date.now();
		context.helpers.httpRequest = jest.fn(async () => {
			calls.push(Date.now() - begin);
			return CRASHED[0];
		});
		const notifying = notifyWith(context, referenceTo(OWN, 'intake', Date.now() + 1_000_000));
		await outcomeOf(notifying, 300_000);
		const intervals = calls.map((at, index) => at - (calls[index - 1] ?? 0));
		expect(intervals.slice(0, 8)).toEqual([0, 250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
		expect(new Set(intervals.slice(6))).toEqual(new Set([5_000]));
		expect(calls.at(-1)).toBe(117_750);
	});

	it('that n8n recovers from a crash is resumed', async () => {
		const context = contextOf(...CRASHED, NOTIFIED);
		expect(await outcomeOf(notifyWith(context))).toBe('notified');
	});

	it('needs no notification while it runs, because the node checks by itself', async () => {
		expect(await outcomeOf(notifyWith(contextOf(RUNNING)), 1)).toBe('notified');
		expect(sent).toHaveLength(1);
		expect(logs).toEqual([]);
	});

	it('is notified later when it says why it cannot resume now, and the log repeats the reason', async () => {
		expect(
			await outcomeOf(
				notifyWith(
					contextOf({
						statusCode: 503,
						body: { message: 'The service cannot be reached at the moment' },
					}),
				),
			),
		).toBe('later');
		expect(logs).toEqual([
			`The n8n execution that waits for execution e-${number} of workflow intake could not be notified: The service cannot be reached at the moment`,
		]);
	});

	it('makes the service call again when n8n does not answer within ten seconds', async () => {
		let answer: (reply: Reply) => void = () => undefined;
		const context = contextOf(new Promise<Reply>((resolve) => (answer = resolve)));
		const notifying = notifyWith(context);
		await jest.advanceTimersByTimeAsync(9_999);
		let outcome: unknown = 'none yet';
		void notifying.then((known) => (outcome = known));
		await jest.advanceTimersByTimeAsync(0);
		expect(outcome).toBe('none yet');
		await jest.advanceTimersByTimeAsync(1);
		expect(outcome).toBe('later');
		const again = notifyWith(context);
		answer(NOTIFIED);
		expect(await outcomeOf(again, 1)).toBe('notified');
		expect(sent).toHaveLength(1);
	});

	it('is called once for two simultaneous notifications, which both get the result', async () => {
		let answer: (reply: Reply) => void = () => undefined;
		const context = contextOf(new Promise<Reply>((resolve) => (answer = resolve)));
		const reference = referenceTo(OWN);
		const both = Promise.all([
			notifyWith(context, reference),
			notifyWith(context, referenceTo(OWN)),
		]);
		answer(NOTIFIED);
		expect(await outcomeOf(both)).toEqual(['notified', 'notified']);
		expect(sent).toHaveLength(1);
	});

	it('is not called again for the same notification within a minute', async () => {
		const context = contextOf(NOTIFIED);
		expect(await outcomeOf(notifyWith(context), 1)).toBe('notified');
		expect(await outcomeOf(notifyWith(context), 59_000)).toBe('notified');
		expect(sent).toHaveLength(1);
	});

	it('is called again by the next notification when it could not be notified', async () => {
		const context = contextOf({ statusCode: 503 }, NOTIFIED);
		expect(await outcomeOf(notifyWith(context), 1)).toBe('later');
		expect(await outcomeOf(notifyWith(context), 1)).toBe('notified');
	});

	it('is called again for the same notification after a minute, and for each execution that it waits for', async () => {
		const context = contextOf(NOTIFIED);
		await outcomeOf(notifyWith(context), 60_000);
		await outcomeOf(notifyWith(context));
		number++;
		await outcomeOf(
			Promise.all([
				notifyWith(context),
				notify(context, { ...executionWith(referenceTo(OWN)), executionId: 'another' }, SEALER),
			]),
		);
		expect(sent).toHaveLength(4);
	});
});

describe('A burst of notifications', () => {
	/** Begins that many, which n8n answers one after another with `answer`. */
	function burst(size: number) {
		const answers: Array<(reply: Reply) => void> = [];
		const asked = () => new Promise<Reply>((resolve) => answers.push(resolve));
		const contexts = Array.from({ length: size }, () => contextOf());
		for (const context of contexts) context.helpers.httpRequest = jest.fn(asked);
		const notifyAll = () =>
			contexts.map(async (context, index) =>
				notify(
					context,
					{ ...executionWith(referenceTo(OWN)), executionId: `burst-${number}-${index}` },
					SEALER,
				),
			);
		const answerAll = async () => {
			// More come while these are answered.
			for (const give of answers) {
				give(NOTIFIED);
				await jest.advanceTimersByTimeAsync(1);
			}
		};
		return { answers, notifyAll, answerAll };
	}

	it('is sent four at a time; with more than twenty-five open, calls are accepted before they are sent', async () => {
		const { answers, notifyAll, answerAll } = burst(60);
		const first = notifyAll();
		const outcomes: unknown[] = [];
		for (const notifying of first) void notifying.then((outcome) => outcomes.push(outcome));
		await jest.advanceTimersByTimeAsync(1);
		expect(answers).toHaveLength(4);
		expect(outcomes).toEqual(Array(34).fill('notified'));
		await answerAll();
		expect(await Promise.all(first)).toEqual(Array(60).fill('notified'));
		expect(await Promise.all(notifyAll())).toEqual(Array(60).fill('notified'));
		expect(answers).toHaveLength(60);
	});

	it('accepts a thousand; for more the service has to call again', async () => {
		const { answers, notifyAll, answerAll } = burst(1_100);
		const first = notifyAll();
		await jest.advanceTimersByTimeAsync(1);
		await answerAll();
		expect(await Promise.all(first)).toEqual([
			...Array<string>(1_000).fill('notified'),
			...Array<string>(100).fill('later'),
		]);
		expect(answers).toHaveLength(1_000);
		const again = notifyAll();
		await jest.advanceTimersByTimeAsync(1);
		await answerAll();
		expect(await Promise.all(again)).toEqual(Array(1_100).fill('notified'));
		expect(answers).toHaveLength(1_100);
	});
});

describe('A reference is ignored and logged without its address', () => {
	const LEADS_AWAY = 'its resume reference belongs to another n8n';
	const url = (change: (url: URL) => void): string => {
		const given = new URL(`${OWN}?${SIGNATURE}`);
		change(given);
		return given.href;
	};

	it.each([
		['another host', url((given) => (given.hostname = 'elsewhere.example.com'))],
		['a host that begins alike', OWN.replace('.com', '.com.elsewhere.net')],
		['a host behind user info', OWN.replace('https://', 'https://n8n.example.com@')],
		['another port', url((given) => (given.port = '8443'))],
		['another scheme', url((given) => (given.protocol = 'http:'))],
		['a file', 'file:///automation/webhook-waiting/4711/document-workflow'],
		['a user name', url((given) => (given.username = 'admin'))],
		['a password alone', url((given) => (given.password = 'admin'))],
		['another path', 'https://n8n.example.com/rest/workflows'],
		['a path that is cut', `${BASE}/`],
		['a path without what stands behind the execution', `${BASE}/4711`],
		['a path with no execution', `${BASE}/document-workflow`],
		['a path that goes deeper', `${BASE}/4711/more/document-workflow`],
		['a path that leaves', `${BASE}/../rest/document-workflow`],
		['a path that leaves, escaped', `${BASE}/%2e%2e/rest/document-workflow`],
		['a path with another name', `${BASE}/4711/other`],
		[
			'a path in another n8n behind the same host',
			'https://n8n.example.com/other/webhook-waiting/4711/document-workflow',
		],
		['no address', '4711'],
	])('when it leads to %s', async (_what, leadsTo) => {
		expect(await outcomeOf(notifyWith(contextOf(NOTIFIED), referenceTo(leadsTo)))).toBe('nobody');
		expect(sent).toEqual([]);
		expect(logs).toEqual([
			`Execution e-${number} of workflow intake resumes nothing: ${LEADS_AWAY}`,
		]);
	});

	const SEALED = 'it was sealed with another client secret, for another workflow, or was altered';
	const sealedBy = (other: Partial<typeof SEALER>) =>
		referenceTo(OWN, 'intake', Date.now() + 1_000, { ...SEALER, ...other });

	it.each([
		['of another client secret', () => sealedBy({ clientSecret: 'other' }), SEALED],
		['of another client', () => sealedBy({ clientId: 'other' }), SEALED],
		['of another workflow', () => referenceTo(OWN, 'claims'), SEALED],
		['that has expired', () => referenceTo(OWN, 'intake', Date.now() - 1_001), 'it has expired'],
		['that is no reference', () => 'x', 'it is not from this version of the package'],
		['that is empty', () => '', 'it is not from this version of the package'],
		['that is an address', () => OWN, 'it is not from this version of the package'],
	])('%s', async (_what, reference, reason) => {
		const given = reference();
		expect(await outcomeOf(notifyWith(contextOf(NOTIFIED), given))).toBe('nobody');
		expect(sent).toEqual([]);
		expect(logs).toEqual([
			`Execution e-${number} of workflow intake resumes nothing: its resume reference cannot be opened: ${reason}`,
		]);
	});
});
