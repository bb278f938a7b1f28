import { createExecution, getExecution } from '../../../service/executions';
import type { Reply, ServiceRequest } from '../../../service/http';

const answer = (status: number, body: unknown = {}, headers: Record<string, string> = {}): Reply => ({ kind: 'answer', status, headers, body });
const accepted = answer(200, { workflow_execution_id: 'ex', status: 'running' });

function scripted(...replies: Reply[]) {
	const requests: ServiceRequest[] = [];
	const pauses: number[] = [];
	return {
		requests,
		pauses,
		send: async (request: ServiceRequest) => {
			requests.push(request);
			const reply = replies.shift();
			if (reply === undefined) throw new Error('more requests than expected');
			return reply;
		},
		pause: async (milliseconds: number) => void pauses.push(milliseconds),
	};
}

describe('create', () => {
	it('posts the body to the executions of the workflow', async () => {
		const { send, pause, requests } = scripted(accepted);
		const body = { user_inputs: { a: '1' } };
		expect(await createExecution(send, pause, 'wf', body)).toEqual({
			ok: true,
			execution: { workflowId: 'wf', executionId: 'ex', status: 'running' },
		});
		expect(requests).toEqual([
			{ method: 'POST', path: '/api/v1/workflow-builder/workflows/wf/executions', body, timeoutMilliseconds: 300_000 },
		]);
	});

	it('sends again what was provably not accepted, with the same body, spaced as asked', async () => {
		const { send, pause, requests, pauses } = scripted(
			answer(429, {}, { 'retry-after': '3' }),
			answer(503, {}, { 'retry-after': '1' }),
			{ kind: 'noAnswer', code: 'ECONNREFUSED' },
			accepted,
		);
		expect((await createExecution(send, pause, 'wf', {})).ok).toBe(true);
		expect(pauses).toEqual([3000, 1000, 4000]);
		expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
	});

	it('gives up after five tries with what the service said last', async () => {
		const { send, pause } = scripted(...Array<Reply>(5).fill(answer(429)));
		const created = await createExecution(send, pause, 'wf', {});
		expect(created).toMatchObject({ ok: false, refusal: { outcome: 'refused', words: { message: expect.stringMatching(/too many/) } } });
	});

	it.each<[string, Reply]>([
		['a 500', answer(500)],
		['a connection that broke', { kind: 'noAnswer', code: 'ECONNRESET' }],
	])('is never sent again after %s, and says that its outcome is unknown', async (_, reply) => {
		const { send, pause, requests } = scripted(reply, accepted);
		expect(await createExecution(send, pause, 'wf', {})).toMatchObject({ ok: false, refusal: { outcome: 'unknown', reply } });
		expect(requests).toHaveLength(1);
	});

	it('is not known to have started when the answer gives no identifier, and shows what it gives', async () => {
		const { send, pause } = scripted(answer(200, { task: 7 }));
		expect(await createExecution(send, pause, 'wf', {})).toMatchObject({
			ok: false,
			refusal: { outcome: 'unknown', words: { message: expect.stringMatching(/no identifier of the execution; its fields are: task/) } },
		});
	});
});

describe('get', () => {
	it('looks at the execution under its workflow', async () => {
		const { send, requests } = scripted(answer(200, { status: 'running' }));
		expect(await getExecution(send, 'wf', 'ex')).toMatchObject({ ok: true, execution: { executionId: 'ex', phase: 'running' } });
		expect(requests[0]).toMatchObject({ method: 'GET', path: '/api/v1/workflow-builder/workflows/wf/executions/ex' });
	});

	it('says what is wrong when there is none', async () => {
		const { send } = scripted(answer(404, { detail: 'Execution not found' }));
		expect(await getExecution(send, 'wf', 'ex')).toMatchObject({
			ok: false,
			refusal: { words: { message: expect.stringMatching(/no execution "ex"/), advice: expect.stringMatching(/"Execution not found"/) } },
		});
	});

	it('does not take another answer for an execution', async () => {
		const { send } = scripted(answer(200, '<html>'));
		expect(await getExecution(send, 'wf', 'ex')).toMatchObject({ ok: false, refusal: { words: { message: expect.stringMatching(/text instead of JSON/) } } });
	});
});
