import type {
	IDataObject,
	IExecuteFunctions,
	IWorkflowDataProxyData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { Journal } from '../../../../../nodes/DocumentWorkflow/actions/sending/journal';
import {
	mayHaveSentBefore,
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

/** A run behind a node with this output in its first run. */
function run(output: unknown, memory: IDataObject = {}, mode: WorkflowExecuteMode = 'retry') {
	const $items = (name: string, outputIndex: number, runIndex: number) => {
		expect([name, outputIndex, runIndex]).toEqual(['Before', 0, 0]);
		if (output === undefined) throw new Error('No execution data available');
		return output;
	};
	return contextOf({
		getMode: () => mode,
		getContext: () => memory,
		getExecuteData: () => ({
			node,
			data: {},
			source: { main: [{ previousNode: 'Before', previousNodeRun: 1 }] },
		}),
		getWorkflowDataProxy: () => ({ $items }) as unknown as IWorkflowDataProxyData,
	});
}

describe('A retry', () => {
	it('may have sent before when the previous node had ended before the crash, and another retry sends the documents', () => {
		const memory: IDataObject = {};
		expect(mayHaveSentBefore(run(REPLACED, memory))).toBe(true);
		expect(mayHaveSentBefore(run(REPLACED, memory))).toBe(false);
	});

	it.each<[string, unknown, WorkflowExecuteMode]>([
		['the previous node had not ended', [{ about: {} }], 'retry'],
		['the previous node returned nothing', [], 'retry'],
		['n8n has no output of the previous node', undefined, 'retry'],
		['n8n says something else', 'nothing', 'retry'],
		['it is no retry', REPLACED, 'trigger'],
	])('has not sent before when %s', (_when, output, mode) => {
		const memory: IDataObject = {};
		expect(mayHaveSentBefore(run(output, memory, mode))).toBe(false);
		expect(memory).toEqual({});
	});

	it('has not sent before when no node came before it', () => {
		const context = { ...run(REPLACED), getExecuteData: () => ({ node, data: {}, source: null }) };
		const getWorkflowDataProxy = () => ({}) as unknown as IWorkflowDataProxyData;
		expect(mayHaveSentBefore({ ...context, getWorkflowDataProxy })).toBe(false);
	});
});
