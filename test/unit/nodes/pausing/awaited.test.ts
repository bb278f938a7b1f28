import type { Wait } from '../../../../service/wait';
import {
	checkWaits as checkAll,
	openWaits,
	Findings,
	readResult,
} from '../../../../nodes/DocumentWorkflow/pausing/awaited';
import { HOUR, MINUTE, time } from '../../../../nodes/DocumentWorkflow/connection/time';
import type { Reply, Send, ServiceRequest } from '../../../../service/http';

const answer = (status: number, body: object = {}, headers = {}): Reply => ({
	kind: 'answer',
	status,
	headers,
	body,
});
const [RUNNING, COMPLETED] = ['running', 'completed'].map((status) => answer(200, { status })) as [
	Reply,
	Reply,
];

const LOG = { debug: jest.fn(), info: jest.fn(), warn: jest.fn(), error: jest.fn() };
const checkWaits = async (send: Send, waits: Wait[], findings = new Findings()) =>
	checkAll(send, LOG, waits, findings);

const waitFor = (executionId: string, more: Partial<Wait> = {}): Wait => ({
	workflowId: 'w',
	executionId,
	since: Date.now(),
	until: Date.now() + 24 * HOUR,
	firstMilliseconds: 5_000,
	longestMilliseconds: HOUR,
	checks: 3,
	...more,
});

/** A service with an answer for each execution. */
function serviceWith(replies: Record<string, Reply>) {
	const asked: string[] = [];
	const send = async ({ path }: ServiceRequest): Promise<Reply> => {
		const id = path.split('/').at(-1) ?? '';
		asked.push(id);
		return Promise.resolve(replies[id] ?? answer(500));
	};
	return { asked, send };
}

