import { EventEmitter } from 'node:events';
import type { IRunExecutionData, IWebhookFunctions } from 'n8n-workflow';

import { PAUSE } from '../../../../nodes/DocumentWorkflow/pausing/pause';
import type { StoredWait } from '../../../../nodes/DocumentWorkflow/pausing/awaited';
import type { StoredJob } from '../../../../nodes/DocumentWorkflow/pausing/pause';
import { resume } from '../../../../nodes/DocumentWorkflow/pausing/resume';
import { node } from '../../support/context';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** What n8n passes on in place of the output of the action. */
const NO_ITEMS = [[]];
let executions = 0;

/** A paused n8n execution that waits for some executions, each with the answer to a check. Checks are recorded. */
function paused(
	answers: Record<string, () => { status: number; body: object }>,
	notified?: string,
) {
	const checks: string[] = [];
	const refused: Array<{ status: number; body: unknown }> = [];
	const since = Date.now();
	const waitFor = (executionId: string, workflowId = 'intake'): StoredWait => ({
		...{ workflowId, executionId, since, until: since + 24 * HOUR },
		longestMilliseconds: HOUR,
		checks: 1,
	});
	const jobs = Object.keys(answers).map((executionId, index): StoredJob => ({
		key: String(index),
		itemIndexes: [index],
		wait: waitFor(executionId),
	}));
	const kept = {
		...{ execution: String(++executions), runIndex: '0', source: null, isBeingStored: false },
		checkAt: since + HOUR,
		jobs,
	};
	const stored = {
		executionData: {
			contextData: { [`node:${node.name}`]: { [PAUSE]: kept } },
			nodeExecutionStack: [
				{
					node,
					data: { main: [null] },
					source: null,
				},
			],
		},
		resultData: { runData: {} },
	} as unknown as IRunExecutionData;
	const response = Object.assign(new EventEmitter(), {
		statusCode: 200,
		status: (status: number) => ({ json: (body: unknown) => refused.push({ status, body }) }),
	});
	/** n8n answers the call, unless the caller is gone. */
	const answer = (status: number, isHeard = true) => {
		response.statusCode = status;
		if (isHeard) response.emit('finish');
		response.emit('close');
	};
	const httpRequestWithAuthentication = async (
		_type: string,
		{ url, tokenUse }: { url: string; tokenUse: { used?: string } },
	) => {
		tokenUse.used = 'token';
		const id = decodeURIComponent(url.split('/').at(-1) ?? '');
		checks.push(id);
		const { status = 404, body = {} } = answers[id]?.() ?? {};
		return Promise.resolve({ statusCode: status, headers: {}, body });
	};
	const context = {
		// n8n loads it again for each call.
		get runExecutionData() {
			return structuredClone(stored);
		},
		getNode: () => node,
		getBodyData: () =>
			notified === undefined ? {} : { workflowId: 'intake', executionId: notified },
		getCredentials: async () =>
			Promise.resolve({
				environment: 'production',
				productionUrl: 'https://api.example.com',
				clientId: 'c',
				clientSecret: 's',
			}),
		getResponseObject: () => response,
		helpers: { httpRequestWithAuthentication },
		logger: { warn: jest.fn() },
	} as unknown as IWebhookFunctions & { runExecutionData: IRunExecutionData | null };
	return { context, kept, waitFor, checks, refused, answer };
}

const withStatus = (status: string) => () => ({ status: 200, body: { status } });
const answers =
	(status: number, body: object = {}) =>
	() => ({ status, body });

