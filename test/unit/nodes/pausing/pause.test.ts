import type {
	IDataObject,
	INode,
	INodeParameters,
	IWorkflowSettings,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import type { Wait } from '../../../../service/wait';
import type { StoredJob, StoredPause } from '../../../../nodes/DocumentWorkflow/pausing/pause';
import {
	RunPause,
	SHORTEST_PAUSE,
	storePause,
} from '../../../../nodes/DocumentWorkflow/pausing/pause';
import { HOUR, MINUTE } from '../../../../nodes/DocumentWorkflow/connection/time';
import { contextOf, node } from '../../support/context';

const SOURCE = { main: [{ previousNode: 'If', previousNodeOutput: 1, previousNodeRun: 0 }] };

const NOW = Date.UTC(2026, 0, 1);
const WEBHOOK = 'n8n-nodes-base.webhook';
const CHAT = '@n8n/n8n-nodes-langchain.chatTrigger';

interface Place {
	execution?: string;
	runIndex?: number;
	mode?: WorkflowExecuteMode;
	/** Null for an n8n that does not say them. */
	settings?: IWorkflowSettings;
	type?: string;
	source?: { main: Array<{ previousNode: string; previousNodeOutput?: number }> } | null;
	responseMode?: string;
	/** The parameters of n8n's chat, where it starts the workflow. */
	chat?: INodeParameters;
	startIsOff?: boolean;
}

/** A run of the node in an n8n execution, with the memory that n8n keeps. */
function run(
	memory: IDataObject,
	{
		execution = '17',
		runIndex = 0,
		mode = 'trigger',
		settings = { executionOrder: 'v1' },
		type = 't',
		source = structuredClone(SOURCE),
		responseMode,
		chat,
		startIsOff = false,
	}: Place = {},
) {
	const paused: INode = { ...node, type, alwaysOutputData: true, retryOnFail: true };
	const entry = { node: paused, data: { main: [[{ json: {} }]] }, source };
	const waits: Date[] = [];
	const context = contextOf({
		getNode: () => paused,
		getMode: () => mode,
		getContext: (type) => (type === 'node' ? memory : {}),
		// n8n leaves the parameters out unless it is asked for them.
		getParentNodes: (_name, options) => [
			...[
				{ type: WEBHOOK, parameters: { responseMode: undefined } },
				{ type: chat ? CHAT : WEBHOOK, parameters: chat ?? { responseMode } },
			].map(({ type: parent, parameters }) => ({
				name: 'Start',
				typeVersion: 1,
				type: parent,
				disabled: startIsOff,
				...(options?.includeNodeParameters === true && { parameters }),
			})),
		],
		getWorkflowSettings: () => settings,
		getExecutionId: () => execution,
		runIndex,
		getExecuteData: () => entry,
		putExecutionToWait: async (until) => Promise.resolve(void waits.push(until)),
	});
	return { context, pause: new RunPause(context), entry, paused, waits };
}

/** A wait that began some time ago. */
const waitSince = (ago: number, more: Partial<Wait> = {}): Wait => ({
	workflowId: 'intake',
	executionId: 'ex-1',
	since: Date.now() - ago,
	until: Date.now() - ago + 24 * HOUR,
	firstMilliseconds: 5_000,
	longestMilliseconds: 15 * MINUTE,
	checks: 12,
	...more,
});
const jobWith = (wait: Wait): StoredJob => ({ key: '0', itemIndexes: [0], wait });
/** In how many milliseconds n8n is to check again. */
const pauseIn = (memory: IDataObject) =>
	Number((memory.documentWorkflowPause as unknown as StoredPause).checkAt) - Date.now();

beforeEach(() => {
	jest.useFakeTimers({ now: NOW });
	jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
	jest.restoreAllMocks();
	jest.useRealTimers();
});

describe('A pause', () => {
	it('is a request for an action of this node, in which n8n puts the n8n execution to wait until the next check', async () => {
		const memory: IDataObject = {};
		const first = run(memory);
		expect(first.pause.earlier).toBeUndefined();
		const itself = {
			actionType: 'ExecutionNodeAction',
			nodeName: node.name,
			input: {},
			type: 'main',
		};
		expect(first.pause.begin([jobWith(waitSince(20_000))])).toEqual({
			actions: [{ ...itself, id: 'pause', metadata: {} }],
			metadata: {},
		});
		expect(first.pause.checkAt).toBe(Date.now() + SHORTEST_PAUSE);
		const action = run(memory);
		expect(await storePause(action.context)).toEqual([[]]);
		expect(action.waits).toEqual([new Date(Date.now() + SHORTEST_PAUSE)]);
		// n8n disables the node of this entry, passes its data on, and would run it again.
		expect(action.entry).toMatchObject({
			node: { alwaysOutputData: false, retryOnFail: false },
			data: { main: [null] },
		});
		expect(action.entry.node).not.toBe(action.paused);
	});

	it('is stored once: the run after it is no action', async () => {
		const memory: IDataObject = {};
		run(memory).pause.begin([jobWith(waitSince(3 * MINUTE))]);
		await storePause(run(memory).context);
		const again = run(memory);
		expect(await storePause(again.context)).toBeUndefined();
		expect(again.waits).toEqual([]);
		expect(again.pause.earlier?.jobs).toMatchObject([{ key: '0', itemIndexes: [0] }]);
	});

	it('stays where n8n 1 continues it twice at the same time, and fails where n8n does not store it', async () => {
		const stored = async (error: string) => {
			const { context, pause } = run({});
			pause.begin([jobWith(waitSince(HOUR))]);
			context.putExecutionToWait = async () => Promise.reject(new Error(error));
			return storePause(context);
		};
		expect(await stored('No active execution found')).toEqual([[]]);
		await expect(stored('n8n cannot')).rejects.toThrow('n8n cannot');
	});

	it.each<[string, number, Partial<Wait>, number]>([
		['half a minute after 20 seconds', 20_000, {}, SHORTEST_PAUSE],
		['half a minute after three minutes', 3 * MINUTE, {}, SHORTEST_PAUSE],
		['a minute after four minutes', 4 * MINUTE, {}, MINUTE],
		['a minute after half an hour', HOUR / 2, {}, MINUTE],
		['3 % of the time waited later', 5 * HOUR, {}, 9 * MINUTE],
		['the longest interval later', 10 * HOUR, {}, 15 * MINUTE],
		[
			'half a minute later when the longest interval is shorter',
			HOUR,
			{ longestMilliseconds: 1 },
			SHORTEST_PAUSE,
		],
		['at the shortest interval of the user', 20_000, { firstMilliseconds: HOUR / 6 }, HOUR / 6],
		['at the time limit', 10 * HOUR, { until: NOW + 2 * MINUTE }, 2 * MINUTE],
		['a minute after a doubtful reply', 10 * HOUR, { doubtedSince: NOW }, MINUTE],
	])('checks again %s', (_when, ago, more, expected) => {
		const memory: IDataObject = {};
		run(memory).pause.begin([jobWith(waitSince(ago, more))]);
		expect(pauseIn(memory)).toBe(expected);
	});

	it.each<[string, number, () => Partial<Wait>, number]>([
		['the wait that began first', 5 * HOUR, () => ({ since: Date.now() - HOUR }), 9 * MINUTE],
		[
			'the shortest first interval',
			20_000,
			() => ({ firstMilliseconds: HOUR / 6 }),
			SHORTEST_PAUSE,
		],
		[
			'the shortest longest interval',
			HOUR * 10,
			() => ({ longestMilliseconds: 5 * MINUTE }),
			5 * MINUTE,
		],
		['the last time limit', HOUR * 10, () => ({ until: Date.now() + MINUTE }), 15 * MINUTE],
		['one doubt', HOUR * 10, () => ({ doubtedSince: Date.now() }), MINUTE],
	])('of several waits goes by %s', (_what, ago, different, expected) => {
		const until = Date.now() + HOUR;
		const jobs = [{}, different()].map((more) => jobWith(waitSince(ago, { until, ...more })));
		for (const order of [jobs, [...jobs].reverse()]) {
			const memory: IDataObject = {};
			run(memory).pause.begin(order);
			expect(pauseIn(memory)).toBe(expected);
		}
	});

	it.each([
		[[0], 570_000],
		[[0, 0], 560_000],
		[[0, 1], 540_000],
	])('with %j checks so far makes the first not before one is due', (checks, expected) => {
		jest.spyOn(Math, 'random').mockReturnValue(1);
		const jobs = checks.map((each, index) =>
			jobWith(waitSince(30_000 + 10_000 * index, { checks: each, firstMilliseconds: 600_000 })),
		);
		const memory: IDataObject = {};
		run(memory).pause.begin(jobs);
		expect(pauseIn(memory)).toBe(expected);
	});

	it('does not check before the service allows it, and not at the same moment as others', () => {
		const memory: IDataObject = {};
		run(memory).pause.begin([jobWith(waitSince(HOUR, { notBefore: Date.now() + HOUR }))]);
		expect(pauseIn(memory)).toBe(HOUR);
		jest.spyOn(Math, 'random').mockReturnValue(1);
		run(memory).pause.begin([jobWith(waitSince(5 * HOUR))]);
		expect(pauseIn(memory)).toBe(0.9 * 9 * MINUTE);
	});

	const retry = { execution: '18', mode: 'retry' } as const;

	it.each<['continued' | 'not continued', string, Partial<Wait>, number]>([
		['continued', 'runs', {}, 0],
		['not continued', 'has ended', { endedAt: 1 }, 0],
		['not continued', 'is over by its time limit', {}, 24 * HOUR],
	])('is %s by a Retry when its wait %s', (expected, _what, ends, later) => {
		const memory: IDataObject = {};
		const job = jobWith(waitSince(HOUR));
		run(memory).pause.begin([job]);
		Object.assign(job.wait ?? {}, ends);
		jest.advanceTimersByTime(later);
		const { earlier } = run(memory, retry).pause;
		expect(earlier?.execution).toBe(expected === 'continued' ? '18' : undefined);
		expect(run(memory, { ...retry, runIndex: 1 }).pause.earlier).toBeUndefined();
	});

	it.each<[string, Place]>([
		['another pass of a loop', { runIndex: 1 }],
		['another n8n execution', { execution: '18' }],
	])('is not continued in %s', async (_what, other) => {
		const memory: IDataObject = {};
		run(memory).pause.begin([jobWith(waitSince(HOUR))]);
		expect(run(memory, other).pause.earlier).toBeUndefined();
		if (other.execution !== undefined)
			expect(await storePause(run(memory, other).context)).toBeUndefined();
	});

	it('gives the input of the node its source back, which n8n has replaced', () => {
		const memory: IDataObject = {};
		run(memory).pause.begin([jobWith(waitSince(HOUR))]);
		const list = [{ previousNode: 'If', previousNodeOutput: 0 }];
		run(structuredClone(memory), { source: { main: list } });
		expect(list).toEqual(SOURCE.main);
	});

	it.each<[string, Place, string | undefined]>([
		['a workflow', {}, undefined],
		['a workflow with the legacy order', { settings: { executionOrder: 'v0' } }, 'legacy'],
		['a workflow without an order', { settings: {} }, 'legacy'],
		['a sub-workflow', { mode: 'integrated' }, 'called by another'],
		['the tool of an AI agent', { type: 'documentWorkflowTool' }, 'AI agent'],
		['a node without a node before it', { source: null }, 'as with pinned data'],
		['a form that answers at once', { mode: 'webhook', responseMode: 'onReceived' }, undefined],
		['a form that answers at the end', { mode: 'webhook', responseMode: 'lastNode' }, 'answers'],
		['a test of that form', { mode: 'manual', responseMode: 'lastNode' }, 'answers'],
		['a chat, which answers at the end', { mode: 'webhook', chat: {} }, 'answers'],
		['a chat in the editor', { mode: 'manual', chat: { options: {} } }, 'answers'],
		[
			'a chat that is set to answer at the end',
			{ mode: 'webhook', chat: { options: { responseMode: 'lastNode' } } },
			'answers',
		],
		[
			'a chat of the chat hub, which streams',
			{ mode: 'chat', chat: { availableInChat: true } },
			'answers',
		],
		[
			'a chat that is answered by nodes',
			{ mode: 'chat', chat: { availableInChat: true, options: { responseMode: 'responseNodes' } } },
			undefined,
		],
		[
			'a webhook with an option of that name',
			{ mode: 'webhook', responseMode: 'streaming' },
			'answers',
		],
		[
			'a workflow whose form that answers at the end is off',
			{ mode: 'webhook', responseMode: 'lastNode', startIsOff: true },
			undefined,
		],
		[
			'an n8n workflow with Engine 2.0',
			{ settings: { executionOrder: 'v1', engineType: 'v2' } },
			'Engine 2.0',
		],
		['a node with an input that has no connection', { source: { main: [] } }, 'no previous node'],
		['a scheduled run of that workflow', { mode: 'trigger', responseMode: 'lastNode' }, undefined],
	])('is possible in %s, or there is a reason: %#', (_where, place, reason) => {
		const { obstacle } = run({}, place).pause;
		if (reason === undefined) expect(obstacle).toBeUndefined();
		else expect(obstacle).toContain(reason);
	});

	it('that is not possible is logged once, with the reason', () => {
		const { context } = run({}, { mode: 'integrated' });
		const info = jest.spyOn(context.logger, 'info');
		const pause = new RunPause(context);
		expect(pause.keptRunning).toBeUndefined();
		pause.keepRunning();
		pause.keepRunning();
		expect(info.mock.calls).toEqual([[pause.keptRunning]]);
		expect(pause.keptRunning).toBe(
			'n8n cannot pause this n8n execution, so the node keeps it running while it waits. Reason: its n8n workflow was called by another n8n workflow',
		);
	});
});
