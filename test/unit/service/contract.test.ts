import { executionPath, executionsPath } from '../../../service/executions';
import { readExecution, readStarted } from '../../../service/reading';
import { UNDECLARED } from '../../../service/contract';

const asked = { workflowId: 'wf', executionId: 'ex' };

describe('paths', () => {
	it('encode identifiers, whatever they contain', () => {
		expect(executionsPath('a/b')).toBe('/api/v1/workflow-builder/workflows/a%2Fb/executions');
		expect(executionPath('wf', '../x?y#z')).toBe(
			'/api/v1/workflow-builder/workflows/wf/executions/..%2Fx%3Fy%23z',
		);
	});
});

describe('the answer to a create', () => {
	it('has the published identifier', () => {
		const body = {
			workflow_execution_id: 'ex-1',
			id: 'other',
			status: 'running',
			message: 'Execution triggered successfully',
		};
		expect(readStarted(body, 'wf')).toEqual({
			workflowId: 'wf',
			executionId: 'ex-1',
			status: 'running',
		});
	});
});

describe('the answer to a get', () => {
	it('does not use the field id as identifier', () => {
		expect(readExecution({ id: 'db-7', status: 'running' }, asked)?.executionId).toBe('ex');
	});

	it.each([[{}], [{ status: 3.5, steps: [] }], ['<html>'], [undefined]])(
		'needs a status, which may be a number: %j',
		(body) => {
			const execution = readExecution(body, asked);
			expect(execution?.status).toBe(
				typeof body === 'object' && 'status' in body ? '3.5' : undefined,
			);
		},
	);

	const completed = {
		workflow_id: 'wf',
		workflow_execution_id: 'ex',
		status: 'completed',
		metadata: { external_id: 'INV-1' },
		steps: [
			{
				step_name: 'details',
				data: {
					schema: {},
					data: [{ policy_number: { value: 'CPP-1', confidence_score: 0.98 } }],
					metadata: {},
				},
			},
		],
	};

	it('is read into steps, rows and cells', () => {
		const execution = readExecution(completed, asked);
		expect(execution).toMatchObject({
			...asked,
			status: 'completed',
			phase: 'completed',
			metadata: { external_id: 'INV-1' },
		});
		expect(execution?.steps).toEqual([
			{
				stepName: 'details',
				name: 'details',
				schema: UNDECLARED,
				rows: [{ policy_number: { value: 'CPP-1', confidence_score: 0.98 } }],
				other: undefined,
				isAtUrl: false,
				scores: [],
				faults: [],
			},
		]);
		expect(execution?.raw).toBe(completed);
	});

	it('has a status of one short line, because it is logged', () => {
		const status = `done\nerror: forged ${'x'.repeat(100_000)}`;
		expect(readExecution({ status }, asked)?.status).toMatch(/^done error: forged x+…$/);
		expect(readStarted({ id: 'e-1', status }, 'wf')?.status).toHaveLength(100);
	});

	it.each([[2 ** 60], ['..'], ['e\n1'], ['\ud800']])(
		'of a create has no identifier in %j, and of a check keeps the one that was asked for',
		(id) => {
			expect(readStarted({ workflow_execution_id: id }, 'wf')).toBeUndefined();
			expect(
				readExecution({ status: 'running', workflow_execution_id: id, workflow_id: id }, asked),
			).toMatchObject(asked);
		},
	);

	it('ignores a message of a running execution as failure reason', () => {
		const execution = readExecution({ status: 'running', message: 'page 2 of 5' }, asked);
		expect(execution).toMatchObject({ status: 'running', failureReason: undefined });
	});
});