describe('A paused n8n execution that is notified', () => {
	it('runs the node again, with nothing for the nodes behind it', async () => {
		const { context, refused } = paused({
			first: withStatus('completed'),
			second: withStatus('failed'),
		});
		expect(await resume(context)).toEqual({
			workflowData: NO_ITEMS,
			webhookResponse: { waiting: false },
		});
		expect(refused).toEqual([]);
	});

	it('keeps waiting while one of its executions is running', async () => {
		const { context } = paused({
			first: withStatus('completed'),
			second: withStatus('queued'),
		});
		expect(await resume(context)).toEqual({ webhookResponse: { waiting: true } });
	});

	it('checks the notified execution first, stops at the first that is running, and never checks an ended one again', async () => {
		const running = Object.fromEntries(
			Array.from({ length: 50 }, (_, number) => [`running-${number}`, withStatus('running')]),
		);
		const { context, checks } = paused(
			{ ...running, notified: withStatus('completed') },
			'notified',
		);
		await resume(context);
		expect(checks).toHaveLength(2);
		expect(checks[0]).toBe('notified');
		await resume(context);
		expect(checks).toHaveLength(3);
		expect(checks.filter((id) => id === 'notified')).toHaveLength(1);
	});

	it('resumes once for simultaneous notifications', async () => {
		const { context } = paused({ first: withStatus('completed') });
		const outcomes = await Promise.all(Array.from({ length: 5 }, async () => resume(context)));
		expect(outcomes.filter(({ workflowData }) => workflowData !== undefined)).toHaveLength(1);
	});

	it('does not resume again once n8n has accepted it, however long n8n queues it', async () => {
		const { context, answer } = paused({ first: withStatus('completed') });
		await resume(context);
		answer(200);
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + HOUR / 2);
		try {
			expect(await resume(context)).toEqual({ webhookResponse: { waiting: false } });
		} finally {
			now.mockRestore();
		}
	});

	it('can resume again when n8n could not accept it', async () => {
		const { context, answer } = paused({ first: withStatus('completed') });
		await resume(context);
		answer(500);
		expect(await resume(context)).toMatchObject({ workflowData: NO_ITEMS });
	});

	it('can resume again after some minutes when the caller was gone before n8n answered', async () => {
		const { context, answer } = paused({ first: withStatus('completed') });
		await resume(context);
		answer(500, false);
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 4 * MINUTE);
		try {
			expect(await resume(context)).toEqual({ webhookResponse: { waiting: false } });
			now.mockReturnValue(Date.now() + 2 * MINUTE);
			expect(await resume(context)).toMatchObject({ workflowData: NO_ITEMS });
		} finally {
			now.mockRestore();
		}
	});

	it('does not confuse executions with the same ID in different workflows', async () => {
		const statuses = ['completed', 'running', 'running'];
		const { context, kept, waitFor, checks } = paused(
			{ '5': () => ({ status: 200, body: { status: statuses.shift() } }) },
			'5',
		);
		kept.jobs.push({ key: '1', itemIndexes: [1], wait: waitFor('5', 'other') });
		expect(await resume(context)).toEqual({ webhookResponse: { waiting: true } });
		expect(await resume(context)).toEqual({ webhookResponse: { waiting: true } });
		expect(checks).toHaveLength(3);
	});

	it('begins with a random one of those that were not notified', async () => {
		const random = jest.spyOn(Math, 'random').mockReturnValue(0.5);
		try {
			const four = Object.fromEntries(
				['a', 'b', 'c', 'd'].map((id) => [id, withStatus('completed')]),
			);
			const { context, checks } = paused(four, 'b');
			await resume(context);
			expect(checks).toEqual(['b', 'c', 'd', 'a']);
		} finally {
			random.mockRestore();
		}
	});

	it('does not check again what the node has seen to have ended', async () => {
		const { context, kept, checks } = paused({
			ended: withStatus('completed'),
			other: withStatus('completed'),
		});
		if (kept.jobs[0]?.wait) kept.jobs[0].wait.endedAt = Date.now();
		expect(await resume(context)).toMatchObject({ workflowData: NO_ITEMS });
		expect(checks).toEqual(['other']);
	});

	it.each([
		['76 s before its next check', 76_000, true],
		['74 s before its next check', 74_000, false],
		['after the time of its next check', -1_000, false],
	])('%s (%s ms) resumes: %s', async (_when, left, resumes) => {
		const { context, refused, checks } = paused({ first: withStatus('completed') });
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + HOUR - left);
		try {
			expect(await resume(context)).toEqual(
				resumes
					? { workflowData: NO_ITEMS, webhookResponse: { waiting: false } }
					: { webhookResponse: { waiting: true } },
			);
		} finally {
			now.mockRestore();
		}
		expect(refused).toEqual([]);
		expect(checks).toHaveLength(resumes ? 1 : 0);
	});

	it.each([
		['is too busy', answers(429)],
		['has a fault', answers(500)],
		['answers without an execution', answers(200, { hello: 'world' })],
		[
			'cannot be reached',
			() => {
				throw new Error('connect ECONNREFUSED');
			},
		],
	])('asks for another notification when the service %s', async (_what, answer) => {
		const { context, refused } = paused({ first: answer });
		expect(await resume(context)).toEqual({ noWebhookResponse: true });
		expect(refused).toEqual([{ status: 503, body: { message: expect.any(String) } }]);
	});

	it('asks for another notification when its credential cannot be read, and says why only in the log', async () => {
		const { context, refused } = paused({ first: withStatus('completed') });
		const broken = {
			...context,
			getCredentials: async () => Promise.reject(new Error('no such credential')),
		} as IWebhookFunctions;
		await resume(broken);
		expect(refused).toEqual([
			{ status: 503, body: { message: 'The service cannot be reached at the moment' } },
		]);
		expect(broken.logger.warn).toHaveBeenCalledWith(expect.stringContaining('no such credential'));
	});

	it.each([404, 403, 401])(
		'leaves an execution that the service refuses (%d) to the next check of the node',
		async (status) => {
			expect(await resume(paused({ first: answers(status) }).context)).toEqual({
				webhookResponse: { waiting: true },
			});
		},
	);

	it('asks for another notification when the service does not know the notified execution, as the trigger did a moment before', async () => {
		const { context, refused } = paused({ first: answers(404) }, 'first');
		expect(await resume(context)).toEqual({ noWebhookResponse: true });
		expect(refused).toEqual([
			{ status: 503, body: { message: 'The service cannot be reached at the moment' } },
		]);
	});

	it.each([
		['n8n passes no run data', (): IRunExecutionData | null => null],
		[
			'it pauses in a node of another kind',
			() =>
				({
					executionData: {
						contextData: {},
						nodeExecutionStack: [{ node, data: { main: [[]] }, source: null }],
					},
				}) as unknown as IRunExecutionData,
		],
	])('answers 409 when %s', async (_what, data) => {
		const { context, refused, checks } = paused({ first: withStatus('completed') });
		expect(await resume({ ...context, runExecutionData: data() } as IWebhookFunctions)).toEqual({
			noWebhookResponse: true,
		});
		expect(refused).toEqual([
			{
				status: 409,
				body: { message: 'This n8n execution does not wait for the document service' },
			},
		]);
		expect(checks).toEqual([]);
	});

	it('answers 409 when another node of the n8n execution waits', async () => {
		const { context, refused, checks } = paused({ first: withStatus('completed') });
		const other = { ...context, getNode: () => ({ ...node, name: 'Wait' }) } as IWebhookFunctions;
		const stored = structuredClone(context.runExecutionData);
		const data = stored?.executionData?.contextData ?? {};
		data['node:Wait'] = data[`node:${node.name}`] ?? {};
		await resume(Object.assign(other, { runExecutionData: stored }));
		expect(refused).toMatchObject([{ status: 409 }]);
		expect(checks).toEqual([]);
	});

	it('leaves an execution to the next check when the notification was about the same ID in another workflow', async () => {
		const { context } = paused({ first: answers(404) }, 'first');
		const body = { workflowId: 'claims', executionId: 'first' };
		const other = Object.assign(context, { getBodyData: () => body });
		expect(await resume(other)).toEqual({ webhookResponse: { waiting: true } });
	});
});
