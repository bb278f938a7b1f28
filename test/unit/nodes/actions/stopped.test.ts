import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';

import { Journal } from '../../../../nodes/DocumentWorkflow/actions/journal';
import { reportWhenStopped } from '../../../../nodes/DocumentWorkflow/actions/stopped';
import { contextOf } from '../../support/context';

const sending = (itemIndex: number) => ({ workflowId: 'w', itemIndex, sent: '', externalId: '' });

/** A run in which these executions were started. */
function runWith(executionIds: string[], { stores = true } = {}) {
	const stop = new AbortController();
	const log = jest.fn();
	const stored = new Map<string, string>();
	const customData = { set: (name: string, value: string) => stored.set(name, value) };
	const context: IExecuteFunctions = contextOf({
		getContext: () => ({}),
		getInputData: () => [],
		getExecutionId: () => '1',
		evaluateExpression: () => 0,
		getExecutionCancelSignal: () => stop.signal,
		logger: { warn: log, error: log, info: log, debug: log },
		getWorkflowDataProxy: () =>
			({ $execution: stores ? { customData } : undefined }) as Partial<
				ReturnType<IExecuteFunctions['getWorkflowDataProxy']>
			> as ReturnType<IExecuteFunctions['getWorkflowDataProxy']>,
	});
	const journal = new Journal(context);
	executionIds.forEach((executionId, job) => {
		const page = journal.page(String(job), sending(job));
		page.left();
		page.accepted({ workflowId: 'w', executionId, status: 'running' }, {});
	});
	return { stop, log, stored, context, journal };
}

describe('in the moment of the stop', () => {
	it('what was started stands in the log, and its identifiers in the data of the execution', () => {
		const { stop, log, stored, context, journal } = runWith(['e-0', 'e-1']);
		reportWhenStopped(context, journal);
		journal.page('2', sending(2)).left();
		expect(log).not.toHaveBeenCalled();
		stop.abort();
		expect(log.mock.calls).toEqual([
			[
				'The n8n execution was stopped. Executions that were started: item 0: e-0 (workflow w), item 1: e-1 (workflow w). Not known whether an execution was started: item 2 (workflow w)',
			],
		]);
		expect([...stored]).toEqual([['started_executions_1', 'e-0 e-1']]);
	});

	it('nothing is told when nothing was started', () => {
		const { stop, log, stored, context, journal } = runWith([]);
		reportWhenStopped(context, journal);
		stop.abort();
		expect([log.mock.calls, stored.size]).toEqual([[], 0]);
	});

	it('nothing is told when the result was given before', () => {
		const { stop, log, stored, context, journal } = runWith(['e-0']);
		reportWhenStopped(context, journal)();
		stop.abort();
		expect([log.mock.calls, stored.size]).toEqual([[], 0]);
	});

	it('the log has it where n8n stores no data of an execution', () => {
		const { stop, log, context, journal } = runWith(['e-0'], { stores: false });
		reportWhenStopped(context, journal);
		stop.abort();
		expect(log).toHaveBeenCalledTimes(1);
	});

	it('goes unnoticed where n8n has no such signal', () => {
		const { context, journal } = runWith(['e-0']);
		expect(() =>
			reportWhenStopped({ ...context, getExecutionCancelSignal: () => undefined }, journal)(),
		).not.toThrow();
	});
});

it('The identifiers fill at most eight values of at most 512 characters, in their order, and none is cut', () => {
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
			const told = [...stored.values()].flatMap((value) => value.split(' '));
			let from = 0;
			for (const each of told) from = executionIds.indexOf(each, from) + 1 || NaN;
			expect(from).not.toBeNaN();
			if (executionIds.join(' ').length <= 512)
				expect([...stored.values()].join()).toBe(executionIds.join(' '));
			if (stored.size < 8) expect(told).toEqual(executionIds);
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
])('Identifiers of %j characters fill values of %j', (lengths, values) => {
	const { stop, stored, context, journal } = runWith(lengths.map((length) => 'e'.repeat(length)));
	reportWhenStopped(context, journal);
	stop.abort();
	expect([...stored.values()].map(({ length }) => length)).toEqual(values);
});

it('More than a hundred identifiers of usual length have room', () => {
	const executionIds = Array.from(
		{ length: 110 },
		(_, number) => `5f0c8a1e-0000-4000-8000-${String(number).padStart(12, '0')}`,
	);
	const { stop, stored, context, journal } = runWith(executionIds);
	reportWhenStopped(context, journal);
	stop.abort();
	expect([...stored.values()].join(' ').split(' ').slice(0, 104)).toEqual(
		executionIds.slice(0, 104),
	);
	expect(stored.size).toBe(8);
});
