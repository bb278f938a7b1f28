import type { IContextObject, IDataObject } from 'n8n-workflow';

import { markOf, openStarts } from '../../../../nodes/DocumentWorkflow/actions/starts';
import { contextOf } from '../../support/context';

/** A run, or a try, of the node; n8n keeps what it stores in `memory`. */
function opened(
	memory: IContextObject,
	{
		executionId = '1',
		runIndex = 0,
		input = { n: 1 },
	}: { executionId?: string; runIndex?: number; input?: IDataObject } = {},
) {
	return openStarts(
		contextOf({
			getContext: () => memory,
			getExecutionId: () => executionId,
			evaluateExpression: () => runIndex,
			getInputData: () => [{ json: input }],
		}),
	);
}

const accepted = (executionId: string, { sent = 'mark', itemIndex = 0 } = {}) =>
	({
		kind: 'accepted',
		execution: { workflowId: 'w', executionId, status: 'running' },
		json: { documents: [] },
		itemIndex,
		sent,
		externalId: '',
	}) as const;
const unknown = ({ itemIndex = 0, externalId = '' } = {}) =>
	({ kind: 'unknown', workflowId: 'w', itemIndex, sent: 'mark', externalId }) as const;

describe('what was started', () => {
	it('is found by the next try of the same run, where the same is sent', () => {
		const memory: IContextObject = {};
		opened(memory).keep('3', accepted('e-1'));
		const next = opened(memory);
		expect(next.of('3', 'mark')).toMatchObject({
			kind: 'accepted',
			execution: { executionId: 'e-1' },
			json: { documents: [] },
		});
		expect(next.of('3')).toMatchObject({ kind: 'accepted' });
		expect([next.of('3', 'another mark'), next.of('2', 'mark')]).toEqual([undefined, undefined]);
	});

	it('is found by a try that n8n counts as a run of its own, as it does for tools', () => {
		const memory: IContextObject = {};
		opened(memory).keep('0', accepted('e-1'));
		expect(opened(memory, { runIndex: 1 }).of('0')).toMatchObject({ kind: 'accepted' });
		expect(opened(memory, { runIndex: 2 }).of('0')).toMatchObject({ kind: 'accepted' });
	});

	it('is found when n8n repeats a run that had come to its end', () => {
		const memory: IContextObject = {};
		const first = opened(memory);
		first.keep('0', accepted('e-1'));
		first.close();
		expect(opened(memory).of('0')).toMatchObject({ kind: 'accepted' });
	});

	it('is found when a user retries the n8n execution, which n8n counts as another one', () => {
		const memory: IContextObject = {};
		opened(memory).keep('0', accepted('e-1'));
		const retried = opened(JSON.parse(JSON.stringify(memory)) as IContextObject, {
			executionId: '2',
		});
		expect(retried.of('0', 'mark')).toMatchObject({
			kind: 'accepted',
			execution: { executionId: 'e-1' },
			startedIn: '1',
		});
		retried.keep('1', accepted('e-2'));
		expect(retried.of('1')).toMatchObject({ startedIn: '2' });
	});

	it('is started anew when a user retries what has failed in the service, not by Retry On Fail', () => {
		const memory: IContextObject = {};
		const first = opened(memory);
		first.keep('0', accepted('e-1'));
		first.failed('0');
		expect(opened(memory).of('0')).toMatchObject({ execution: { executionId: 'e-1' } });
		const retried = opened(memory, { executionId: '2' });
		expect(retried.of('0', 'mark')).toBeUndefined();
		retried.keep('0', accepted('e-2'));
		expect(retried.of('0')).toMatchObject({ execution: { executionId: 'e-2' } });
		expect(retried.executionIds()).toEqual(['e-1', 'e-2']);
	});

	it.each([
		['pass of a loop, once the one before has come to its end', { runIndex: 1 }],
		['run with another input', { runIndex: 1, input: { n: 2 } }],
		['run of the same number, with another input', { input: { n: 2 } }],
	])('is not found in another %s', (_, other) => {
		const memory: IContextObject = {};
		const first = opened(memory);
		first.keep('0', accepted('e-1'));
		first.close();
		expect(opened(memory, other).of('0')).toBeUndefined();
	});

	it('is not found in a run with another input while the first is not over', () => {
		const memory: IContextObject = {};
		opened(memory).keep('0', accepted('e-1'));
		const other = opened(memory, { runIndex: 1, input: { n: 2 } });
		expect(other.of('0')).toBeUndefined();
		other.keep('0', accepted('e-2'));
		expect(opened(memory).of('0')).toMatchObject({ execution: { executionId: 'e-1' } });
	});

	it('is kept for the last twenty runs', () => {
		const memory: IContextObject = {};
		for (let runIndex = 0; runIndex <= 20; runIndex++)
			opened(memory, { runIndex, input: { n: runIndex } }).keep('0', accepted(`e-${runIndex}`));
		expect(opened(memory, { runIndex: 1, input: { n: 1 } }).of('0')).toMatchObject({
			kind: 'accepted',
		});
		expect(opened(memory, { runIndex: 0, input: { n: 0 } }).of('0')).toBeUndefined();
	});

	it('survives being stored as JSON, as n8n stores it', () => {
		const memory: IContextObject = {};
		opened(memory).keep('0', unknown());
		expect(
			opened(JSON.parse(JSON.stringify(memory)) as IContextObject).of('0', 'mark'),
		).toMatchObject({ kind: 'unknown', workflowId: 'w' });
	});

	it('is forgotten when it came to nothing', () => {
		const memory: IContextObject = {};
		const starts = opened(memory);
		starts.keep('0', unknown());
		starts.forget('0');
		expect([starts.of('0'), opened(memory).of('0'), starts.summary()]).toEqual([
			undefined,
			undefined,
			'',
		]);
	});
});

