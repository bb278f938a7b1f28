import type {
	IContextObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeExecutionHint,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { failed } from '../../../nodes/DocumentWorkflow/actions/operation';
import type {
	Job,
	Operation,
	Result,
	Session,
} from '../../../nodes/DocumentWorkflow/actions/operation';
import type * as Actions from '../../../nodes/DocumentWorkflow/actions/run';
import { runOperation } from '../../../nodes/DocumentWorkflow/actions/run';
import type { time as Time } from '../../../nodes/DocumentWorkflow/connection/time';
import type { Wait } from '../../../service/wait';
import { PROCESS, type StoredPause } from '../../../nodes/DocumentWorkflow/pausing/pause';
import type { SkippedFile } from '../../../nodes/DocumentWorkflow/about';
import { asNodeError } from '../../../nodes/DocumentWorkflow/panel/options';
import { contextOf, node } from '../support/context';

const credential = {
	environment: 'production',
	productionUrl: 'https://api.example.com',
	clientId: 'id',
	clientSecret: 'secret',
};

interface Run {
	items?: INodeExecutionData[];
	goesOn?: boolean;
	stop?: AbortController;
	log?: (text: string) => void;
	hints?: NodeExecutionHint[];
	parameters?: Record<string, unknown>;
	memory?: IContextObject;
	runIndex?: number;
	mode?: WorkflowExecuteMode;
	/** How the service answers a check. */
	check?: () => { statusCode: number; body: object };
	credentials?: () => Promise<object>;
}

/** n8n's request with a token, answered by the service. */
const answers =
	(check: () => { statusCode: number; body: object }) => async (_type: string, request: object) => {
		const { tokenUse } = request as { tokenUse?: { used?: string } };
		if (tokenUse !== undefined) tokenUse.used = 'token';
		return Promise.resolve({ headers: {}, ...check() });
	};

/** The items of a run that does not pause. */
async function itemsOf(run: ReturnType<typeof runOperation>): Promise<INodeExecutionData[]> {
	const output = await run;
	if (!Array.isArray(output)) throw new Error('The run requests a pause');
	return output;
}

/** A context for moments that occur in a real n8n only by chance. */
function contextWith({
	items = [{ json: {} }],
	goesOn = false,
	stop = new AbortController(),
	log = () => undefined,
	hints = [],
	parameters = {},
	memory = {},
	runIndex = 0,
	mode = 'trigger',
	check = () => ({ statusCode: 200, body: { status: 'running' } }),
	credentials = async () => Promise.resolve(credential),
}: Run): IExecuteFunctions {
	return contextOf({
		getInputData: () => items,
		continueOnFail: () => goesOn,
		getContext: () => memory,
		getExecutionId: () => '1',
		runIndex,
		getExecutionCancelSignal: () => stop.signal,
		getMode: () => mode,
		getWorkflowSettings: () => ({ executionOrder: 'v1' }),
		getExecuteData: () => ({
			node,
			data: { main: [items] },
			source: { main: [{ previousNode: 'Before' }] },
		}),
		putExecutionToWait: async () => Promise.resolve(),
		addExecutionHints: (...given) => void hints.push(...given),
		logger: { warn: log, error: log, info: log, debug: log },
		getCredentials: async <T extends object>() => (await credentials()) as T,
		helpers: { httpRequestWithAuthentication: answers(check) },
		parameters,
	});
}

const operation = (prepare: (session: Session) => Job[]): Operation => ({
	option: { name: 'Create', value: 'create' },
	fields: [],
	prepare: async (session) => Promise.resolve(prepare(session)),
});

/** Records that an execution was started for a job. */
function accept(
	{ journal }: Session,
	executionId: string,
	itemIndex: number,
	job = `${itemIndex}`,
	workflowId = 'w',
) {
	const record = journal.recordOf(job, {
		workflowId,
		itemIndex,
		hash: '',
		externalId: '',
		files: '',
	});
	record.sent();
	const execution = { workflowId, executionId, status: 'running' };
	record.accepted({ execution, about: {}, sentHash: '' });
}

/** An operation with one job per item. */
const perItem = (work: (itemIndex: number, session: Session) => Promise<Result>) =>
	operation((session) =>
		session.context.getInputData().map((_item, itemIndex) => ({
			key: String(itemIndex),
			itemIndexes: [itemIndex],
			work: async () => work(itemIndex, session),
		})),
	);

const TWO = [{ json: { n: 1 } }, { json: { n: 2 } }];

describe('a run that is stopped while its last item succeeds', () => {
	it('still reports which executions were started', async () => {
		const stop = new AbortController();
		const start = perItem(async (itemIndex, session) => {
			accept(session, `e-${itemIndex}`, itemIndex);
			if (itemIndex === 1) stop.abort();
			return Promise.resolve({ ok: true, about: {}, items: [{ json: {} }] });
		});
		const log = jest.fn();
		await expect(
			runOperation(contextWith({ items: TWO, goesOn: true, stop, log }), start),
		).rejects.toMatchObject({
			message: 'The n8n execution was stopped',
			description: 'Started for item 0: e-0 (workflow w), for item 1: e-1 (workflow w)',
		});
		expect(log).toHaveBeenCalledWith(
			expect.stringContaining('for item 0: e-0 (workflow w), for item 1: e-1 (workflow w)'),
		);
	});
});

describe('a run in which an item fails', () => {
	const second = (context: IExecuteFunctions) =>
		failed({ context, itemIndex: 1 }, 'The workflow was not found', 'Check it', {
			workflowId: 'w',
		});

	it('runs no job when the failure is known before', async () => {
		const work = jest.fn();
		const start = operation(({ context }) => [
			{ key: '0', itemIndexes: [0], work },
			{ key: '1', itemIndexes: [1], work: second(context) },
		]);
		await expect(runOperation(contextWith({ items: TWO }), start)).rejects.toMatchObject({
			message: 'The workflow was not found',
			description: 'Check it',
		});
		expect(work).not.toHaveBeenCalled();
	});

	it('throws its error with its own execution and every started one, each once, for an error workflow', async () => {
		const e1 = { executionId: 'e-1', status: 'failed', workflowId: 'w' };
		const start = perItem(async (itemIndex, session) => {
			accept(session, `e-${itemIndex}`, itemIndex);
			if (itemIndex === 0) return { ok: true, about: {}, items: [{ json: {} }] };
			const failure = second(session.context);
			return { ...failure, about: { ...e1, fileName: 'a.pdf' } };
		});
		await expect(runOperation(contextWith({ items: TWO }), start)).rejects.toMatchObject({
			context: { executions: [e1, { ...e1, executionId: 'e-0', status: 'running' }] },
		});
	});

	it('throws its error with executions of two workflows that have the same ID', async () => {
		const start = perItem(async (itemIndex, session) => {
			accept(session, 'e-0', itemIndex, `${itemIndex}`, ['w', 'other'][itemIndex]);
			return second(session.context);
		});
		await expect(runOperation(contextWith({ items: TWO }), start)).rejects.toMatchObject({
			context: { executions: [{ workflowId: 'w' }, { workflowId: 'other' }] },
		});
	});

	it('throws its error, which lists every started execution', async () => {
		const start = perItem(async (itemIndex, session) => {
			if (itemIndex === 1) return second(session.context);
			accept(session, 'e-0', 0);
			return { ok: true, about: {}, items: [{ json: {} }] };
		});
		await expect(runOperation(contextWith({ items: TWO }), start)).rejects.toMatchObject({
			message: 'The workflow was not found',
			description: 'Check it. Started for item 0: e-0 (workflow w)',
			context: { itemIndex: 1, executions: [{ executionId: 'e-0', workflowId: 'w' }] },
		});
	});

	it.each([
		[
			'names an execution that it does not name',
			{},
			'Check it. Started for item 0: e-1 (workflow w)',
		],
		['does not repeat an execution that it names', { namesExecution: true }, 'Check it'],
	] as const)('throws its error, whose list %s', async (_, given, description) => {
		const start = perItem(async (itemIndex, session) => {
			accept(session, 'e-1', itemIndex);
			const about = { executionId: 'e-1', workflowId: 'w' };
			return Promise.resolve({ ...second(session.context), about, ...given });
		});
		await expect(
			runOperation(contextWith({ items: TWO.slice(0, 1) }), start),
		).rejects.toMatchObject({ description });
	});

	it.each([
		['ends the waits of its other items', false, ['Error: Another item failed']],
		['continues with the others when set to continue', true, ['waited']],
	])('%s', async (_, goesOn, expected) => {
		const waited: string[] = [];
		const start = perItem(async (itemIndex, { context, connection }) => {
			if (itemIndex === 1) return second(context);
			await new Promise(setImmediate);
			waited.push(
				await connection.pause(0).then(
					() => 'waited',
					(error: Error) => `Error: ${error.message}`,
				),
			);
			return { ok: true, about: {}, items: [] };
		});
		await runOperation(contextWith({ items: TWO, goesOn }), start).catch(() => undefined);
		expect(waited).toEqual(expected);
	});

	it('outputs the item, when set to continue, with its files and what is known of its execution', async () => {
		const file = { data: '', mimeType: 'application/pdf' };
		const items = [{ json: {} }, { json: {}, binary: { a: file, b: file } }];
		const start = operation((session) => [
			{
				key: '0',
				itemIndexes: [0],
				work: async () =>
					Promise.resolve({
						ok: true,
						about: {},
						items: [{ json: { executionId: 'e-0' } }, { json: { row: 2 } }],
					}),
			},
			{ key: '1', itemIndexes: [1], work: second(session.context) },
			{
				key: '1/b',
				itemIndexes: [1],
				fieldNames: ['b'],
				work: async () => {
					accept(session, 'e-2', 1, '1/b');
					return Promise.reject(new Error('broken'));
				},
			},
			{ key: 'all', itemIndexes: [0, 1], work: second(session.context) },
			{ key: '0/b', itemIndexes: [0], fieldNames: ['b'], work: second(session.context) },
		]);
		const refusal = {
			message: 'The workflow was not found',
			description: 'Check it',
			workflowId: 'w',
		};
		const review = { needsReview: true, toReview: 'The workflow was not found. Check it' };
		expect(await runOperation(contextWith({ items, goesOn: true }), start)).toEqual([
			{ json: { executionId: 'e-0' }, pairedItem: { item: 0 } },
			{ json: { row: 2 }, pairedItem: { item: 0 } },
			{
				json: { error: refusal, ...review },
				pairedItem: { item: 1 },
				binary: { a: file, b: file },
			},
			{
				json: {
					error: {
						message: 'broken',
						description: '',
						workflowId: 'w',
						executionId: 'e-2',
						status: 'running',
					},
					needsReview: true,
					toReview: 'broken',
				},
				pairedItem: { item: 1 },
				binary: { b: file },
			},
			{ json: { error: refusal, ...review }, pairedItem: { item: 0 } },
			{
				json: { error: refusal, ...review },
				pairedItem: { item: 1 },
				binary: { a: file, b: file },
			},
			{ json: { error: refusal, ...review }, pairedItem: { item: 0 } },
		]);
	});

	it.each<[string, Run]>([
		['a setting of the run cannot be used', { parameters: { maximumInParallel: 'many' } }],
		['the jobs cannot be prepared', {}],
	])('fails each item when %s', async (_, run) => {
		const start: Operation = {
			...operation(() => []),
			prepare: async () => Promise.reject(new Error('broken')),
		};
		const items = await itemsOf(
			runOperation(contextWith({ items: TWO, goesOn: true, ...run }), start),
		);
		expect(items.map(({ json, pairedItem }) => [Object.keys(json), pairedItem])).toEqual([
			[['error', 'needsReview', 'toReview'], { item: 0 }],
			[['error', 'needsReview', 'toReview'], { item: 1 }],
		]);
	});
});

describe('a run with a wait that is open', () => {
	const openWait = (executionId: string): Wait => ({
		...{ workflowId: 'w', executionId, since: Date.now(), until: Date.now() + 3_600_000 },
		firstMilliseconds: 5_000,
		longestMilliseconds: 60_000,
		known: 'created',
		checks: 1,
	});
	const isPause = (output: object) => 'actions' in output;
	const completed = { statusCode: 200, body: { status: 'completed' } };

	/** Each item starts an execution and waits for it in the first run; item 1 of two fails. */
	const start = (tried: unknown[] = [], message = 'The workflow was not found') =>
		perItem(async (itemIndex, session) => {
			tried.push([itemIndex, session.pause.earlier?.jobs.length]);
			const { context, pause } = session;
			if (itemIndex === 1)
				return failed({ context, itemIndex }, message, 'Check it', { workflowId: 'w' });
			if (pause.earlier !== undefined)
				return { ok: true, about: {}, items: [{ json: { status: 'completed' } }] };
			accept(session, 'e-0', 0);
			return { ok: true, about: {}, items: [], wait: openWait('e-0') };
		});

	it('requests a pause, also when it is checked again, and returns all items when the execution has ended', async () => {
		const [memory, tried, hints]: [IContextObject, unknown[], NodeExecutionHint[]] = [{}, [], []];
		const run = { items: TWO, goesOn: true, memory, hints };
		expect(isPause(await runOperation(contextWith(run), start(tried)))).toBe(true);
		// Nothing comes before the request of a check, because a kill in a check breaks it off.
		const checked = { ...start(), prepare: jest.fn() };
		expect(isPause(await runOperation(contextWith(run), checked))).toBe(true);
		expect(checked.prepare).not.toHaveBeenCalled();
		expect(tried).toHaveLength(2);
		const last = contextWith({ ...run, check: () => completed });
		expect((await itemsOf(runOperation(last, start(tried)))).map(({ json }) => json)).toEqual([
			{ status: 'completed' },
			{
				error: { message: 'The workflow was not found', description: 'Check it', workflowId: 'w' },
				...{ needsReview: true, toReview: 'The workflow was not found. Check it' },
			},
		]);
		// What failed before the pause is not tried again.
		expect(tried.slice(2)).toEqual([[0, 2]]);
	});

	it('keeps the message of a failure over a pause, although n8n has words of its own for its code', async () => {
		const message = 'The connection to the service broke or timed out (ECONNRESET)';
		const run = { items: TWO, goesOn: true, memory: {} };
		await runOperation(contextWith(run), start([], message));
		const last = contextWith({ ...run, check: () => completed });
		const [, item] = await itemsOf(runOperation(last, start([], message)));
		expect(item?.json.error).toMatchObject({ message });
	});

	it('stores neither items nor data with the pause', async () => {
		const memory: IContextObject = {};
		const withData = perItem(async (itemIndex) => ({
			ok: true,
			items: [{ json: { data: 'extracted' } }],
			about: { documents: [{ fileName: 'a.pdf' }] },
			wait: { ...openWait(`e-${itemIndex}`), ...(itemIndex === 0 ? { endedAt: 1 } : {}) },
		}));
		await runOperation(contextWith({ items: TWO, memory }), withData);
		const stored = JSON.stringify(memory);
		expect(stored).toContain('e-1');
		expect(stored).not.toMatch(/extracted|a\.pdf|secret/);
	});

	it('runs as a whole at the time limit, although the execution runs', async () => {
		const memory: IContextObject = {};
		await runOperation(contextWith({ memory }), start());
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_001);
		try {
			expect(await itemsOf(runOperation(contextWith({ memory }), start()))).toHaveLength(1);
		} finally {
			now.mockRestore();
		}
	});

	it('pauses while its credential cannot be read, and after half an hour reports what was started', async () => {
		const [memory, logs]: [IContextObject, string[]] = [{}, []];
		const run = { items: TWO, goesOn: true, memory, log: (line: string) => void logs.push(line) };
		await runOperation(contextWith(run), start());
		const credentials = async () => Promise.reject(new Error('The credential is gone'));
		const broken = async () => runOperation(contextWith({ ...run, credentials }), start());
		expect(isPause(await broken())).toBe(true);
		expect(logs).toContain(
			'Execution e-0 (workflow w) could not be read, and is checked again: The credential is gone',
		);
		jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 1_800_000);
		expect((await itemsOf(broken())).map(({ json }) => json.error)).toMatchObject([
			{ message: 'The credential is gone', executionId: 'e-0', startedExecutionIds: ['e-0'] },
			{ message: 'The workflow was not found', workflowId: 'w' },
		]);
		jest.restoreAllMocks();
	});

	it('pauses once more, before anything is read or requested, where another process had paused it before the start of n8n', async () => {
		const [memory, read]: [IContextObject, jest.Mock] = [{}, jest.fn()];
		await runOperation(contextWith({ memory }), start());
		const before = { ...(memory.documentWorkflowPause as StoredPause), process: 0 };
		memory.documentWorkflowPause = before;
		// In a process that has just started.
		jest.resetModules();
		const path = '../../../nodes/DocumentWorkflow';
		const { time } = jest.requireActual<{ time: typeof Time }>(`${path}/connection/time`);
		const { runOperation: run } = jest.requireActual<typeof Actions>(`${path}/actions/run`);
		let age = 10_000;
		time.age = () => age;
		time.sleep = async (milliseconds) => Promise.resolve(void (age += milliseconds));
		const context = contextWith({ memory, check: read, credentials: read });
		expect(isPause(await run(context, start()))).toBe(true);
		expect(read).not.toHaveBeenCalled();
		const { checkAt, ...after } = memory.documentWorkflowPause as StoredPause;
		expect(checkAt).toBeGreaterThan(before.checkAt);
		expect(after).toEqual({ ...before, process: PROCESS, checkAt: undefined, isRequested: true });
	});

	it('reports what was started when it is stopped while it checks', async () => {
		const [memory, stop]: [IContextObject, AbortController] = [{}, new AbortController()];
		await runOperation(contextWith({ memory }), start());
		stop.abort();
		await expect(runOperation(contextWith({ memory, stop }), start())).rejects.toMatchObject({
			message: 'The n8n execution was stopped',
			description: 'Started for item 0: e-0 (workflow w)',
		});
	});

	it('says in the log and above the items that it kept running, once, with the reason', async () => {
		const [logs, hints]: [string[], NodeExecutionHint[]] = [[], []];
		const context = contextWith({
			...{ items: TWO, mode: 'integrated', hints },
			log: (line) => void logs.push(line),
		});
		const long = perItem(async (_itemIndex, { pause }) => {
			pause.keepRunning();
			return Promise.resolve({ ok: true, about: {}, items: [] });
		});
		await runOperation(context, long);
		const words =
			'n8n cannot pause this n8n execution, so the node keeps it running while it waits. Reason: its n8n workflow was called by another n8n workflow';
		expect(logs).toEqual([words]);
		expect(hints.map(({ message }) => message)).toEqual([words]);
	});
});

