import type { INodeExecutionData } from 'n8n-workflow';

import { outcomeOfAction } from '../structure/actionRun';

interface Outcome {
	outcomes: Array<{ output: INodeExecutionData[][] & { message?: string } }>;
	requests: unknown[];
}

const WORKFLOW = { workflowId: { __rl: true, mode: 'id', value: 'intake' } };
const run = async (parameters: object, items?: INodeExecutionData[]) =>
	(await outcomeOfAction({
		parameters: { ...WORKFLOW, ...parameters },
		...(items === undefined ? {} : { items }),
	})) as Outcome;

describe('A report in the output of the node', () => {
	it('is not sent as a document by the next Create Execution', async () => {
		const first = await run({
			operation: 'get',
			executionId: 'e-1',
			outputOptions: { attachReport: true },
		});
		const [items] = first.outcomes[0]?.output ?? [];
		expect(items?.map(({ binary = {} }) => Object.keys(binary))).toEqual([['report']]);
		const { outcomes, requests } = await run({ operation: 'create' }, items);
		expect(outcomes[0]?.output.message).toBe(
			"The input item has only files that this package attached: 'report'",
		);
		expect(requests).toEqual([]);
	});
});
