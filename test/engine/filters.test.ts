import type { INodeParameters } from 'n8n-workflow';
import { runFlow } from './support/engine';
import type { InputItem } from './support/helper-nodes';
import { operation, policyItem, useService, WORKFLOW_ID } from './support/service';

const service = useService();

const create = (items: InputItem[], documentOptions: INodeParameters, more: INodeParameters = {}) =>
	runFlow({
		...service,
		parameters: operation('create', { inputDataFieldName: '*', documentOptions, ...more }),
		items,
	});

describe('An item without documents after filtering', () => {
	const inputs = { inputs: { textInputs: [{ name: 'line', value: 'auto' }] } };

	it.each(['create', 'createAndWait'] as const)(
		'is output as skipped, without an execution or a wait (%s)',
		async (name) => {
			const parameters = operation(name, {
				inputDataFieldName: '*',
				documentOptions: { fileNames: '*.pdf' },
				inputs: { metadata: [{ name: 'external_id', value: 'CASE-1' }] },
			});
			const { outputs, hints } = await runFlow({ ...service, parameters, items: [policyItem()] });
			expect(outputs[0]).toMatchObject([
				{
					json: {
						needsReview: true,
						workflowId: WORKFLOW_ID,
						externalId: 'CASE-1',
						status: 'skipped',
						documents: [],
						skipped: [
							{
								itemIndex: 0,
								fieldName: 'data',
								fileName: 'policy.txt',
								reason: 'its name does not match *.pdf',
							},
						],
					},
					pairedItem: { item: 0 },
				},
			]);
			expect(hints).toEqual([
				'The item needs review. Nothing was sent: policy.txt (its name does not match *.pdf)',
			]);
			expect(service.requests()).toEqual([]);
		},
	);

	it('fails with a list of the skipped documents when set to fail', async () => {
		const { error } = await create([policyItem()], {
			fileNames: '*.pdf',
			withoutDocuments: 'fail',
		});
		expect(error?.message).toBe('The item has no documents to send');
		expect(error?.description).toContain('policy.txt: its name does not match *.pdf');
		expect(service.requests()).toEqual([]);
	});

	it('has a hint on what to connect when no item has a file', async () => {
		const { outputs, hints } = await create([{}, {}], {}, inputs);
		expect(outputs[0]?.map(({ json }) => json.status)).toEqual(['skipped', 'skipped']);
		expect(hints).toEqual([
			"No input item has a file. Connect a node that outputs files, such as a mail trigger, or choose another source under 'Documents'",
			'2 of 2 items need review. The first: Nothing was sent: there is no document',
			'2 of 2 items started no execution, because they had no document to send',
		]);
		expect(service.requests()).toEqual([]);
	});
});
