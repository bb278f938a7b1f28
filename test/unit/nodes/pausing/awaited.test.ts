import type { StoredWait } from '../../../../nodes/DocumentWorkflow/pausing/awaited';
import {
	checkWaits as checkAll,
	openWaits,
	Reading,
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
const checkWaits = async (send: Send, waits: StoredWait[], reading = new Reading()) =>
	checkAll(send, LOG, waits, reading);

const waitFor = (executionId: string, more: Partial<StoredWait> = {}): StoredWait => ({
	workflowId: 'w',
	executionId,
	since: Date.now(),
	until: Date.now() + 24 * HOUR,
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
			const [begin, wait, reading] = [now, waitFor('a', { known: 'found' }), new Reading()];
			const { send } = serviceWith({ a: reply });
			for (; openWaits([wait]).length > 0; now += MINUTE) await checkWaits(send, [wait], reading);
			expect(Number(wait.endedAt) - begin).toBe(minutes * MINUTE);
			expect([...reading.shown.values()]).toMatchObject([{ kind: 'lost', refusal: { reply } }]);
		},
	);

	it('keeps what it has read of waits that have ended', async () => {
		const reading = new Reading();
		const waits = [waitFor('a'), waitFor('b')];
		await checkWaits(serviceWith({ a: COMPLETED, b: RUNNING }).send, waits, reading);
		expect([...reading.shown]).toMatchObject([
			['["w","a"]', { kind: 'finished', execution: { executionId: 'a' } }],
		]);
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
	});

	it('returns when the service may be asked again', async () => {
		const before = Date.now();
		const { send } = serviceWith({ a: answer(503, {}, { 'retry-after': '600' }), b: RUNNING });
		expect(await checkWaits(send, [waitFor('b')])).toBe(0);
		expect(await checkWaits(serviceWith({ a: answer(503) }).send, [waitFor('a')])).toBe(0);
		expect(await checkWaits(send, [waitFor('b'), waitFor('a')])).toBeGreaterThanOrEqual(
			before + 600_000,
		);
	});
});