describe('a pause of a run', () => {
	const waits = perItem(async () =>
		Promise.resolve({
			ok: true,
			about: {},
			items: [],
			wait: {
				...{ workflowId: 'w', executionId: 'e-0', checks: 1 },
				...{ firstMilliseconds: 5_000, longestMilliseconds: 60_000 },
				since: Date.now(),
				until: Date.now() + 3_600_000,
			},
		}),
	);
	const warned = async (more: Partial<IExecuteFunctions>) => {
		const lines: string[] = [];
		const context = contextWith({ log: (line) => void lines.push(line) });
		await runOperation({ ...context, ...more }, waits);
		return lines;
	};
	const withTimeout = (executionTimeout: number) => ({
		getWorkflowSettings: () => ({ executionOrder: 'v1' as const, executionTimeout }),
	});
	const WORDS =
		"n8n will cancel this n8n execution 600 s after its start, also while it is paused. 'Maximum Wait (Hours)' is longer. Change 'Timeout Workflow' in the settings of the n8n workflow";

	it.each<[string, string[], Partial<IExecuteFunctions>]>([
		['a shorter timeout of the n8n workflow', [WORDS], withTimeout(600)],
		['a longer timeout', [], withTimeout(3_600)],
		['no timeout', [], withTimeout(-1)],
		['no settings', [], {}],
	])('says in the log what n8n does with %s', async (_what, lines, more) => {
		expect(await warned(more)).toEqual(lines);
	});
});

