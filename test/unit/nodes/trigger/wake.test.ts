import type { IHttpRequestOptions, IWebhookFunctions } from 'n8n-workflow';

import { sealReference } from '../../../../nodes/DocumentWorkflow/pausing/reference';
import { inTurn, keyOf } from '../../../../nodes/DocumentWorkflow/pausing/seen';
import { wake } from '../../../../nodes/DocumentWorkflow/trigger/wake';
import type { Execution } from '../../../../service/contract';

const SEALER = { clientId: 'client', clientSecret: 'made-up-secret-of-a-client' };
const BASE = 'https://n8n.example.com/automation/webhook-waiting';
const OWN = `${BASE}/4711/document-workflow`;
const SIGNATURE = 'signature=5f2d8c';
const RUNNING = { statusCode: 409, body: { message: 'The execution "4711" is running already.' } };
const TOLD = { statusCode: 200, body: { waiting: false } };
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

type Reply = { statusCode: number; body?: unknown } | Error;

/** n8n's own answers, one after another; the last one stays. */
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
const wakeWith = (
	context: IWebhookFunctions,
	reference: string | undefined = referenceTo(`${OWN}?${SIGNATURE}`),
) => wake(context, executionWith(reference), SEALER);

/** What comes of it, with all the waiting that it takes. */
async function outcomeOf(waking: Promise<unknown>, milliseconds = 200_000): Promise<unknown> {
	await jest.advanceTimersByTimeAsync(milliseconds);
	return waking;
}

describe('Before n8n knows its own address', () => {
	it('nothing is told', async () => {
		const context = contextOf(TOLD);
		context.evaluateExpression = () => 'undefined/undefined';
		expect(await outcomeOf(wakeWith(context))).toBe('nobody');
		expect(sent).toEqual([]);
	});
});

