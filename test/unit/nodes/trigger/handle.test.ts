import type { Desk } from '../../../../nodes/DocumentWorkflow/trigger/handle';
import { handleEvent } from '../../../../nodes/DocumentWorkflow/trigger/handle';
import type { Reply, ServiceRequest } from '../../../../service/http';

const RUNS: Reply = { kind: 'answer', status: 200, headers: {}, body: { status: 'queued' } };
const BUSY = (seconds: string): Reply => ({
	kind: 'answer',
	status: 429,
	headers: { 'retry-after': seconds },
	body: {},
});

const NEWS = { workflowId: 'intake', executionId: 'e-1', phase: 'running' } as Parameters<
	typeof handleEvent
>[1];

/** The desk of a call; the service gives these answers, and then says that the execution runs. */
function deskWith(...replies: Reply[]) {
	const requests: ServiceRequest[] = [];
	const sendLook = async (request: ServiceRequest) => {
		requests.push(request);
		return Promise.resolve(replies.shift() ?? RUNS);
	};
	const desk = {
		context: { logger: { warn: jest.fn() } },
		connection: { sendLook, pause: async () => Promise.resolve() },
		choice: { wake: 'off', events: ['completed'], onlyWorkflows: [] },
		isTooBusy: false,
	};
	return { desk: desk as unknown as Desk, requests };
}

describe('the look at an execution that was notified of', () => {
	const secondsFrom = (begin: number, requests: ServiceRequest[]) =>
		requests.map(({ notAfter }) => Math.round((Number(notAfter) - begin) / 1000));

	it('has a minute for its turn to come, counted from its own beginning, so that a long list of events comes to its end', async () => {
		const { desk, requests } = deskWith();
		const begin = Date.now();
		const now = jest.spyOn(Date, 'now').mockReturnValue(begin);
		await handleEvent(desk, NEWS);
		now.mockReturnValue(begin + 300_000);
		expect(await handleEvent(desk, NEWS)).toEqual({ kind: 'done', as: 'ignored' });
		now.mockRestore();
		expect(secondsFrom(begin, requests)).toEqual([60, 360]);
	});

	it('is repeated for up to 20 s from then on where the service is too busy', async () => {
		const { desk, requests } = deskWith(BUSY('1'), BUSY('1'));
		const begin = Date.now();
		expect(await handleEvent(desk, NEWS)).toEqual({ kind: 'done', as: 'ignored' });
		expect(secondsFrom(begin, requests)).toEqual([60, 20, 20]);
	});

	it('and the looks at all others are given up where the service asks for longer', async () => {
		const { desk, requests } = deskWith(BUSY('60'));
		expect(await handleEvent(desk, NEWS)).toEqual({ kind: 'later' });
		expect(await handleEvent(desk, NEWS)).toEqual({ kind: 'later' });
		expect(requests).toHaveLength(1);
	});
});
