import type { IBinaryData } from 'n8n-workflow';
import { answer, POLICY_STEPS } from './support/answers';
import { useBinaryMode, type BinaryMode } from './support/binary-storage';
import { runFlow, type Outcome } from './support/engine';
import { file } from './support/helper-nodes';
import { operation, policyItem, useService, workflowById } from './support/service';

const service = useService();
afterAll(() => useBinaryMode('memory'));

const SOON = { waiting: { firstCheckSeconds: 0.1 } };
/** The names of the files of each item that the next node received, by field. */
const filesIn = ({ received: [items] }: Outcome) =>
	items.map(({ binary = {} }) =>
		Object.fromEntries(Object.entries(binary).map(([field, { fileName }]) => [field, fileName])),
	);
const inputFile = ({ run: { data } }: Outcome): IBinaryData | undefined =>
	data.resultData.runData.Items?.[0]?.data?.main?.[0]?.[0]?.binary?.data;

describe.each<BinaryMode>(['memory', 'filesystem'])(
	'The files that were sent (%s mode)',
	(mode) => {
		beforeEach(() => useBinaryMode(mode));

		it.each(['create', 'createAndWait'] as const)(
			'go on with the item as they came in, not copied: %s',
			async (name) => {
				answer(service, { steps: POLICY_STEPS });
				const outcome = await runFlow({
					...service,
					parameters: operation(name, { ...SOON, outputOptions: { includeFiles: true } }),
					items: [policyItem()],
				});
				const [sent] = outcome.received[0];
				expect(sent?.binary).toEqual({ data: inputFile(outcome) });
				expect(inputFile(outcome)?.fileName).toBe('policy.txt');
				if (mode === 'filesystem') expect(sent?.binary?.data?.id).toMatch(/^filesystem/);
			},
		);
	},
);

describe('The files that were sent', () => {
	it('go on after a pause, which sends nothing again', async () => {
		const first = await runFlow({
			...service,
			parameters: operation('createAndWait', {
				workflowId: workflowById('never-ending'),
				groupBy: 'document',
				inputDataFieldName: '*',
				waiting: { firstCheckSeconds: 1, pauseAfterSeconds: 6 },
				outputOptions: { includeFiles: true },
			}),
			items: [{ files: { a: file('a.txt'), b: file('b.txt') } }],
		});
		expect(first.status).toBe('waiting');
		for (const { executionId } of service.state.executions.all())
			await service.state.executions.finish(executionId, { status: 'completed' });
		const last = await first.continue();
		expect(last.status).toBe('success');
		expect(filesIn(last)).toEqual([{ a: 'a.txt' }, { b: 'b.txt' }]);
		expect(service.requests('create')).toHaveLength(2);
	});
});
