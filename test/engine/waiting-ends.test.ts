import type { INode, INodeParameters } from 'n8n-workflow';
import { answer } from './support/answers';
import { runFlow } from './support/engine';
import { operation, policyItem, useService, workflowById, WORKFLOW_ID } from './support/service';

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

	it.each([[undefined], ['stop']])(
		'Stop (%s) fails with the ID, the waiting time and advice',
		async (ifTimedOut) => {
			const { status, error, outputs } = await waitFor(
				'never-ending',
				ifTimedOut === undefined ? {} : { ifTimedOut },
			);
			expect(status).toBe('error');
			expect(outputs).toEqual([]);
			expect(error?.message).toBe('No result after 0.000167 hours: the execution is still running');
			expect(error?.description).toBe(advice());
		},
	);

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

	it('Continue has needsReview also where no value is judged', async () => {
		const { outputs } = await waitFor(
			'never-ending',
			{ ifTimedOut: 'continue' },
			{},
			'createAndWait',
			{
				minimumConfidence: 0,
			},
		);
		expect(outputs[0]?.map(({ json }) => [json.timedOut, json.needsReview])).toEqual([
			[true, true],
		]);
	});

	it('Continue keeps the item out of the Error output', async () => {
		const { outputs } = await waitFor('never-ending', { ifTimedOut: 'continue' }, ON_ERROR_OUTPUT);
		expect(outputs.map((items) => items.length)).toEqual([1, 0]);
	});

	it('Continue reports the last failed check', async () => {
		service.state.faults.add({ route: 'get', action: { type: 'status', status: 503 } });
		const { outputs } = await waitFor('never-ending', { ifTimedOut: 'continue' });
		expect(outputs[0]?.[0]?.json).toMatchObject({
			timedOut: true,
			status: 'running',
			advice: `${ADVICE}. Last failed check: The service answered with status 503. Execution ${onlyExecution()} (workflow never-ending)`,
		});
	});

	it('a final check at the timeout still counts', async () => {
		const { outputs } = await waitFor(WORKFLOW_ID, { firstCheckSeconds: 60 });
		expect(outputs[0]?.[0]?.json).toMatchObject({
			status: 'completed',
			data: { policy: [{ policy_number: 'CPP-1001' }] },
		});
		expect(service.requests('get')).toHaveLength(1);
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

	it.each(['simplified', 'rows', 'raw', 'selected'])(
		'does not go to the Error output, and has status and reason: %s',
		async (output) => {
			const { status, outputs } = await waitFor('failing', {}, ON_ERROR_OUTPUT, 'createAndWait', {
				output,
				outputOptions: { includeDetails: true },
			});
			expect(status).toBe('success');
			expect(outputs.map((items) => items.length)).toEqual([1, 0]);
			const json = outputs[0]?.[0]?.json;
			expect(json?.needsReview).toBe(true);
			expect(json).toMatchObject({ executionId: onlyExecution() });
			expect(output === 'rows' ? json?.executionDetails : json).toMatchObject({
				workflowId: 'failing',
				status: 'failed',
				documents: [expect.objectContaining({ fileName: 'policy.txt' })],
			});
			expect(JSON.stringify(outputs[0]?.[0]?.json)).toContain('The scan is not readable');
		},
	);
});

describe('A wait', () => {
	it('treats an unknown status as still running', async () => {
		answer(service, { status: 'in_human_review' });
		const { error } = await waitFor(WORKFLOW_ID, {}, {}, 'wait', { executionId: 'e-1' });
		expect(error?.message).toBe(
			'No result after 0.000167 hours: the status "in_human_review" is unknown to this node',
		);
	});
});

it('Items that fail or time out do not affect the others', async () => {
	const { outputs } = await runFlow({
		...service,
		parameters: operation('createAndWait', {
			workflowId: { __rl: true, mode: 'id', value: '={{ $json.workflow }}' },
			waiting: { ...QUICK, ifTimedOut: 'continue' },
		}),
		items: ['never-ending', WORKFLOW_ID, 'failing'].map((workflow) => ({
			...policyItem(),
			json: { workflow },
		})),
	});
	expect(outputs[0]?.map(({ json: { status, timedOut } }) => [status, timedOut])).toEqual([
		['running', true],
		['completed', undefined],
		['failed', undefined],
	]);
});