describe('A check of the executions that a pause waits for', () => {
	afterEach(() => jest.restoreAllMocks());

	it('records what it sees, and does not check again what has ended or is over', async () => {
		const waits = [waitFor('a'), waitFor('b'), waitFor('c', { until: Date.now() - 1 })];
		const { send, asked } = serviceWith({ a: COMPLETED, b: RUNNING });
		await checkWaits(send, openWaits(waits));
		expect(waits).toMatchObject([
			{ status: 'completed', checks: 4, endedAt: expect.any(Number) },
			{ status: 'running', checks: 4 },
			{ checks: 3 },
		]);
		expect(openWaits(waits)).toEqual([waits[1]]);
		expect(asked).toEqual(['a', 'b']);
	});

	it('stops at the first eight of which one has not ended', async () => {
		const ids = Array.from({ length: 30 }, (_, index) => `e-${index}`);
		const replies = Object.fromEntries(
			ids.map((id) => [id, id === 'e-9' ? RUNNING : COMPLETED] as const),
		);
		const { send, asked } = serviceWith(replies);
		const waits = ids.map((id) => waitFor(id));
		await checkWaits(send, waits);
		expect(asked).toHaveLength(16);
		expect(openWaits(waits)).toHaveLength(15);
		replies['e-9'] = COMPLETED;
		await checkWaits(send, openWaits(waits));
		expect(openWaits(waits)).toEqual([]);
		expect(asked).toHaveLength(31);
	});

	it.each<[string, Reply, number]>([
		['does not know it', answer(404), 30],
		[
			'answers about another execution',
			answer(200, { status: 'completed', workflow_execution_id: 'b' }),
			0,
		],
		['gives nothing that can be read', answer(200), 30],
	])(
		'gives an execution up, by the rule of all checks, when the service %s',
		async (_what, reply, minutes) => {
			let now = Date.now();
			jest.spyOn(time, 'now').mockImplementation(() => now);
			const [begin, wait, findings] = [now, waitFor('a', { known: 'found' }), new Findings()];
			const { send } = serviceWith({ a: reply });
			for (; openWaits([wait]).length > 0; now += MINUTE) await checkWaits(send, [wait], findings);
			expect(Number(wait.endedAt) - begin).toBe(minutes * MINUTE);
			expect([...findings.shown.values()]).toMatchObject([{ kind: 'lost', refusal: { reply } }]);
		},
	);

	it('goes on to the next eight while all replies are doubtful', async () => {
		const ids = Array.from({ length: 20 }, (_, index) => `e-${index}`);
		const waits = ids.map((id) => waitFor(id, { known: 'found' }));
		const denied = serviceWith(Object.fromEntries(ids.map((id) => [id, answer(403)])));
		await checkWaits(denied.send, waits);
		expect(denied.asked).toHaveLength(20);
		const busy = serviceWith(Object.fromEntries(ids.map((id) => [id, RUNNING])));
		await checkWaits(busy.send, waits);
		expect(busy.asked).toHaveLength(8);
	});

	it('keeps what it has read of waits that have ended', async () => {
		const findings = new Findings();
		const [a, b] = [waitFor('a'), waitFor('b')];
		await checkWaits(serviceWith({ a: COMPLETED, b: RUNNING }).send, [a, b], findings);
		expect([...findings.shown]).toMatchObject([
			[a, { kind: 'finished', execution: { executionId: 'a' } }],
		]);
		const { send, asked } = serviceWith({});
		const connection = { send, pause: async () => Promise.resolve() };
		const kept = await readResult(connection, LOG, a, findings);
		expect(kept).toEqual({ wait: a, check: findings.shown.get(a) });
		expect(asked).toEqual([]);
	});

	it.each<[string, Reply]>([
		['is replaced by a page of a gateway', answer(404, '<html>Not here</html>' as never)],
		['is too busy', answer(429)],
		['has a fault', answer(500)],
		['is behind a gateway that answers with a page', { ...answer(404), body: '<html>' } as Reply],
		['does not answer', { kind: 'noAnswer', code: 'ECONNRESET' }],
		['cannot be reached', { kind: 'noAnswer', code: 'ENOTFOUND' }],
	])('keeps waiting when the service %s, however often', async (_what, reply) => {
		const wait = waitFor('a', { known: 'created' });
		for (let tries = 0; tries < 3; tries++)
			await checkWaits(serviceWith({ a: reply }).send, [wait]);
		expect(wait).toMatchObject({ checks: 6 });
		expect(openWaits([wait])).toHaveLength(1);
	});

	it('ends soon enough for a planned restart of n8n, and takes longer where that was too short', async () => {
		const limits: number[] = [];
		const wait = waitFor('a');
		const send = async ({ timeoutMilliseconds }: ServiceRequest): Promise<Reply> => {
			limits.push(timeoutMilliseconds);
			return Promise.resolve({ kind: 'noAnswer', code: 'ECONNABORTED' });
		};
		for (let time = 0; time < 3; time++) await checkWaits(send, [wait]);
		expect(limits).toEqual([20_000, 60_000, 20_000]);
		for (const reply of [RUNNING, answer(500), RUNNING])
			await checkWaits(
				async (request) => {
					limits.push(request.timeoutMilliseconds);
					return Promise.resolve(reply);
				},
				[wait],
			);
		expect(limits.slice(3)).toEqual([60_000, 20_000, 20_000]);
	});

	it('records when the service may be asked again', async () => {
		const [asking, waits] = [
			answer(503, {}, { 'retry-after': '600' }),
			[waitFor('b'), waitFor('a')],
		];
		const before = Date.now();
		await checkWaits(serviceWith({ a: asking, b: RUNNING }).send, waits);
		const [b, a] = waits.map(({ notBefore }) => notBefore);
		expect(b).toBeUndefined();
		expect(a).toBeGreaterThanOrEqual(before + 600_000);
		await checkWaits(serviceWith({ a: answer(503) }).send, waits);
		expect(waits[1]?.notBefore).toBeUndefined();
	});
});

