import { useBinaryMode, useObjectStore, type BinaryMode } from './support/binary-storage';
import { runFlow } from './support/engine';
import type { InputItem } from './support/helper-nodes';
import { operation, POLICY, policyItem, sha256, useService, WORKFLOW_ID } from './support/service';

const service = useService();
const objectStore = useObjectStore();

const create = (items: InputItem[]) =>
	runFlow({ ...service, parameters: operation('create'), items });

describe.each<BinaryMode>(['memory', 'filesystem', 's3'])(
	'Create, with n8n keeping files in its %s mode,',
	(mode) => {
		beforeEach(async () => useBinaryMode(mode, objectStore));

		it('sends one document and returns the started execution', async () => {
			const { outputs, received } = await create([policyItem()]);
			const [execution] = service.state.executions.all();
			expect(outputs).toEqual([
				[
					{
						json: {
							needsReview: false,
							toReview: null,
							workflowId: WORKFLOW_ID,
							executionId: execution?.executionId,
							status: 'running',
							documents: [
								{
									fileName: 'policy.txt',
									mediaType: 'text/plain',
									bytes: 43,
									sha256: sha256(POLICY),
									itemIndex: 0,
									fieldName: 'data',
								},
							],
							skipped: [],
						},
						pairedItem: { item: 0 },
					},
				],
			]);
			expect(received[0]).toHaveLength(1);
		});

		it('does not change the input item', async () => {
			const item = policyItem();
			const before = structuredClone(item);
			await create([item]);
			expect(item).toEqual(before);
		});
	},
);