describe('what has failed in the service', () => {
	/** An n8n execution in which it failed, and the one of a user's retry. */
	const retried = (executionId = '2') => {
		const memory: IContextObject = {};
		const first = opened(memory);
		first.keep('0', { ...accepted('e-1'), json: { documents: [{ sha256: 'abc' }] } });
		first.keep('1', accepted('e-2'));
		first.failed('0');
		return opened(memory, { executionId });
	};

	it('is started anew when a user retries, and what was sent for it is known', () => {
		const starts = retried();
		expect(starts.of('0', 'mark')).toBeUndefined();
		expect(starts.failedBefore('0', 'mark')).toEqual({ documents: [{ sha256: 'abc' }] });
		expect([
			starts.failedBefore('0', 'another mark'),
			starts.failedBefore('1', 'mark'),
			retried('1').failedBefore('0', 'mark'),
		]).toEqual([undefined, undefined, undefined]);
	});

	it('stays so where the retry came to nothing', () => {
		const starts = retried();
		starts.keep('0', unknown());
		starts.keep('1', { ...unknown(), sent: 'another mark' });
		expect(starts.failedBefore('0', 'mark')).toBeUndefined();
		starts.forget('0');
		expect(starts.failedBefore('0', 'mark')).toEqual({ documents: [{ sha256: 'abc' }] });
		starts.keep('0', accepted('e-3'));
		expect(starts.failedBefore('0', 'mark')).toBeUndefined();
		expect(starts.executionIds().sort()).toEqual(['e-1', 'e-2', 'e-3']);
	});
});

describe('the sum of what was started', () => {
	it('tells a person what was started, and what is not known, with the own identifier of the case', () => {
		const starts = opened({});
		expect(starts.summary()).toBe('');
		starts.keep('0', accepted('e-1'));
		expect(starts.summary()).toBe('Executions that were started: item 0: e-1 (workflow w)');
		starts.keep('1', accepted('e-2', { itemIndex: 5 }));
		starts.keep('2', unknown({ itemIndex: 7 }));
		starts.keep('3', unknown({ itemIndex: 8, externalId: 'INV-1' }));
		expect(starts.summary()).toBe(
			'Executions that were started: item 0: e-1 (workflow w), item 5: e-2 (workflow w). Not known whether an execution was started: item 7 (workflow w), item 8 (workflow w, External ID INV-1)',
		);
		expect(starts.executionIds()).toEqual(['e-1', 'e-2']);
	});

	it('keeps what was started for something else in the same place, and takes an answer for what was not known', () => {
		const starts = opened({});
		starts.keep('0', unknown());
		starts.keep('0', accepted('e-1'));
		expect(starts.executionIds()).toEqual(['e-1']);
		expect(starts.summary()).not.toContain('Not known');
		starts.keep('0', accepted('e-2', { sent: 'another mark' }));
		expect(starts.executionIds()).toEqual(['e-1', 'e-2']);
		expect(starts.of('0')).toMatchObject({ execution: { executionId: 'e-2' } });
	});
});

it('A mark tells whether the same was sent', () => {
	expect(markOf(['w', { a: 1 }])).toBe(markOf(['w', { a: 1 }]));
	expect(
		new Set([markOf(['w', { a: 1 }]), markOf(['w', { a: 2 }]), markOf(['v', { a: 1 }])]).size,
	).toBe(3);
});
