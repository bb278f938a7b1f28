import type { IDataObject, IWorkflowDataProxyData, WorkflowExecuteMode } from 'n8n-workflow';

import { mayHaveSentBefore } from '../../../../../nodes/DocumentWorkflow/actions/sending/retried';
import { contextOf, node } from '../../../support/context';

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
	it('may have sent before when the previous node had ended before the crash, and another retry knows that it was told', () => {
		const memory: IDataObject = {};
		expect(mayHaveSentBefore(run(REPLACED, memory))).toBe(true);
		expect(mayHaveSentBefore(run(REPLACED, memory))).toBe(false);
	});

	it.each<[string, unknown, WorkflowExecuteMode]>([
		['the previous node had not ended', [{ json: {} }], 'retry'],
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
