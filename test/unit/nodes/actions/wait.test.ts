import type { Result, Session } from '../../../../nodes/DocumentWorkflow/actions/operation';
import { Journal } from '../../../../nodes/DocumentWorkflow/actions/journal';
import type { WaitOptions } from '../../../../nodes/DocumentWorkflow/actions/fields/waiting';
import { readWaitSettings } from '../../../../nodes/DocumentWorkflow/actions/fields/waiting';
import { waitFor } from '../../../../nodes/DocumentWorkflow/actions/wait';
import { CREATE_FIELDS } from '../../../../service/contract';
import type { Reply } from '../../../../service/http';
import { Lane } from '../../../../service/pace';
import { contextOf, errorWith, node } from '../../support/context';

const started = { workflowId: 'w', executionId: 'e-1', status: 'running' };

/** A run in which each check gets the same answer. */
function sessionWith(body: object, parameters: Record<string, unknown> = {}): Session {
	const send = () => Promise.resolve({ kind: 'answer', status: 200, headers: {}, body } as const);
	return {
		context: contextOf({ parameters }),
		journal: new Journal(
			contextOf({
				getContext: () => ({}),
				getExecutionId: () => '1',
				evaluateExpression: () => 0,
				getInputData: () => [],
			}),
		),
		inputs: [],
		resumedUntil: undefined,
		connection: {
			createSettings: { names: CREATE_FIELDS, executionIdField: '', fileAccess: {} },
			send,
			sealer: { clientId: '', clientSecret: '' },
			fetching: new Lane(1),
			isLocal: false,
			pause: async (milliseconds) => {
				if (milliseconds > 0) await jest.advanceTimersByTimeAsync(milliseconds);
			},
		},
	};
}

type Wanted = Parameters<typeof waitFor>[1];

/** Waits, by default for an execution that was created just now. */
async function wait(
	session: Session,
	options: Partial<WaitOptions> = {},
	given: Partial<Wanted> = {},
) {
	const { wait: read, result } = readWaitSettings({ context: session.context, itemIndex: 0 });
	return waitFor(session, {
		itemIndexes: [0],
		execution: started,
		wait: { ...read, ...options },
		result,
		resumesHere: true,
		isFresh: true,
		beside: { documents: [] },
		...given,
	});
}

describe('a wait that ends', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	const after = (seconds: number): Partial<WaitOptions> => ({
		plan: {
			firstMilliseconds: 5000,
			longestMilliseconds: 30_000,
			timeoutMilliseconds: seconds * 1000,
		},
	});

	it.each([
		[45, '45 seconds'],
		[60, '1 minute'],
		[5400, '90 minutes'],
		[100, '1.7 minutes'],
	])('reports after %d s that %s have passed', async (seconds, words) => {
		expect(await wait(sessionWith({ status: 'queued' }), after(seconds))).toMatchObject({
			ok: false,
			error: { message: `Execution e-1 has not ended after ${words}; its status is "queued"` },
			json: { workflowId: 'w', executionId: 'e-1', status: 'queued', documents: [] },
		});
	});

	it('takes fewer checks when the run has several items', async () => {
		const alone = await wait({ ...sessionWith({}), inputs: [{ json: {} }] }, after(200));
		const several = await wait(
			{ ...sessionWith({}), inputs: [{ json: {} }, { json: {} }] },
			after(200),
		);
		expect(alone).toMatchObject({ ok: false, json: { checks: expect.any(Number) } });
		expect(several).toMatchObject({ ok: false, json: { checks: expect.any(Number) } });
		const checksOf = (result: Result) => (result.ok ? 0 : Number(result.json.checks));
		expect(checksOf(several)).toBeLessThan(checksOf(alone));
	});

	it('reports an unknown status when no check of an earlier execution succeeded', async () => {
		const result = await wait(sessionWith({}), after(45), { isFresh: false, beside: {} });
		expect(result).toMatchObject({
			ok: false,
			error: {
				message: expect.stringMatching(/its status is not known, because no look at it succeeded$/),
			},
			json: { status: 'unknown' },
		});
	});

	it.each([
		['the last known status', ['queued'], false, 'queued'],
		['an unknown status without a successful check', [], false, 'unknown'],
		['the status running when it was created just now', [], true, 'running'],
	])('reports after a final error %s', async (_what, seen, isFresh, status) => {
		const { connection, ...session } = sessionWith({});
		const replies: Reply[] = [
			...seen.map(
				(each) => ({ kind: 'answer', status: 200, headers: {}, body: { status: each } }) as const,
			),
			{ kind: 'answer', status: 403, headers: {}, body: {} },
		];
		const send = async () => replies.shift() ?? ({ kind: 'noAnswer', code: '' } as const);
		const refused = { ...session, connection: { ...connection, send } };
		const result = await wait(refused, {}, { isFresh, beside: {} });
		expect(result).toMatchObject({
			ok: false,
			error: { message: 'This client may not use workflow "w"' },
			json: { workflowId: 'w', executionId: 'e-1', status, checks: seen.length + 1 },
		});
	});

	it('continues with what is known when the panel says so', async () => {
		expect(
			await wait(sessionWith({ status: 'queued' }), { ...after(45), ifTimedOut: 'continue' }),
		).toMatchObject({
			ok: true,
			items: [
				{
					json: {
						executionId: 'e-1',
						status: 'queued',
						timedOut: true,
						documents: [],
						message: expect.stringContaining('45 seconds'),
						advice: expect.stringContaining("'Timeout (Minutes)'"),
					},
				},
			],
		});
	});

	it.each([
		[{ status: 'failed', error: 'The file is damaged' }, 'The service said: "The file is damaged"'],
		[{ status: 'failed' }, 'The service gives no reason. Look at the execution in its dashboard'],
	])('reports why an execution has failed, even if it continues: %j', async (body, description) => {
		expect(await wait(sessionWith(body), { ifFailed: 'continue' })).toMatchObject({
			ok: true,
			items: [
				{ json: { executionId: 'e-1', status: 'failed', documents: [], advice: description } },
			],
		});
		expect(await wait(sessionWith(body))).toMatchObject({
			ok: false,
			error: { message: 'Execution e-1 ended with status "failed"', description },
			json: { executionId: 'e-1', documents: [] },
		});
	});
});

