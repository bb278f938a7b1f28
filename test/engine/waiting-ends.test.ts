import type { INode, INodeParameters } from 'n8n-workflow';
import { runFlow } from './support/engine';
import { operation, policyItem, useService, workflowById } from './support/service';

const service = useService();

const QUICK = {
	firstCheckSeconds: 0.1,
	longestIntervalMinutes: 0.2 / 60,
	longestWaitHours: 0.01 / 60,
};
const waitFor = (
	workflowId: string,
	waiting: INodeParameters = {},
	settings: Partial<INode> = {},
	name: 'wait' | 'createAndWait' = 'createAndWait',
	more: INodeParameters = {},
) =>
	runFlow({
		...service,
		parameters: operation(name, {
			workflowId: workflowById(workflowId),
			waiting: { ...QUICK, ...waiting },
			...more,
		}),
		items: [{ ...policyItem(), json: { claim: 'CL-1' } }],
		settings,
	});
const onlyExecution = () => String(service.state.executions.all()[0]?.executionId);
const ON_ERROR_OUTPUT: Partial<INode> = { onError: 'continueErrorOutput' };

describe('On Timeout', () => {
	const ADVICE =
		"The execution continues in the service. Use Wait for Completion or Get Execution with its ID, or increase 'Maximum Wait (Hours)' under 'Waiting'";
	const advice = () => `${ADVICE}. Execution ${onlyExecution()} (workflow never-ending)`;

	it('Stop sends the item to the Error output with its execution and input fields', async () => {
		const { outputs, received } = await waitFor('never-ending', {}, ON_ERROR_OUTPUT);
		expect(outputs[0]).toEqual([]);
		expect(received[1].map(({ json }) => json)).toEqual([
			{
				index: 0,
				claim: 'CL-1',
				error: {
					message: 'No result after 0.000167 hours: the execution is still running',
					description: advice(),
					workflowId: 'never-ending',
					executionId: onlyExecution(),
					status: 'running',
					watchedSeconds: expect.any(Number),
					checks: service.requests('get').length,
					documents: [expect.objectContaining({ fileName: 'policy.txt' })],
					skipped: [],
				},
			},
		]);
		const { watchedSeconds } = received[1][0]?.json.error as { watchedSeconds: number };
		expect(watchedSeconds).toBe(0.6);
	});

	it('Continue returns an item marked as timed out, without data', async () => {
		const { status, outputs } = await waitFor('never-ending', { ifTimedOut: 'continue' });
		expect(status).toBe('success');
		expect(outputs[0]?.map(({ json }) => json)).toEqual([
			{
				workflowId: 'never-ending',
				executionId: onlyExecution(),
				status: 'running',
				watchedSeconds: expect.any(Number),
				checks: service.requests('get').length,
				timedOut: true,
				needsReview: true,
				toReview: 'No result after 0.000167 hours: the execution is still running',
				message: expect.stringContaining('No result after 0.000167 hours'),
				advice: advice(),
				documents: [expect.objectContaining({ fileName: 'policy.txt' })],
				skipped: [],
			},
		]);
	});
});

describe('A failed execution', () => {
	it.each(['createAndWait', 'wait'] as const)(
		'goes on with what is known, and says the reason in a hint: %s',
		async (name) => {
			await waitFor('failing');
			const executionId = onlyExecution();
			const given = name === 'wait' ? { executionId } : {};
			const { status, outputs, hints } = await waitFor('failing', {}, {}, name, given);
			expect(status).toBe('success');
			expect(outputs[0]?.map(({ json }) => json)).toMatchObject([
				{
					needsReview: true,
					toReview: 'The execution failed: The scan is not readable',
					status: 'failed',
					failureReason: 'The scan is not readable',
					...(name === 'wait' ? {} : { documents: [{ fileName: 'policy.txt' }] }),
				},
			]);
			expect(hints).toEqual([
				'The item needs review. The execution failed: The scan is not readable',
			]);
		},
	);
});