describe('A paused workflow of this n8n', () => {
	it('is told which execution has ended, at its whole address, and nothing else', async () => {
		expect(await outcomeOf(wakeWith(contextOf(TOLD)))).toBe('told');
		expect(sent).toEqual([
			expect.objectContaining({
				method: 'POST',
				url: `${OWN}?${SIGNATURE}`,
				body: { workflowId: 'intake', executionId: `e-${number}` },
				disableFollowRedirect: true,
			}),
		]);
		expect(Object.keys(sent[0] ?? {})).not.toContain('headers');
		expect(logs).toEqual([]);
	});

	it.each<[string, Reply]>([
		[
			'is not there any more',
			{ statusCode: 404, body: { message: 'The execution "4711" does not exist.' } },
		],
		['has finished', FINISHED],
		['asks for another token', { statusCode: 401, body: { error: 'Invalid token' } }],
		[
			'has no such node any more',
			{ statusCode: 404, body: { message: 'Could not find node to process webhook.' } },
		],
	])('that %s does not wait: nothing to be told, and a line in the log', async (_what, reply) => {
		expect(await outcomeOf(wakeWith(contextOf(reply)))).toBe('nobody');
		expect(sent).toHaveLength(1);
		expect(logs).toEqual([
			expect.stringContaining(
				`Nothing waits for execution e-${number} of workflow intake any more`,
			),
		]);
	});

	const ANSWERS = (status: number) => `answers with status ${status}`;

	it.each<[string, Reply, string]>([
		['cannot ask the service', { statusCode: 503, body: { message: 'later' } }, ANSWERS(503)],
		['breaks', { statusCode: 500 }, ANSWERS(500)],
		[
			'does not answer',
			Object.assign(new Error(`connect ECONNREFUSED ${OWN}?${SIGNATURE}`), {
				code: 'ECONNREFUSED',
			}),
			'cannot be reached',
		],
		['answers nothing that can be read', 'nonsense' as unknown as Reply, 'cannot be reached'],
		[
			'is on an n8n that starts',
			{ statusCode: 200, body: 'n8n is starting up. Please wait' },
			ANSWERS(200),
		],
		['is behind a page to sign in', { statusCode: 200, body: { ok: true } }, ANSWERS(200)],
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
			ANSWERS(404),
		],
		['is behind a proxy that has too much to do', { statusCode: 429, body: {} }, ANSWERS(429)],
	])(
		'that %s is told later, when the service comes again; the log says why, without the address',
		async (_what, reply, why) => {
			expect(await outcomeOf(wakeWith(contextOf(reply)))).toBe('later');
			expect(sent).toHaveLength(1);
			expect(logs).toEqual([
				`What waits for execution e-${number} of workflow intake could not be told: its own address, which WEBHOOK_URL sets, ${why}`,
			]);
		},
	);

	it('that went on because all had ended need not be told of the others while what is behind the pause runs', async () => {
		await inTurn('pause', async (seen) =>
			Promise.resolve(
				void (
					(seen.wokenUntil = Infinity),
					seen.ended.add(keyOf({ workflowId: 'intake', executionId: `e-${number}` }))
				),
			),
		);
		expect(await outcomeOf(wakeWith(contextOf(RUNNING)), 1)).toBe('told');
	});

	it('that says itself why not now is told later, and the log repeats that', async () => {
		expect(
			await outcomeOf(
				wakeWith(
					contextOf({
						statusCode: 503,
						body: { message: 'The service cannot be asked at the moment' },
					}),
				),
			),
		).toBe('later');
		expect(logs).toEqual([
			`What waits for execution e-${number} of workflow intake could not be told: The service cannot be asked at the moment`,
		]);
	});

	it('that went on is told all the same of an execution with the same identifier in another workflow', async () => {
		await inTurn('other pause', async (seen) =>
			Promise.resolve(
				void (
					(seen.wokenUntil = Infinity),
					seen.ended.add(keyOf({ workflowId: 'other', executionId: `e-${number}` }))
				),
			),
		);
		expect(await outcomeOf(wakeWith(contextOf(RUNNING, TOLD)))).toBe('told');
		expect(sent).toHaveLength(2);
	});

	it('that still runs is told again until its pause is stored', async () => {
		expect(await outcomeOf(wakeWith(contextOf(RUNNING, RUNNING, RUNNING, TOLD)))).toBe('told');
		expect(sent).toHaveLength(4);
	});

	it('that finishes instead does not wait', async () => {
		expect(await outcomeOf(wakeWith(contextOf(RUNNING, FINISHED)))).toBe('nobody');
		expect(sent).toHaveLength(2);
	});

	it('that runs for more than ten seconds: the service is asked to come again; telling goes on for two minutes, and no longer', async () => {
		const waking = wakeWith(contextOf(RUNNING));
		await jest.advanceTimersByTimeAsync(9_999);
		let outcome: unknown = 'none yet';
		void waking.then((known) => (outcome = known));
		await jest.advanceTimersByTimeAsync(0);
		expect(outcome).toBe('none yet');
		await jest.advanceTimersByTimeAsync(1);
		expect(outcome).toBe('later');
		const soFar = sent.length;
		await jest.advanceTimersByTimeAsync(110_000);
		expect(sent.length).toBeGreaterThan(soFar + 10);
		const all = sent.length;
		await jest.advanceTimersByTimeAsync(600_000);
		expect(sent.length).toBeLessThanOrEqual(all + 1);
		expect(all).toBeLessThan(40);
	});

	it('is told once by two notifications at the same moment, which both hear of it', async () => {
		let answer: (reply: Reply) => void = () => undefined;
		const context = contextOf(new Promise<Reply>((resolve) => (answer = resolve)));
		const reference = referenceTo(OWN);
		const both = Promise.all([wakeWith(context, reference), wakeWith(context, referenceTo(OWN))]);
		answer(TOLD);
		expect(await outcomeOf(both)).toEqual(['told', 'told']);
		expect(sent).toHaveLength(1);
	});

	it('is told by one that comes again after the ten seconds what became of the first', async () => {
		const context = contextOf(...Array.from({ length: 7 }, () => RUNNING), TOLD);
		expect(await outcomeOf(wakeWith(context), 10_000)).toBe('later');
		const before = sent.length;
		expect(before).toBeLessThan(8);
		expect(await outcomeOf(wakeWith(context))).toBe('told');
		expect(sent).toHaveLength(8);
	});

	it('is not told anew within a minute, whatever comes again', async () => {
		const context = contextOf(TOLD);
		expect(await outcomeOf(wakeWith(context), 1)).toBe('told');
		expect(await outcomeOf(wakeWith(context), 59_000)).toBe('told');
		expect(sent).toHaveLength(1);
	});

	it('that could not be told is told anew at once', async () => {
		const context = contextOf({ statusCode: 503 }, TOLD);
		expect(await outcomeOf(wakeWith(context), 1)).toBe('later');
		expect(await outcomeOf(wakeWith(context), 1)).toBe('told');
	});

	it('is told anew by one that comes a minute after the first, and by each execution that it waits for', async () => {
		const context = contextOf(TOLD);
		await outcomeOf(wakeWith(context), 60_000);
		await outcomeOf(wakeWith(context));
		number++;
		await outcomeOf(
			Promise.all([
				wakeWith(context),
				wake(context, { ...executionWith(referenceTo(OWN)), executionId: 'another' }, SEALER),
			]),
		);
		expect(sent).toHaveLength(4);
	});
});

