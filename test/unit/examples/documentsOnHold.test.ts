import { Workflow } from 'n8n-workflow';
import { z } from 'zod';
import { readExampleWorkflows } from '../../../harness/example-workflows';
import { DocumentWorkflow } from '../../../nodes/DocumentWorkflow/DocumentWorkflow.node';

const choosing = z.object({
	parameters: z.object({
		assignments: z.object({
			assignments: z.array(z.object({ name: z.string(), value: z.string() })),
		}),
	}),
});
const type = new DocumentWorkflow();
const NODE = {
	...{ id: '', name: 'Node', type: 'node', typeVersion: 1, parameters: {} },
	position: [0, 0] as [number, number],
};
const { expression } = new Workflow({
	...{ nodes: [NODE], connections: {}, active: false },
	nodeTypes: { getByName: () => type, getByNameAndVersion: () => type, getKnownTypes: () => ({}) },
});

/** What "Choose the Columns" adds to each item of a run. */
function columnsOf(items: object[]): object[] {
	const nodes = readExampleWorkflows().get('documents-on-hold')?.nodes ?? [];
	const { parameters } = choosing.parse(nodes.find(({ name }) => name === 'Choose the Columns'));
	const given = items.map((json) => ({ json: json as Record<string, string> }));
	const keys = { $execution: { id: '7', mode: 'test' as const, resumeUrl: '', resumeFormUrl: '' } };
	return items.map((_, index) =>
		Object.fromEntries(
			parameters.assignments.assignments.map(({ name, value }) => [
				name,
				expression.getParameterValue(value, null, 0, index, 'Node', given, 'internal', keys),
			]),
		),
	);
}

it('documents-on-hold gives each item a key of its own, also those without an execution, and says what to do', () => {
	const skipped = { executionId: null, row: null, needsReview: true, executionStatus: 'skipped' };
	const row = { executionId: 'a', row: 1, needsReview: false, executionStatus: 'completed' };
	const timedOut = { ...skipped, executionId: 'b', executionStatus: 'on_hold', timedOut: true };
	const columns = columnsOf([
		row,
		{ ...row, row: 2, needsReview: true },
		{ ...row, row: null, needsReview: true, executionStatus: 'failed' },
		timedOut,
		skipped,
		skipped,
	]);
	expect(columns).toEqual([
		{ documentRow: 'a, row 1', whatToDo: '' },
		{ documentRow: 'a, row 2', whatToDo: 'Compare the row with the document, and correct it' },
		{ documentRow: 'a, row none', whatToDo: 'There is no row: see the reason in toReview' },
		{ documentRow: 'b, row none', whatToDo: 'There is no row: see the reason in toReview' },
		...[4, 5].map((item) => ({
			documentRow: `n8n execution 7, run 0, item ${item}`,
			whatToDo: 'Ask the sender for the document',
		})),
	]);
});
