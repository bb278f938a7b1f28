import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { INodeExecutionData, IRunExecutionData, IWebhookFunctions } from 'n8n-workflow';

import { INPUT, PAUSE } from '../../../../nodes/DocumentWorkflow/pausing/pause';
import { resume } from '../../../../nodes/DocumentWorkflow/pausing/resume';
import { node } from '../../support/context';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ORIGINAL: INodeExecutionData[] = [{ json: { file: 'a' } }, { json: { file: 'b' } }];

/** A paused n8n execution that waits for some executions, each with what a look at it is answered; looks are counted. */
function paused(
	answers: Record<string, () => { status: number; body: object }>,
	notified?: string,
) {
	const looks: string[] = [];
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
	/** What n8n answers the call in the end; whoever called may be gone by then. */
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
		looks.push(id);
		const { status = 404, body = {} } = answers[id]?.() ?? {};
		return Promise.resolve({ statusCode: status, headers: {}, body });
	};
	const context = {
		// n8n loads it anew for each call.
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
	return { context, kept, looks, refused, stacked, data, answer };
}

const says = (status: string) => () => ({ status: 200, body: { status } });
const answers =
	(status: number, body: object = {}) =>
	() => ({ status, body });

describe('a paused n8n execution that is notified', () => {
	it('goes on with the input that the node had, and runs the node again', async () => {
		const { context, stacked, refused } = paused({
			first: says('completed'),
			second: says('failed'),
		});
		expect(await resume(context)).toEqual({
			workflowData: [ORIGINAL],
			webhookResponse: { waiting: false },
		});
		expect(stacked()?.disabled).toBe(false);
		expect(refused).toEqual([]);
	});

	it('goes on waiting as long as one of its executions runs, and starts nothing', async () => {
		const { context, stacked } = paused({ first: says('completed'), second: says('queued') });
		expect(await resume(context)).toEqual({ webhookResponse: { waiting: true } });
		expect(stacked()?.disabled).toBe(true);
	});

	it('looks first at what the notification is about, never again at what has ended, and no further than the first that runs', async () => {
		const running = Object.fromEntries(
			Array.from({ length: 50 }, (_, number) => [`running-${number}`, says('running')]),
		);
		const { context, looks } = paused({ ...running, told: says('completed') }, 'told');
		await resume(context);
		expect(looks).toHaveLength(2);
		expect(looks[0]).toBe('told');
		await resume(context);
		expect(looks).toHaveLength(3);
		expect(looks.filter((id) => id === 'told')).toHaveLength(1);
	});

	it('wakes once, however many notifications come at the same moment', async () => {
		const { context } = paused({ first: says('completed') });
		const outcomes = await Promise.all(Array.from({ length: 5 }, async () => resume(context)));
		expect(outcomes.filter(({ workflowData }) => workflowData !== undefined)).toHaveLength(1);
	});

	it('does not wake again when n8n has taken it, however long n8n keeps it waiting for its turn', async () => {
		const { context, answer } = paused({ first: says('completed') });
		await resume(context);
		answer(200);
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + HOUR / 2);
		try {
			expect(await resume(context)).toEqual({ webhookResponse: { waiting: false } });
		} finally {
			now.mockRestore();
		}
	});

	it('wakes again when n8n could not take it', async () => {
		const { context, answer } = paused({ first: says('completed') });
		await resume(context);
		answer(500);
		expect(await resume(context)).toMatchObject({ workflowData: [ORIGINAL] });
	});

	it('counts as woken for some minutes only where the caller was gone before n8n answered: it may have come to nothing', async () => {
		const { context, answer } = paused({ first: says('completed') });
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

	it('does not take one execution for another with the same identifier in another workflow', async () => {
		const statuses = ['completed', 'running', 'running'];
		const { context, kept, looks } = paused(
			{ '5': () => ({ status: 200, body: { status: statuses.shift() } }) },
			'5',
		);
		kept.awaited.push({ workflowId: 'other', executionId: '5' });
		expect(await resume(context)).toEqual({ webhookResponse: { waiting: true } });
		expect(await resume(context)).toEqual({ webhookResponse: { waiting: true } });
		expect(looks).toHaveLength(3);
	});

	it('leaves nothing by which a run would be taken for one that has paused already', async () => {
		const { context, data } = paused({ first: says('completed') });
		await resume(context);
		expect(data()).toEqual({ main: [[{ json: { status: 'running' } }]] });
	});

	it.each([
		['76 s before its time limit', 76_000, true],
		['74 s before its time limit', 74_000, false],
		['after its time limit', -1_000, false],
	])('%s a call wakes it only while there is time (%s ms): %s', async (_when, left, goesOn) => {
		const { context, refused, stacked } = paused({ first: says('completed') });
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
		['answers what is no execution', answers(200, { hello: 'world' })],
		['does not take the token', answers(401)],
		[
			'cannot be reached',
			() => {
				throw new Error('connect ECONNREFUSED');
			},
		],
	])('asks to be told again when the service %s', async (_what, answer) => {
		const { context, refused, stacked } = paused({ first: answer });
		expect(await resume(context)).toEqual({ noWebhookResponse: true });
		expect(refused).toEqual([{ status: 503, body: { message: expect.any(String) } }]);
		expect(stacked()?.disabled).toBe(true);
	});

	it('asks to be told again when its credential cannot be read, and says so in the log only', async () => {
		const { context, refused } = paused({ first: says('completed') });
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

	it('waits for what the service does not know yet, and goes on for what it refuses for good: the node then says why', async () => {
		expect(await resume(paused({ first: answers(404) }).context)).toEqual({
			webhookResponse: { waiting: true },
		});
		expect(await resume(paused({ first: answers(403) }).context)).toMatchObject({
			workflowData: [ORIGINAL],
		});
	});

	it.each([
		['n8n shows nothing of it', (): IRunExecutionData | null => null],
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
	])('says that it waits for nothing when %s', async (_what, data) => {
		const { context, refused, looks } = paused({ first: says('completed') });
		expect(await resume({ ...context, runExecutionData: data() } as IWebhookFunctions)).toEqual({
			noWebhookResponse: true,
		});
		expect(refused).toMatchObject([{ status: 409 }]);
		expect(looks).toEqual([]);
	});
});
