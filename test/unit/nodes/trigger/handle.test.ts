import type { TriggerContext } from '../../../../nodes/DocumentWorkflow/trigger/handle';
import { handleEvent } from '../../../../nodes/DocumentWorkflow/trigger/handle';
import type { Reply } from '../../../../service/http';
import { NOT_SENT_IN_TIME, type ServiceRequest } from '../../../../service/http';

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

/** A call of the trigger. The service gives these answers, and then a running execution. */
function callWith(...replies: Reply[]) {
	/** Until when each could be sent. */
	const requests: number[] = [];
	const send = async ({ notAfter = () => Infinity }: ServiceRequest) => {
		if (notAfter() < Date.now()) return Promise.resolve(NOT_SENT_IN_TIME);
		requests.push(notAfter());
		return Promise.resolve(replies.shift() ?? RUNS);
	};
	const triggerContext = {
		context: { logger: { warn: jest.fn() } },
		connection: { send, pause: async () => Promise.resolve() },
		choice: { events: ['completed'], onlyWorkflows: [] },
	};
	return { triggerContext: triggerContext as unknown as TriggerContext, requests };
}

describe('The check of a notified execution', () => {
	const secondsFrom = (begin: number, requests: number[]) =>
		requests.map((notAfter) => Math.round((notAfter - begin) / 1000));

	it('may wait a minute for its turn, counted from its own start, so that a long list of events is processed', async () => {
		const { triggerContext, requests } = callWith();
		const begin = Date.now();
		const now = jest.spyOn(Date, 'now').mockReturnValue(begin);
		await handleEvent(triggerContext, PROGRESS);
		now.mockReturnValue(begin + 300_000);
		expect(await handleEvent(triggerContext, PROGRESS)).toEqual({
			kind: 'ignored',
			stated: PROGRESS,
		});
		now.mockRestore();
		expect(secondsFrom(begin, requests)).toEqual([60, 360]);
	});

	it('is repeated for up to 20 s while the service is too busy', async () => {
		const { triggerContext, requests } = callWith(BUSY('1'), BUSY('1'));
		const begin = Date.now();
		expect(await handleEvent(triggerContext, PROGRESS)).toEqual({
			kind: 'ignored',
			stated: PROGRESS,
		});
		expect(secondsFrom(begin, requests)).toEqual([60, 20, 20]);
	});

	it('is given up, with all later ones, when the service asks for a longer pause', async () => {
		const { triggerContext, requests } = callWith(BUSY('60'));
		expect(await handleEvent(triggerContext, PROGRESS)).toEqual({ kind: 'later' });
		expect(await handleEvent(triggerContext, PROGRESS)).toEqual({ kind: 'later' });
		expect(requests).toHaveLength(1);
	});
});

describe('A check that the service rejects', () => {
	it.each<[string, Reply, object]>([
		['for good', { kind: 'answer', status: 422, headers: {}, body: {} }, { kind: 'never' }],
		['as malformed', { kind: 'answer', status: 400, headers: {}, body: {} }, { kind: 'never' }],
		[
			'because of the token',
			{ kind: 'answer', status: 401, headers: {}, body: {} },
			{ kind: 'later' },
		],
		[
			'because of the client',
			{ kind: 'answer', status: 403, headers: {}, body: {} },
			{ kind: 'later' },
		],
		['with a fault', { kind: 'answer', status: 500, headers: {}, body: {} }, { kind: 'later' }],
		['by no answer', { kind: 'noAnswer', code: 'ECONNRESET' }, { kind: 'later' }],
	])('%s is made once, and n8n logs why', async (_how, reply, expected) => {
		const { triggerContext, requests } = callWith(reply, reply);
		expect(await handleEvent(triggerContext, PROGRESS)).toEqual(expected);
		expect(requests).toHaveLength(1);
		expect(triggerContext.context.logger.warn).toHaveBeenCalledWith(
			expect.stringContaining('Execution e-1 of workflow intake could not be read: '),
		);
	});
});

describe('The check of an execution that the API does not know', () => {
	const UNKNOWN: Reply = { kind: 'answer', status: 404, headers: {}, body: {} };
	/** Pauses set the clock ahead. */
	const callPausing = (...replies: Reply[]) => {
		const given = callWith(...replies);
		let now = Date.now();
		jest.spyOn(Date, 'now').mockImplementation(() => now);
		const pause = async (milliseconds: number) => Promise.resolve(void (now += milliseconds));
		Object.assign(given.triggerContext.connection ?? {}, { pause });
		return given;
	};
	afterEach(() => void jest.restoreAllMocks());

	it('is repeated for eight seconds, and then the service need not call again', async () => {
		const { triggerContext, requests } = callPausing(...Array<Reply>(9).fill(UNKNOWN));
		expect(await handleEvent(triggerContext, PROGRESS)).toEqual({ kind: 'never' });
		expect(requests).toHaveLength(4);
	});

	it('is repeated for eight seconds in all, however many events a call has', async () => {
		const { triggerContext, requests } = callPausing(...Array<Reply>(90).fill(UNKNOWN));
		for (let event = 0; event < 20; event++) await handleEvent(triggerContext, PROGRESS);
		expect(requests).toHaveLength(4 + 19);
	});
});
