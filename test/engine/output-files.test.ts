import type { IBinaryData, INodeParameters } from 'n8n-workflow';
import { answer, POLICY_STEPS } from './support/answers';
import { useBinaryMode, type BinaryMode } from './support/binary-storage';
import { runFlow, type Outcome } from './support/engine';
import { file } from './support/files';
import type { InputItem } from './support/helper-nodes';
import { operation, policyItem, useService, workflowById } from './support/service';

const service = useService();
afterAll(() => useBinaryMode('memory'));

const SOON = { waiting: { firstCheckSeconds: 0.1 } };
const item = (files: Record<string, string>, json = {}): InputItem => ({
	json,
	files: Object.fromEntries(Object.entries(files).map(([field, name]) => [field, file(name)])),
});
const run = (
	name: 'create' | 'createAndWait' | 'get' | 'wait',
	items: InputItem[],
	parameters: INodeParameters = {},
) => {
	answer(service, { steps: POLICY_STEPS });
	const wanted = { outputOptions: { includeFiles: true } };
	return runFlow({
		...service,
		parameters: operation(name, { ...SOON, ...wanted, ...parameters }),
		items,
	});
};
/** The names of the files of each item that the next node received, by field. */
const filesIn = ({ received: [items] }: Outcome) =>
	items.map(({ binary = {} }) =>
		Object.fromEntries(Object.entries(binary).map(([field, { fileName }]) => [field, fileName])),
	);
const inputFile = ({ run: { data } }: Outcome, field = 'data'): IBinaryData | undefined =>
	data.resultData.runData.Items?.[0]?.data?.main?.[0]?.[0]?.binary?.[field];

describe.each<BinaryMode>(['memory', 'filesystem'])(
	'The files that were sent (%s mode)',
	(mode) => {
		beforeEach(() => useBinaryMode(mode));

		it.each(['create', 'createAndWait'] as const)(
			'go on with the item as they came in, not copied: %s',
			async (name) => {
				const outcome = await run(name, [policyItem()]);
				const [sent] = outcome.received[0];
				expect(sent?.binary).toEqual({ data: inputFile(outcome) });
				expect(inputFile(outcome)?.fileName).toBe('policy.txt');
				if (mode === 'filesystem') expect(sent?.binary?.data?.id).toMatch(/^filesystem/);
			},
		);
	},
);

describe('The files that were sent', () => {
	it('go on without those that were skipped, and not at all unless that is chosen', async () => {
		const items = [item({ a: 'a.txt', b: 'b.png' })];
		const parameters = { inputDataFieldName: '*', documentOptions: { fileNames: '*.txt' } };
		expect(filesIn(await run('create', items, parameters))).toEqual([{ a: 'a.txt' }]);
		const without = { ...parameters, outputOptions: {} };
		expect(filesIn(await run('create', items, without))).toEqual([{}]);
	});

	it('go on from Get Execution and Wait for Completion, which send none, with all others of the item', async () => {
		const items = [item({ a: 'a.txt', b: 'b.txt' }), { json: {} }];
		for (const name of ['get', 'wait'] as const) {
			const outcome = await run(name, items, { executionId: 'e-1' });
			expect(filesIn(outcome)).toEqual([{ a: 'a.txt', b: 'b.txt' }, {}]);
		}
	});

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
			items: [item({ a: 'a.txt', b: 'b.txt' })],
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