describe('what a run has started', () => {
	const start = (found: unknown[]) =>
		perItem(async (_itemIndex, session) => {
			const { context, journal } = session;
			found.push(journal.startedBy('0')?.execution.executionId);
			accept(session, 'e-0', 0);
			return context.continueOnFail()
				? { ok: true, about: {}, items: [] }
				: failed({ context, itemIndex: 0 }, 'Not completed', '', {});
		});

	it.each([
		[
			'is found by the next run of the same input when the run did not succeed',
			false,
			[undefined, 'e-0'],
		],
		[
			'is not found by the next iteration of a loop when the run was finished',
			true,
			[undefined, undefined],
		],
	])('%s', async (_, goesOn, expected) => {
		const [memory, found]: [IContextObject, unknown[]] = [{}, []];
		for (const runIndex of [0, 1])
			await runOperation(contextWith({ goesOn, memory, runIndex }), start(found)).catch(
				() => undefined,
			);
		expect(found).toEqual(expected);
	});
});

describe('the output items', () => {
	it('are paired with all input items of their execution', async () => {
		const together = operation(() => [
			{
				key: 'all',
				itemIndexes: [0, 1],
				work: async () => Promise.resolve({ ok: true, about: {}, items: [{ json: {} }] }),
			},
		]);
		expect(await runOperation(contextWith({ items: TWO }), together)).toEqual([
			{ json: {}, pairedItem: [{ item: 0 }, { item: 1 }] },
		]);
	});

	it('have hints above them only if something was skipped', async () => {
		const hints: NodeExecutionHint[] = [];
		const logo = { itemIndex: 0, fieldName: 'data', fileName: 'logo.png' };
		const skipped: SkippedFile[][] = [[], [{ ...logo, reason: 'empty' }]];
		const start = perItem(async (itemIndex) =>
			Promise.resolve({ ok: true, items: [{ json: {} }], about: { skipped: skipped[itemIndex] } }),
		);
		await runOperation(contextWith({ hints }), start);
		expect(hints).toEqual([]);
		await runOperation(contextWith({ items: TWO, hints }), start);
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^1 document was skipped/),
		]);
	});
});

describe('a value thrown while an item is processed', () => {
	it('becomes an error of the node that names the item', () => {
		for (const thrown of [new Error('broken'), 'broken']) {
			const error = asNodeError({ context: { getNode: () => node }, itemIndex: 3 }, thrown);
			expect(error).toBeInstanceOf(NodeOperationError);
			expect(error.message).toBe('broken');
			expect(error.context.itemIndex).toBe(3);
		}
	});

	it('is unchanged when it is an error of the node', () => {
		for (const error of [
			new NodeOperationError(node, 'a'),
			new NodeApiError(node, { message: 'b' }),
		])
			expect(asNodeError({ context: { getNode: () => node }, itemIndex: 0 }, error)).toBe(error);
	});
});
