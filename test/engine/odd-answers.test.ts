import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { answer, getAnswered, jsonOf, POLICY_STEPS } from './support/answers';
import { runFlow } from './support/engine';
import type { InputItem } from './support/helper-nodes';
import { expectNoSecretIn } from './support/secrets';
import { operation, policyItem, useService } from './support/service';

const service = useService();

const get = (body: IDataObject, outputOptions: INodeParameters = {}, output = 'simplified') =>
	getAnswered(service, body, { output, outputOptions });
const create = (
	inputs: INodeParameters = {},
	items: InputItem[] = [policyItem()],
	more: INodeParameters = {},
	settings: Partial<INode> = {},
) => runFlow({ ...service, parameters: operation('create', { inputs, ...more }), items, settings });
const createAnswer = (body: unknown) =>
	service.state.faults.add({ route: 'create', action: { type: 'status', status: 200, body } });

describe('Data at a URL', () => {
	it.each(['simplified', 'rows', 'selected', 'raw'])(
		'is not requested, needs review, and its signature is only in Raw: %s',
		async (output) => {
			const url = `${service.simulator.productionUrl}/1?signature=sig-5d0e2b9c71`;
			const steps = [{ step_name: 'policy', data: { url } }];
			const outcome = await get({ steps }, { attachReport: true }, output);
			const { outputs, hints, logs, run } = outcome;
			expect(jsonOf(outcome)).toMatchObject([
				{ needsReview: true, toReview: 'The data of "policy" is at a URL' },
			]);
			expect(hints).toEqual(['The item needs review. The data of &quot;policy&quot; is at a URL']);
			const shown = output === 'raw' ? [hints, logs] : [outputs, hints, logs, run];
			expectNoSecretIn(shown, ['sig-5d0e2b9c71']);
			expect(service.requests('other')).toEqual([]);
		},
	);
});

describe('The answer to a create', () => {
	it('is shown in short, without secrets, by an item that fails', async () => {
		createAnswer({ ticket: 'T-1', access_token: 'not-to-be-seen' });
		const { error } = await create();
		expect(error?.message).toContain('"ticket":"T-1"');
		expect(`${error?.message} ${error?.description}`).not.toContain('not-to-be-seen');
	});
});

describe('The External ID', () => {
	const inputs = { metadata: [{ name: 'external_id', value: 'CASE-1' }] };

	it('is in the output of Create, and of a wait whose answers do not repeat the metadata', async () => {
		expect(jsonOf(await create(inputs))).toMatchObject([{ externalId: 'CASE-1' }]);
		answer(service, { steps: POLICY_STEPS });
		const { outputs } = await runFlow({
			...service,
			parameters: operation('createAndWait', {
				output: 'rows',
				outputOptions: { includeDetails: true },
				inputs,
				waiting: { firstCheckSeconds: 0.1 },
			}),
			items: [policyItem()],
		});
		expect(outputs[0]?.map(({ json }) => json.executionDetails)).toMatchObject(
			[1, 2, 3].map(() => ({ externalId: 'CASE-1' })),
		);
	});
});
