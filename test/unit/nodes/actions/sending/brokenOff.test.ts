import type {
	IDataObject,
	IExecuteFunctions,
	IWorkflowDataProxyData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { Journal } from '../../../../../nodes/DocumentWorkflow/actions/sending/journal';
import {
	mayHaveSentBefore,
	noteRun,
	reportWhenStopped,
} from '../../../../../nodes/DocumentWorkflow/actions/sending/brokenOff';
import { contextOf, node } from '../../../support/context';
import { fc } from '../../../../properties';

const label = (itemIndex: number) => ({
	workflowId: 'w',
	itemIndex,
	hash: '',
	externalId: '',
	files: '',
});

/** A run that has started these executions. */
function runWith(executionIds: string[], { stores = true } = {}) {
	const stop = new AbortController();
	const log = jest.fn();
	const stored = new Map<string, string>();
	const customData = { set: (name: string, value: string) => stored.set(name, value) };
	const context: IExecuteFunctions = contextOf({
		getContext: () => ({}),
		getInputData: () => [],
		getExecutionId: () => '1',
		getExecutionCancelSignal: () => stop.signal,
		logger: { warn: log, error: log, info: jest.fn(), debug: log },
		getWorkflowDataProxy: () =>
			({ $execution: stores ? { customData } : undefined }) as Partial<
				ReturnType<IExecuteFunctions['getWorkflowDataProxy']>
			> as ReturnType<IExecuteFunctions['getWorkflowDataProxy']>,
	});
	const journal = new Journal(context);
	executionIds.forEach((executionId, job) => {
		const record = journal.recordOf(String(job), label(job));
		record.sent();
		const execution = { workflowId: 'w', executionId, status: 'running' };
		record.accepted({ execution, about: {}, sentHash: '' });
	});
	return { stop, log, stored, context, journal };
}

describe('the report of a stopped run', () => {
	it('writes what was started into the log, and the IDs into the data of the n8n execution', () => {
		const { stop, log, stored, context, journal } = runWith(['e-0', 'e-1']);
		reportWhenStopped(context, journal);
		const open = { ...label(2), files: 'claim.pdf', externalId: '"INV-1"' };
		journal.recordOf('2', open).sent();
		journal.recordOf('3', label(3)).sent();
		expect(log).not.toHaveBeenCalled();
		stop.abort();
		expect(log.mock.calls).toEqual([
			[
				'The n8n execution was stopped. Started for item 0: e-0 (workflow w), for item 1: e-1 (workflow w). Possibly started: item 2 (claim.pdf), External ID "INV-1", workflow w, item 3, workflow w',
			],
		]);
		expect([...stored]).toEqual([
			['possibly_started_1', 'item 2 (claim.pdf), External ID "INV-1"; item 3'],
			['started_executions_1', 'e-0 e-1'],
		]);
	});

	it('is empty when nothing was started', () => {
		const { stop, log, stored, context, journal } = runWith([]);
		reportWhenStopped(context, journal);
		stop.abort();
		expect([log.mock.calls, stored.size]).toEqual([[], 0]);
	});

	it('names what nodes of the n8n execution have started that had ended before, each once', () => {
		const { stop, log, stored, context, journal } = runWith(['e-0']);
		const second = runWith(['e-1']);
		const other = {
			...second.context,
			getNode: () => ({ ...context.getNode(), id: '2' }),
			getExecutionCancelSignal: () => stop.signal,
		};
		reportWhenStopped(context, journal);
		reportWhenStopped(context, journal);
		reportWhenStopped(other, second.journal);
		stop.abort();
		expect(log.mock.calls).toEqual([
			[
				'The n8n execution was stopped. Started for item 0: e-0 (workflow w). Started for item 0: e-1 (workflow w)',
			],
		]);
		expect([...stored]).toEqual([['started_executions_1', 'e-0 e-1']]);
	});

	it('is only in the log when n8n stores no data of an execution', () => {
		const { stop, log, context, journal } = runWith(['e-0'], { stores: false });
		reportWhenStopped(context, journal);
		stop.abort();
		expect(log).toHaveBeenCalledTimes(1);
	});

	it('is skipped when n8n has no cancel signal', () => {
		const { context, journal } = runWith(['e-0']);
		expect(() =>
			reportWhenStopped({ ...context, getExecutionCancelSignal: () => undefined }, journal),
		).not.toThrow();
	});
});

it('Creates without an answer have the first places in the data, whatever their names', () => {
	const ids = Array.from({ length: 200 }, (_, number) => `execution-${number}`);
	const { stop, stored, context, journal } = runWith(ids);
	reportWhenStopped(context, journal);
	const long = { files: 'ü'.repeat(600), externalId: 'x'.repeat(600) };
	for (let item = 0; item < 40; item++)
		journal.recordOf(`open ${item}`, { ...label(item), ...(item % 2 === 0 ? long : {}) }).sent();
	stop.abort();
	expect(stored.size).toBe(8);
	for (const value of stored.values()) expect(value.length).toBeLessThanOrEqual(512);
	const open = [...stored].flatMap(([name, value]) => (name.startsWith('possibly') ? [value] : []));
	expect(open.join('; ').match(/item \d+/g)).toEqual(ids.slice(0, 40).map((_, n) => `item ${n}`));
	expect([...stored.keys()].at(-1)).toBe('started_executions_1');
});

it('The IDs fill at most eight values of at most 512 characters, in order, and none is truncated', () => {
	const id = fc.string({ unit: fc.constantFrom('a', 'b', '-', '7'), minLength: 1, maxLength: 512 });
	fc.assert(
		fc.property(fc.array(id, { maxLength: 60 }), (executionIds) => {
			const { stop, stored, context, journal } = runWith(executionIds);
			reportWhenStopped(context, journal);
			stop.abort();
			expect([...stored.keys()]).toEqual(
				Array.from({ length: stored.size }, (_, number) => `started_executions_${number + 1}`),
			);
			expect(stored.size).toBeLessThanOrEqual(8);
			for (const value of stored.values()) expect(value.length).toBeLessThanOrEqual(512);
			const kept = [...stored.values()].flatMap((value) => value.split(' '));
			let from = 0;
			for (const each of kept) from = executionIds.indexOf(each, from) + 1 || NaN;
			expect(from).not.toBeNaN();
			if (executionIds.join(' ').length <= 512)
				expect([...stored.values()].join()).toBe(executionIds.join(' '));
			if (stored.size < 8) expect(kept).toEqual(executionIds);
		}),
	);
});

it.each([
	[[255, 256], [512]],
	[
		[256, 256],
		[256, 256],
	],
	[
		[512, 1, 1],
		[512, 3],
	],
])('IDs of %j characters fill values of %j characters', (lengths, values) => {
	const { stop, stored, context, journal } = runWith(lengths.map((length) => 'e'.repeat(length)));
	reportWhenStopped(context, journal);
	stop.abort();
	expect([...stored.values()].map(({ length }) => length)).toEqual(values);
});

const REPLACED = [{ json: { isArtificialRecoveredEventItem: true } }];
/** n8n stored a run of the node in the n8n execution before this one. */
const HAS_RUN = { documentWorkflowFirstRun: '1 0' };

interface Known {
	/** The output of the node before in its first run. */
	output?: unknown;
	memory?: IDataObject;
	mode?: WorkflowExecuteMode;
	/** Whether n8n lists this node. */
	isExecuted?: boolean;
	/** The n8n execution that last retried a pause. This one is 2. */
	retriedPause?: string;
	runIndex?: number;
	execution?: string;
	type?: string;
}

/** Whether a run of the node may have sent its documents before. */
function isUncertain(known: Known): boolean {
	const { output, memory = {}, mode = 'retry', isExecuted, retriedPause, runIndex = 0 } = known;
	const { execution = '2', type = node.type } = known;
	const $items = (name: string, outputIndex: number, index: number) => {
		expect([name, outputIndex, index]).toEqual(['Before', 0, 0]);
		if (output === undefined) throw new Error('No execution data available');
		return output;
	};
	const $ = (name: string) => ({ isExecuted: isExecuted && name === node.name });
	const contexts = { node: memory, flow: { documentWorkflowRetriedPause: retriedPause } };
	const context = contextOf({
		getMode: () => mode,
		getNode: () => ({ ...node, type }),
		getExecutionId: () => execution,
		getContext: (kind) => contexts[kind],
		getExecuteData: () => ({
			node,
			data: {},
			source: { main: [{ previousNode: 'Before', previousNodeRun: 1 }] },
		}),
		getWorkflowDataProxy: () =>
			({ $items, $, $runIndex: runIndex }) as unknown as IWorkflowDataProxyData,
	});
	noteRun(context);
	return mayHaveSentBefore(context);
}

describe('A retry', () => {
	it.each<[string, Known]>([
		['the previous node had ended before the crash', { output: REPLACED }],
		['the same holds and the node had run', { output: REPLACED, memory: HAS_RUN }],
		['the node had begun, and the crash lost its memory', { isExecuted: true }],
		['it retries a pause', { memory: HAS_RUN, isExecuted: true, retriedPause: '2' }],
	])('may have sent before when %s, and only another retry sends the documents', (_when, known) => {
		const memory: IDataObject = { ...known.memory };
		const uncertain = (execution: string, runIndex: number) =>
			isUncertain({ ...known, memory, execution, runIndex });
		expect([uncertain('2', 0), uncertain('2', 0), uncertain('2', 1)]).toEqual([true, true, true]);
		expect(uncertain('3', 0)).toBe(false);
	});

	it.each<[string, Known]>([
		['the previous node had not ended', { output: [{ about: {} }] }],
		['the previous node returned nothing', { output: [] }],
		['n8n has no output of the previous node', {}],
		['n8n says something else', { output: 'nothing' }],
		['the node had not begun', { isExecuted: false }],
		['the node had not begun behind a pause', { isExecuted: false, retriedPause: '2' }],
		['an earlier n8n execution retried a pause', { memory: HAS_RUN, retriedPause: '1' }],
		['n8n has stored a run of the node', { memory: HAS_RUN, isExecuted: true }],
		['it is a tool, which n8n always lists', { type: `${node.type}Tool`, isExecuted: true }],
		['it is no retry', { mode: 'trigger', output: REPLACED, isExecuted: true, retriedPause: '2' }],
	])('has not sent before when %s', (_when, known) => {
		expect(isUncertain({ ...known, memory: { ...known.memory } })).toBe(false);
	});

	it('has not sent before in its second run, if the node had not begun', () => {
		const memory: IDataObject = {};
		expect(isUncertain({ memory })).toBe(false);
		expect(isUncertain({ memory, isExecuted: true, runIndex: 1 })).toBe(false);
	});
});