describe('A burst of notifications', () => {
	it('is told four at a time; with more than twenty-five under way the service is asked to come again at once, and then hears that they are told', async () => {
		const answers: Array<(reply: Reply) => void> = [];
		const asked = () => new Promise<Reply>((resolve) => answers.push(resolve));
		const contexts = Array.from({ length: 60 }, () => contextOf());
		for (const context of contexts) context.helpers.httpRequest = jest.fn(asked);
		const wakeAll = () =>
			contexts.map(async (context, index) =>
				wake(
					context,
					{ ...executionWith(referenceTo(OWN)), executionId: `burst-${index}` },
					SEALER,
				),
			);
		const first = wakeAll();
		await jest.advanceTimersByTimeAsync(1);
		expect(answers).toHaveLength(4);
		const outcomes: unknown[] = [];
		for (const waking of first) void waking.then((outcome) => outcomes.push(outcome));
		await jest.advanceTimersByTimeAsync(1);
		expect(outcomes).toEqual(Array(34).fill('later'));
		for (let told = 0; told < contexts.length; told++) {
			answers[told]?.(TOLD);
			await jest.advanceTimersByTimeAsync(1);
		}
		expect(await Promise.all(first)).toEqual([
			...Array<string>(26).fill('told'),
			...Array<string>(34).fill('later'),
		]);
		expect(await Promise.all(wakeAll())).toEqual(Array(60).fill('told'));
		expect(answers).toHaveLength(60);
	});
});

describe('A reference is refused, logged without its address, and nothing is sent', () => {
	const LEADS_AWAY = 'its reference does not lead to this n8n';
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
	])('that leads to %s', async (_what, leadsTo) => {
		expect(await outcomeOf(wakeWith(contextOf(TOLD), referenceTo(leadsTo)))).toBe('nobody');
		expect(sent).toEqual([]);
		expect(logs).toEqual([`Execution e-${number} of workflow intake wakes nothing: ${LEADS_AWAY}`]);
	});

	const SEALED = 'it was sealed with another client secret, for another workflow, or was altered';
	const sealedBy = (other: Partial<typeof SEALER>) =>
		referenceTo(OWN, 'intake', Date.now() + 1_000, { ...SEALER, ...other });

	it.each([
		['of another client secret', () => sealedBy({ clientSecret: 'other' }), SEALED],
		['of another client', () => sealedBy({ clientId: 'other' }), SEALED],
		['of another workflow', () => referenceTo(OWN, 'claims'), SEALED],
		['that has expired', () => referenceTo(OWN, 'intake', Date.now() - 1_001), 'it has expired'],
		['that is none', () => 'x', 'it is not a reference of this version of the package'],
		['that is empty', () => '', 'it is not a reference of this version of the package'],
		['that is an address', () => OWN, 'it is not a reference of this version of the package'],
	])('%s', async (_what, reference, reason) => {
		const given = reference();
		expect(await outcomeOf(wakeWith(contextOf(TOLD), given))).toBe('nobody');
		expect(sent).toEqual([]);
		expect(logs).toEqual([
			`Execution e-${number} of workflow intake wakes nothing: its reference cannot be opened, because ${reason}`,
		]);
	});
});