describe('a wait that pauses until it is notified', () => {
	const paused = (isFresh: boolean, body: object, resumedUntil?: number) => {
		const session = {
			...sessionWith(body, { howToWait: 'pause', 'options.timeLimitHours': 2 }),
			resumedUntil,
		};
		const checks = jest.spyOn(session.connection, 'send');
		return { result: wait(session, {}, { isFresh }), checks };
	};

	it('requests a pause up to its time limit, and does not check what was created just now', async () => {
		const begin = Date.now();
		const { result, checks } = paused(true, { status: 'completed' });
		expect(await result).toMatchObject({
			ok: true,
			items: [{ json: { executionId: 'e-1', status: 'running', documents: [] } }],
			awaits: { execution: started },
		});
		const { awaits } = (await result) as { awaits?: { until: number } };
		expect(Math.round((Number(awaits?.until) - begin) / 1000)).toBe(7_200);
		expect(checks).not.toHaveBeenCalled();
	});

	it.each([
		['an execution of before', false, undefined],
		['one that it goes on with after a pause', true, Date.now() + 3_600_000],
	])(
		'checks %s once, and needs no pause when it has ended',
		async (_what, isFresh, resumedUntil) => {
			const { result, checks } = paused(isFresh, { status: 'completed', steps: [] }, resumedUntil);
			expect(await result).toMatchObject({ ok: true, items: [{ json: { status: 'completed' } }] });
			expect(await result).not.toHaveProperty('awaits');
			expect(checks).toHaveBeenCalledTimes(1);
		},
	);

	it('polls up to the same limit when no notification can resume this n8n execution, and then continues', async () => {
		jest.useFakeTimers();
		const begin = Date.now();
		const session = sessionWith(
			{ status: 'queued' },
			{ howToWait: 'pause', 'options.timeLimitHours': 2 },
		);
		const result = await wait(session, {}, { resumesHere: false });
		expect(Date.now() - begin).toBe(7_200_000);
		jest.useRealTimers();
		expect(result).toMatchObject({
			ok: true,
			items: [
				{
					json: {
						executionId: 'e-1',
						status: 'queued',
						timedOut: true,
						documents: [],
						advice: expect.stringContaining("'Time Limit (Hours)'"),
					},
				},
			],
		});
		expect(result).not.toHaveProperty('awaits');
	});

	it('outputs the status from its check when it keeps pausing', async () => {
		const { result, checks } = paused(false, { status: 'queued' });
		expect(await result).toMatchObject({
			items: [{ json: { status: 'queued' } }],
			awaits: { execution: { status: 'queued' } },
		});
		expect(checks).toHaveBeenCalledTimes(1);
	});

	describe('after it was resumed', () => {
		const HOUR = 3_600_000;
		beforeEach(() => jest.useFakeTimers());
		afterEach(() => jest.useRealTimers());

		/** After the pause the service is unavailable for some minutes. */
		const resumed = (minutes: number) => {
			const session = {
				...sessionWith({}, { howToWait: 'pause' }),
				resumedUntil: Date.now() + HOUR,
			};
			const openAt = Date.now() + minutes * 60_000;
			session.connection.send = async () =>
				Promise.resolve(
					Date.now() < openAt
						? ({ kind: 'answer', status: 503, headers: {}, body: '' } as const)
						: ({
								kind: 'answer',
								status: 200,
								headers: {},
								body: { status: 'completed', steps: [] },
							} as const),
				);
			return wait(session);
		};

		it('polls until the execution has ended, because nothing resumes it again', async () => {
			const result = await resumed(20);
			expect(result).toMatchObject({
				ok: true,
				items: [{ json: { executionId: 'e-1', status: 'completed' } }],
			});
			expect(result).not.toHaveProperty('awaits');
		});

		it('pauses again when the time limit is reached first', async () => {
			const begin = Date.now();
			expect(await resumed(90)).toMatchObject({
				ok: true,
				items: [{ json: { executionId: 'e-1', status: 'running' } }],
				awaits: { execution: started },
			});
			expect(Date.now() - begin).toBeGreaterThanOrEqual(HOUR);
			expect(Date.now() - begin).toBeLessThan(HOUR + 120_000);
		});
	});

	it('fails in the tool of an AI agent, which cannot pause', () => {
		const context = contextOf({
			parameters: { howToWait: 'pause' },
			getNode: () => ({ ...node, type: 'n8n-nodes-document-workflow.documentWorkflowTool' }),
		});
		expect(() => readWaitSettings({ context, itemIndex: 0 })).toThrow(
			errorWith({
				message: 'The tool of an AI agent cannot pause until it is notified',
				itemIndex: 0,
			}),
		);
	});
});
