import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { asNodeError } from '../../../nodes/DocumentWorkflow/actions/failures';
import type { Call, Operation } from '../../../nodes/DocumentWorkflow/actions/operation';
import { runForAllItems } from '../../../nodes/DocumentWorkflow/actions/run';
import { waitFor } from '../../../nodes/DocumentWorkflow/actions/wait';

const node: INode = { id: '1', name: 'Document Workflow', type: 't', typeVersion: 1, position: [0, 0], parameters: {} };
const credential = { environment: 'production', productionUrl: 'https://api.example.com', clientId: 'id', clientSecret: 'secret' };

/** The moments that a real run of n8n only meets by chance. */
function contextOf(itemCount: number, stop: AbortController, log: (text: string) => void): IExecuteFunctions {
	const context: Partial<IExecuteFunctions> = {
		getNode: () => node,
		getInputData: () => Array.from({ length: itemCount }, () => ({ json: {} })),
		continueOnFail: () => true,
		getContext: () => ({}),
		getExecutionId: () => '1',
		evaluateExpression: () => 0,
		getExecutionCancelSignal: () => stop.signal,
		logger: { warn: log, error: log, info: log, debug: log },
		getCredentials: <T extends object>() => Promise.resolve(credential as T),
	};
	return context as IExecuteFunctions;
}

const operation = (run: Operation['run']): Operation => ({ option: { name: 'Create', value: 'create' }, fields: [], run });

describe('a run that is stopped in the moment in which its last item succeeds', () => {
	it('still tells which executions were started', async () => {
		const stop = new AbortController();
		const start = operation(async ({ itemIndex, starts }) => {
			starts.keep(itemIndex, { kind: 'accepted', execution: { workflowId: 'w', executionId: `e-${itemIndex}`, status: 'running' }, sent: '' });
			if (itemIndex === 1) stop.abort();
			return Promise.resolve({ ok: true, json: {} });
		});
		const log = jest.fn();
		const run = runForAllItems(contextOf(2, stop, log), start);
		await expect(run).rejects.toMatchObject({
			message: 'The n8n execution was stopped',
			description: 'Executions that were started: item 0: e-0 (workflow w), item 1: e-1 (workflow w)',
		});
		expect(log).toHaveBeenCalledWith(expect.stringContaining('item 0: e-0 (workflow w), item 1: e-1 (workflow w)'));
	});
});

describe('whatever is thrown while an item is worked on', () => {
	it('becomes an error of the node that names the item', () => {
		for (const thrown of [new Error('broken'), 'broken']) {
			const error = asNodeError(node, thrown, 3);
			expect(error).toBeInstanceOf(NodeOperationError);
			expect(error.message).toBe('broken');
			expect(error.context.itemIndex).toBe(3);
		}
	});

	it('stays what it is when it is one already', () => {
		const errors = [new NodeOperationError(node, 'a'), new NodeApiError(node, { message: 'b' })];
		expect(errors.map((error) => asNodeError(node, error, 0))).toEqual(errors);
	});
});

describe('a wait that comes to its end', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	it.each([
		[45, '45 seconds'],
		[60, '1 minute'],
		[5400, '90 minutes'],
		[100, '1.7 minutes'],
	])('after %d s says that %s have passed', async (seconds, words) => {
		const context: Partial<IExecuteFunctions> = { getNode: () => node };
		const call: Call = {
			context: context as IExecuteFunctions,
			itemIndex: 0,
			starts: { of: () => undefined, keep: () => undefined, summary: () => '' },
			connection: {
				send: () => Promise.resolve({ kind: 'answer', status: 200, headers: {}, body: { status: 'queued' } }),
				pause: async (milliseconds) => void (await jest.advanceTimersByTimeAsync(milliseconds)),
			},
		};
		const plan = { firstMilliseconds: 5000, longestMilliseconds: 30_000, timeoutMilliseconds: seconds * 1000 };
		const result = await waitFor(call, { workflowId: 'w', executionId: 'e-1', status: 'running' }, plan, 'simplified', true);
		expect(result).toMatchObject({
			ok: false,
			error: { message: `Execution e-1 has not ended after ${words}; its status is "queued"` },
			json: { workflowId: 'w', executionId: 'e-1', status: 'queued' },
		});
	});
});