describe("n8n's log", () => {
	const said = (before: Partial<Wait>, reply: Reply) => {
		LOG.warn.mockClear();
		return checkWaits(serviceWith({ a: reply }).send, [waitFor('a', before)]).then(() =>
			LOG.warn.mock.calls.map(([line]: string[]) => line),
		);
	};
	const held = answer(200, { status: 'On Hold' });
	const HELD =
		'Execution a (workflow w) has the status "On Hold": it goes on once a person acts in the service';

	it('has a line at the first check that finds that a person must act', async () => {
		expect(await said({}, held)).toEqual([HELD]);
		expect(await said({ known: 'created', status: 'On Hold' }, held)).toEqual([HELD]);
		expect(await said({ known: 'found', status: 'running' }, held)).toEqual([HELD]);
		expect(await said({ known: 'found', status: 'On Hold' }, held)).toEqual([]);
		expect(await said({ known: 'found', status: 'On Hold' }, RUNNING)).toEqual([]);
		expect(await said({ known: 'created', status: 'On Hold' }, answer(500))).toEqual([]);
	});

	it('has the link to the execution', async () => {
		const executionUrl = 'https://app.example.com/w/a';
		expect(await said({ executionUrl }, held)).toEqual([
			expect.stringContaining('Execution a (workflow w) at https://app.example.com/w/a has'),
		]);
	});

	it('has a line at the first doubtful reply, unless it ends the wait', async () => {
		const found = { known: 'found', status: 'running' } as const;
		expect(await said(found, answer(403))).toEqual([
			'Execution a (workflow w) could not be read, and is checked again: The credential has no access to workflow "w"',
		]);
		expect(await said({ ...found, doubtedSince: Date.now() }, answer(403))).toEqual([]);
		expect(await said(found, answer(500))).toEqual([]);
		expect(await said({}, answer(403))).toEqual([]);
	});
});

describe('A result that is read after a pause', () => {
	const pause = async () => Promise.resolve();
	const ended = (more: Partial<Wait> = {}) =>
		waitFor('a', { known: 'found', status: 'completed', endedAt: 5, ...more });
	const read = async (reply: Reply, wait = ended(), findings = new Findings()) => ({
		...(await readResult({ ...serviceWith({ a: reply }), pause }, LOG, wait, findings)),
		findings,
	});

	it('ends its wait', async () => {
		const { wait, check, findings } = await read(COMPLETED);
		expect(check.kind).toBe('finished');
		expect(wait).toMatchObject({ endedAt: 5 });
		expect(findings.isOver).toBe(false);
	});

	it('opens its wait again when it cannot be read; then no other is read in this run', async () => {
		const { wait, check, findings } = await read(answer(500));
		expect(check.kind).toBe('again');
		expect(wait).toMatchObject({ status: 'completed', endedAt: undefined });
		expect(findings.isOver).toBe(true);
		const { asked, send } = serviceWith({ a: COMPLETED });
		const next = await readResult({ send, pause }, LOG, ended(), findings);
		expect(next).toMatchObject({
			wait: { endedAt: undefined, checks: 3 },
			check: { kind: 'again' },
		});
		expect(asked).toEqual([]);
	});

	it('waits again when the execution runs again', async () => {
		const { wait, check, findings } = await read(RUNNING);
		expect(check.kind).toBe('again');
		expect(wait).toMatchObject({ endedAt: undefined, status: 'running' });
		expect(findings.isOver).toBe(false);
	});

	it('is asked for at the time limit, one after the other, until the service was silent for a minute', async () => {
		let now = 0;
		jest.spyOn(time, 'now').mockImplementation(() => now);
		const over = ended({ until: 0 });
		const findings = new Findings();
		const slow = async () => Promise.resolve(void (now += 20_000));
		const { send, asked } = serviceWith({ a: answer(500) });
		expect((await readResult({ send, pause: slow }, LOG, over, findings)).check.kind).toBe('over');
		expect(findings.isOver).toBe(true);
		expect(asked.length).toBeGreaterThan(1);
		const two = new Findings();
		two.failingSince = now - MINUTE;
		await read(answer(403), ended({ until: 0 }), two);
		expect(two.isOver).toBe(true);
		const quick = new Findings();
		expect((await read(answer(403), ended({ until: 0 }), quick)).check.kind).toBe('over');
		expect(quick).toMatchObject({ isOver: false, failingSince: now });
		await read(COMPLETED, ended(), quick);
		expect(quick.failingSince).toBe(Infinity);
		quick.failingSince = now - MINUTE;
		const other = answer(200, { status: 'completed', workflow_execution_id: 'b' });
		expect((await read(other, ended(), quick)).check.kind).toBe('lost');
		expect(quick).toMatchObject({ isOver: false, failingSince: Infinity });
	});
});
