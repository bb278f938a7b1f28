import { time } from '../../../../nodes/DocumentWorkflow/connection/time';
import type { TriggerContext } from '../../../../nodes/DocumentWorkflow/trigger/handle';
import { handleEvent } from '../../../../nodes/DocumentWorkflow/trigger/handle';
import type { Reply } from '../../../../service/http';
import { DEFAULT_SETTINGS } from '../results/support';

const RUNS: Reply = { kind: 'answer', status: 200, headers: {}, body: { status: 'queued' } };
const BUSY = (seconds: string): Reply => ({
	kind: 'answer',
	status: 429,
	headers: { 'retry-after': seconds },
	body: {},
});

const PROGRESS = { workflowId: 'intake', executionId: 'e-1', phase: 'running' } as Parameters<
	typeof handleEvent
>[1];

/** A call of the trigger. The service gives these answers, and then a running execution. Pauses set the clock ahead. */
function callWith(replies: Reply[], isAuthenticated = true) {
	let now = 0;
	jest.spyOn(time, 'now').mockImplementation(() => now);
	/** The seconds after which each request was sent. */
	const requests: number[] = [];
	const send = async () => {
		requests.push(now / 1000);
		return Promise.resolve(replies.shift() ?? RUNS);
	};
	const pause = async (milliseconds: number) => Promise.resolve(void (now += milliseconds));
	const linkTo = (ids: object) => ({ ...ids, executionUrl: 'https://app.example.com/e-1' });
	const triggerContext = {
		context: { logger: { warn: jest.fn() } },
		connection: { send, pause, linkTo },
		phases: ['completed'],
		isAuthenticated,
	};
	return { triggerContext: triggerContext as unknown as TriggerContext, requests };
}
afterEach(() => void jest.restoreAllMocks());

describe('The check of a notified execution', () => {
	it('is repeated while the service is too busy, for up to 10 s', async () => {
		const { triggerContext, requests } = callWith([BUSY('1'), BUSY('4')]);
		expect(await handleEvent(triggerContext, PROGRESS)).toEqual({ kind: 'ignored' });
		expect(requests).toEqual([0, 1, 5]);
	});

	it('is given up when the service asks for a longer pause', async () => {
		const { triggerContext, requests } = callWith([BUSY('10')]);
		expect(await handleEvent(triggerContext, PROGRESS)).toEqual({ kind: 'later' });
		expect(requests).toEqual([0]);
	});
});

describe('A check that the service rejects', () => {
	const answer = (status: number, body: unknown = {}) =>
		({ kind: 'answer', status, headers: {}, body }) as Reply;

	it.each<[string, Reply]>([
		['as malformed', answer(400)],
		['because of the token', answer(401)],
		['because of the client', answer(403)],
		['as gone', answer(410)],
		['by the page of a gateway', answer(422, '<html>Not here</html>')],
		['with a fault', answer(500)],
		['by no answer', { kind: 'noAnswer', code: 'ECONNRESET' }],
	])('%s is made once, n8n logs why, and the service may call again', async (_how, reply) => {
		for (const isAuthenticated of [true, false]) {
			const { triggerContext, requests } = callWith([reply, reply], isAuthenticated);
			expect(await handleEvent(triggerContext, PROGRESS)).toEqual({ kind: 'later' });
			expect(requests).toHaveLength(1);
			expect(triggerContext.context.logger.warn).toHaveBeenCalledWith(
				expect.stringContaining(
					'Execution e-1 (workflow intake) at https://app.example.com/e-1 could not be read: ',
				),
			);
		}
	});

	it.each([
		['repeated for ten seconds', true, [0, 1, 3, 7]],
		['left to the next call, if anyone may call', false, [0]],
	])('as unknown is %s; the service may call again', async (_, isAuthenticated, times) => {
		const { triggerContext, requests } = callWith(
			Array<Reply>(9).fill(answer(404)),
			isAuthenticated,
		);
		expect(await handleEvent(triggerContext, PROGRESS)).toEqual({ kind: 'later' });
		expect(requests).toEqual(times);
	});
});

describe('An event', () => {
	it.each([
		['starts the workflow', 'running', 'completed', 'start'],
		['is ignored', 'completed', 'failed', 'ignored'],
		['is ignored as progress', 'running', 'running', 'ignored'],
		['is sent again later', 'completed', 'running', 'later'],
		['is sent again later where it gives no status,', undefined, 'running', 'later'],
	] as const)(
		'%s by the status of the API: a notification says %s, the API %s',
		async (_what, phase, status, kind) => {
			const body = { status, steps: [] };
			const { triggerContext } = callWith([{ kind: 'answer', status: 200, headers: {}, body }]);
			const context = { ...triggerContext, result: DEFAULT_SETTINGS };
			expect((await handleEvent(context, { ...PROGRESS, phase })).kind).toBe(kind);
		},
	);
});
