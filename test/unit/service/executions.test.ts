import type { JsonRecord } from '../../../service/contract';
import type { Documents } from '../../../service/errors';
import { createExecution, getExecution, getWithRetries } from '../../../service/executions';
import type { Reply, ServiceRequest } from '../../../service/http';

const answer = (
	status: number,
	body: unknown = {},
	headers: Record<string, string> = {},
): Reply => ({ kind: 'answer', status, headers, body });
const silence = (code: string): Reply => ({ kind: 'noAnswer', code });
const accepted = answer(200, { workflow_execution_id: 'ex', status: 'running' });

const UNKNOWN: Array<[string, Reply]> = [
	['a 500', answer(500)],
	['a connection that broke', silence('ECONNRESET')],
	['a redirect that may answer an accepted create', answer(303)],
];

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

const create = async (
	{ send, pause }: ReturnType<typeof scripted>,
	body: JsonRecord = {},
	documents: Documents = 'none',
) => createExecution(send, { pause, now: Date.now }, { workflowId: 'wf', body, documents });

describe('a create', () => {
	it('posts its body to the executions of the workflow', async () => {
		const service = scripted(accepted);
		const body = { user_inputs: { a: '1' } };
		expect(await create(service, body)).toEqual({
			outcome: 'accepted',
			execution: { workflowId: 'wf', executionId: 'ex', status: 'running' },
		});
		expect(service.requests).toEqual([
			{
				kind: 'create',
				path: '/api/v1/workflow-builder/workflows/wf/executions',
				body,
				timeoutMilliseconds: 300_000,
			},
		]);
	});

	it('is sent again, with the same body and the requested pauses, when it was certainly not accepted', async () => {
		const service = scripted(
			answer(429, {}, { 'retry-after': '3' }),
			answer(503, {}, { 'retry-after': '1' }),
			silence('ECONNREFUSED'),
			accepted,
		);
		expect(await create(service)).toMatchObject({ outcome: 'accepted' });
		expect(service.pauses).toEqual([3000, 1000, 4000]);
		expect(new Set(service.requests.map(({ body }) => body)).size).toBe(1);
	});

	it.each([
		['ten tries when the service is too busy', 10, answer(429), /too busy/],
		['five tries when it is not reached', 5, silence('ECONNREFUSED'), /Nothing answers/],
	])('ends after %s, with the last answer', async (_, tries, reply, message) => {
		const service = scripted(...Array<Reply>(tries).fill(reply));
		expect(await create(service)).toMatchObject({
			outcome: 'refused',
			refusal: { fault: { message: expect.stringMatching(message) } },
		});
		expect(service.requests).toHaveLength(tries);
	});

	it.each(UNKNOWN)(
		'is never sent again after %s, and says that its outcome is unknown',
		async (_, reply) => {
			const service = scripted(reply, accepted);
			expect(await create(service)).toMatchObject({
				outcome: 'unknown',
				refusal: { reply },
			});
			expect(service.requests).toHaveLength(1);
		},
	);

	it('has an unknown outcome when the answer has no identifier, and the message lists its fields', async () => {
		expect(await create(scripted(answer(200, { task: 7 })))).toMatchObject({
			outcome: 'unknown',
			refusal: {
				fault: {
					message: expect.stringMatching(/no identifier of the execution; its fields are: task/),
				},
			},
		});
	});
});

describe('a create whose answer breaks off', () => {
	const brokenOff = (received: string, secrets: string[] = []): Reply => ({
		kind: 'noAnswer',
		code: 'ECONNRESET',
		received,
		secrets,
	});
	const messageOf = async (reply: Reply) => {
		const service = scripted(reply, accepted);
		const created = await create(service);
		expect([created.outcome, service.requests.length]).toEqual(['unknown', 1]);
		return created.outcome === 'unknown' ? created.refusal.fault.message : '';
	};
	const broke = 'The connection to the service broke or timed out (ECONNRESET)';

	it.each([
		['', broke],
		[
			'{"workflow_execution_id": "ex"',
			`${broke}. Its answer begins: "{"workflow_execution_id": "ex""`,
		],
		['x'.repeat(400), `${broke}. Its answer begins: "${'x'.repeat(299)}…"`],
	])(
		'is never sent again, and its error shows how the answer begins: %j',
		async (text, message) => {
			expect(await messageOf(brokenOff(text))).toBe(message);
		},
	);

	it('shows no secret, also where the answer breaks off within one', async () => {
		const secret = 'secret-of-a-test';
		for (let length = 4; length <= secret.length; length++) {
			const received = `{"id": "ex", "said": "${secret} ${secret.slice(0, length)}`;
			const message = await messageOf(brokenOff(received, ['other', secret]));
			expect(message).toContain('"ex"');
			expect(message).not.toMatch(/secr(?!et\])|-of-/);
		}
	});
});

describe('a check', () => {
	const IDS = { workflowId: 'wf', executionId: 'ex' };

	it('requests the execution under its workflow', async () => {
		const { send, requests } = scripted(answer(200, { status: 'running' }));
		expect(await getExecution(send, IDS)).toMatchObject({
			ok: true,
			execution: { executionId: 'ex', phase: 'running' },
		});
		expect(requests[0]).toMatchObject({
			kind: 'check',
			path: '/api/v1/workflow-builder/workflows/wf/executions/ex',
		});
	});

	it('reports an execution that does not exist', async () => {
		const { send } = scripted(answer(404, { detail: 'Execution not found' }));
		expect(await getExecution(send, IDS)).toMatchObject({
			ok: false,
			refusal: {
				fault: {
					message: expect.stringMatching(/no execution "ex"/),
					advice: expect.stringMatching(/"Execution not found"/),
				},
			},
		});
	});

	it('reports an answer without a status, with its fields', async () => {
		const { send } = scripted(answer(200, { task: 7 }));
		expect(await getExecution(send, IDS)).toMatchObject({
			ok: false,
			refusal: {
				fault: { message: expect.stringMatching(/ has no status; its fields are: task/) },
			},
		});
	});

	it.each([
		['execution', { workflow_id: 'wf', execution_id: 'ex-2' }, '"ex-2" of workflow "wf"'],
		['workflow', { workflow_id: 'wf-2', execution_id: 'ex' }, '"ex" of workflow "wf-2"'],
	])('refuses the answer of another %s', async (_, ids, given) => {
		const reply = answer(200, { ...ids, status: 'completed' });
		expect(await getExecution(scripted(reply).send, IDS)).toEqual({
			ok: false,
			refusal: {
				fault: {
					message: `The service returned another execution: ${given}, and not "ex" of workflow "wf"`,
					advice: expect.stringMatching(/^Its data is not returned/),
				},
				reply,
				isAboutAnother: true,
			},
		});
	});

	it('takes the answer with the requested IDs in capital letters, or without white space around them', async () => {
		const reply = answer(200, { workflow_id: 'WF', execution_id: 'Ex', status: 'running' });
		for (const ids of [
			{ workflowId: 'wf', executionId: 'eX' },
			{ workflowId: ' wf ', executionId: 'ex\n' },
		])
			expect(await getExecution(scripted(reply).send, ids)).toMatchObject({
				ok: true,
				execution: { workflowId: 'WF', executionId: 'Ex' },
			});
	});

	it('is not repeated when the service has been silent for a minute', async () => {
		const { send, pause, requests } = scripted(silence('ECONNABORTED'));
		const now = () => requests.length * 59_999;
		const found = await getWithRetries({ send, pause, now }, IDS);
		expect([found.ok, requests.length]).toEqual([false, 1]);
	});
});
