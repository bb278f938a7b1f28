import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { INodeExecutionData, IRunExecutionData, IWebhookFunctions } from 'n8n-workflow';

import { INPUT, PAUSE } from '../../../../nodes/DocumentWorkflow/pausing/pause';
import { resume } from '../../../../nodes/DocumentWorkflow/pausing/resume';
import { node } from '../../support/context';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ORIGINAL: INodeExecutionData[] = [{ json: { file: 'a' } }, { json: { file: 'b' } }];

/** A paused n8n execution that waits for some executions, each with the answer to a check. Checks are recorded. */
function paused(
	answers: Record<string, () => { status: number; body: object }>,
	notified?: string,
) {
	const checks: string[] = [];
	const refused: Array<{ status: number; body: unknown }> = [];
	const awaited = Object.keys(answers).map((executionId) => ({
		workflowId: 'intake',
		executionId,
	}));
	const kept = {
		id: randomUUID(),
		execution: '17',
		runIndex: '0',
		until: Date.now() + HOUR,
		awaited,
	};
	const stored = {
		executionData: {
			contextData: { [`node:${node.name}`]: { [PAUSE]: kept } },
			nodeExecutionStack: [
				{
					node: { ...node, disabled: true },
					data: { main: [[{ json: { status: 'running' } }]], [INPUT]: [ORIGINAL] },
					source: null,
				},
			],
		},
		resultData: { runData: {} },
	} as unknown as IRunExecutionData;
	let loaded = stored;
	/** The node as the last call has left it. */
	const stacked = () => loaded.executionData?.nodeExecutionStack[0]?.node;
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
			return (loaded = structuredClone(stored));
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
	const data = () => loaded.executionData?.nodeExecutionStack[0]?.data;
	return { context, kept, checks, refused, stacked, data, answer };
}

const withStatus = (status: string) => () => ({ status: 200, body: { status } });
const answers =
	(status: number, body: object = {}) =>
	() => ({ status, body });

describe('A paused n8n execution that is notified', () => {
	it('resumes with the input of the node and runs the node again', async () => {
		const { context, stacked, refused } = paused({
			first: withStatus('completed'),
			second: withStatus('failed'),
		});
		expect(await resume(context)).toEqual({
			workflowData: [ORIGINAL],
			webhookResponse: { waiting: false },
		});
		expect(stacked()?.disabled).toBe(false);
		expect(refused).toEqual([]);
	});

	it('keeps waiting while one of its executions is running', async () => {
		const { context, stacked } = paused({
			first: withStatus('completed'),
			second: withStatus('queued'),
		});
		expect(await resume(context)).toEqual({ webhookResponse: { waiting: true } });
		expect(stacked()?.disabled).toBe(true);
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
		expect(await resume(context)).toMatchObject({ workflowData: [ORIGINAL] });
	});

	it('can resume again after some minutes when the caller was gone before n8n answered', async () => {
		const { context, answer } = paused({ first: withStatus('completed') });
		await resume(context);
		answer(500, false);
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 4 * MINUTE);
		try {
			expect(await resume(context)).toEqual({ webhookResponse: { waiting: false } });
			now.mockReturnValue(Date.now() + 2 * MINUTE);
			expect(await resume(context)).toMatchObject({ workflowData: [ORIGINAL] });
		} finally {
			now.mockRestore();
		}
	});

	it('does not confuse executions with the same ID in different workflows', async () => {
		const statuses = ['completed', 'running', 'running'];
		const { context, kept, checks } = paused(
			{ '5': () => ({ status: 200, body: { status: statuses.shift() } }) },
			'5',
		);
		kept.awaited.push({ workflowId: 'other', executionId: '5' });
		expect(await resume(context)).toEqual({ webhookResponse: { waiting: true } });
		expect(await resume(context)).toEqual({ webhookResponse: { waiting: true } });
		expect(checks).toHaveLength(3);
	});

	it('removes the stored input, so that the next run does not count as paused', async () => {
		const { context, data } = paused({ first: withStatus('completed') });
		await resume(context);
		expect(data()).toEqual({ main: [[{ json: { status: 'running' } }]] });
	});

	it.each([
		['76 s before its time limit', 76_000, true],
		['74 s before its time limit', 74_000, false],
		['after its time limit', -1_000, false],
	])('%s (%s ms) resumes: %s', async (_when, left, goesOn) => {
		const { context, refused, stacked } = paused({ first: withStatus('completed') });
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + HOUR - left);
		try {
			expect(await resume(context)).toEqual(
				goesOn
					? { workflowData: [ORIGINAL], webhookResponse: { waiting: false } }
					: { noWebhookResponse: true },
			);
		} finally {
			now.mockRestore();
		}
		expect(refused.map(({ status }) => status)).toEqual(goesOn ? [] : [503]);
		expect(stacked()?.disabled).toBe(!goesOn);
	});

	it.each([
		['is too busy', answers(429)],
		['has a fault', answers(500)],
		['answers without an execution', answers(200, { hello: 'world' })],
		['rejects the token', answers(401)],
		[
			'cannot be reached',
			() => {
				throw new Error('connect ECONNREFUSED');
			},
		],
	])('asks for another notification when the service %s', async (_what, answer) => {
		const { context, refused, stacked } = paused({ first: answer });
		expect(await resume(context)).toEqual({ noWebhookResponse: true });
		expect(refused).toEqual([{ status: 503, body: { message: expect.any(String) } }]);
		expect(stacked()?.disabled).toBe(true);
	});

	it('asks for another notification when its credential cannot be read, and says why only in the log', async () => {
		const { context, refused } = paused({ first: withStatus('completed') });
		const broken = {
			...context,
			getCredentials: async () => Promise.reject(new Error('no such credential')),
		} as IWebhookFunctions;
		await resume(broken);
		expect(refused).toEqual([
			{ status: 503, body: { message: 'The service cannot be asked at the moment' } },
		]);
		expect(broken.logger.warn).toHaveBeenCalledWith(expect.stringContaining('no such credential'));
	});

	it('waits for an execution that the service does not know yet, and resumes when the service refuses it for good', async () => {
		expect(await resume(paused({ first: answers(404) }).context)).toEqual({
			webhookResponse: { waiting: true },
		});
		expect(await resume(paused({ first: answers(403) }).context)).toMatchObject({
			workflowData: [ORIGINAL],
		});
	});

	it('asks for another notification when the service does not know the notified execution, as the trigger did a moment before', async () => {
		const { context, refused } = paused({ first: answers(404) }, 'first');
		expect(await resume(context)).toEqual({ noWebhookResponse: true });
		expect(refused).toEqual([
			{ status: 503, body: { message: 'The service cannot be asked at the moment' } },
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
		expect(refused).toMatchObject([{ status: 409 }]);
		expect(checks).toEqual([]);
	});
});
