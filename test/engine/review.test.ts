import type { INodeParameters } from 'n8n-workflow';
import { answer, cell, getAnswered, jsonOf, POLICY_STEPS, step } from './support/answers';
import { runFlow } from './support/engine';
import { operation, policyItem, useService } from './support/service';

const service = useService();

const get = ({ minimumConfidence = 0, ...outputOptions }: INodeParameters, output = 'simplified') =>
	getAnswered(service, { steps: POLICY_STEPS }, { output, minimumConfidence, outputOptions });
const INSURED = { field: 'policy[0].insured', value: 'Müller & Söhne', confidence: 0.55 };
const PAID = { field: 'losses[1].paid', value: 0, confidence: 0.4 };

describe('Minimum Confidence', () => {
	it.each([['0.5'], ['0,5'], ['50 %'], ['={{ "50 %" }}']])(
		'reads %j as one half',
		async (minimumConfidence) => {
			expect(jsonOf(await get({ minimumConfidence }))).toMatchObject([
				{ needsReview: true, lowConfidenceFields: [PAID] },
			]);
		},
	);

	it.each([['={{ 0 }}'], [0], ['={{ "0 %" }}']])(
		'judges no value when it is %j, so that none needs review',
		async (minimumConfidence) => {
			const outcome = await get({ minimumConfidence });
			expect(jsonOf(outcome)).toMatchObject([{ needsReview: false }]);
			expect(JSON.stringify(jsonOf(outcome))).not.toMatch(/lowestConf|lowConf/);
			expect(outcome.hints).toEqual([]);
		},
	);

	it.each([[undefined], ['={{ "" }}'], ['={{ undefined }}']])(
		'is 0.8 where nothing is given: %j',
		async (given) => {
			const minimum = given === undefined ? {} : { minimumConfidence: given };
			const outcome = await getAnswered(service, { steps: POLICY_STEPS }, minimum);
			expect(jsonOf(outcome)).toMatchObject([
				{ needsReview: true, lowestConfidence: 0.4, lowConfidenceFields: [INSURED, PAID] },
			]);
		},
	);

	it('may be another one for single fields', async () => {
		const fieldMinimums = {
			pairs: [
				{ name: 'policy_number', minimum: 0.98 },
				{ name: 'losses.paid', minimum: 0 },
			],
		};
		expect(jsonOf(await get({ minimumConfidence: 0.5, fieldMinimums }))).toMatchObject([
			{
				needsReview: true,
				lowConfidenceFields: [
					{ field: 'policy[0].policy_number', value: 'CPP-1001', confidence: 0.97 },
				],
			},
		]);
		const unknown = await get({ fieldMinimums: { pairs: [{ name: 'premum', minimum: 0.9 }] } });
		expect(unknown.hints).toEqual([
			'\'Minimums per Field\': no field is named "premum"; the steps are: "policy", "losses"',
		]);
	});

	it.each([
		[80, '80'],
		['120 %', '120 %'],
		['={{ { a: 1 } }}', '{"a":1}'],
		['={{ true }}', 'true'],
	])('fails before anything is sent for %j', async (minimumConfidence, shown) => {
		for (const name of ['get', 'wait', 'createAndWait'] as const) {
			const parameters = operation(name, {
				...(name === 'createAndWait' ? {} : { executionId: 'e-1' }),
				minimumConfidence,
			});
			const { error } = await runFlow({ ...service, parameters, items: [policyItem()] });
			expect(error?.message).toBe(
				`'Minimum Confidence' must be from 0 to 1, but is ${shown}. Enter a number from 0 to 1, such as 0.8 for 80 %`,
			);
		}
		expect(service.requests()).toEqual([]);
	});

	it('sends nothing when it is invalid for one item', async () => {
		const parameters = operation('createAndWait', {
			minimumConfidence: '={{ $json.minimum }}',
		});
		const { error } = await runFlow({
			...service,
			parameters,
			items: [
				{ ...policyItem(), json: { minimum: 0.5 } },
				{ ...policyItem(), json: { minimum: 'much' } },
			],
		});
		expect(error?.message).toContain("'Minimum Confidence' must be from 0 to 1, but is much");
		expect(error?.context?.itemIndex).toBe(1);
		expect(service.requests()).toEqual([]);
	});
});

describe('Low-confidence values', () => {
	it('stay in the data, and are listed with their paths', async () => {
		expect(jsonOf(await get({ minimumConfidence: 0.8 }))).toMatchObject([
			{
				needsReview: true,
				data: { policy: [{ insured: 'Müller & Söhne' }], losses: [{ paid: 1250 }, { paid: 0 }] },
				lowConfidenceFields: [INSURED, PAID],
			},
		]);
	});

	it('are listed beside the unchanged response in Raw', async () => {
		expect(jsonOf(await get({ minimumConfidence: 0.8 }, 'raw'))).toMatchObject([
			{
				needsReview: true,
				lowConfidenceFields: [INSURED, PAID],
				response: { steps: POLICY_STEPS },
			},
		]);
	});
});

it('The hint above the output counts the items that need review', async () => {
	answer(service, { steps: POLICY_STEPS }, 'unsure');
	answer(service, { steps: [step('policy', { policy_number: cell('CPP-2', 0.99) })] }, 'sure');
	const { outputs, hints } = await runFlow({
		...service,
		parameters: operation('get', {
			executionId: 'e-1',
			workflowId: { __rl: true, mode: 'id', value: "={{ $json.index < 3 ? 'unsure' : 'sure' }}" },
			minimumConfidence: '={{ "80 %" }}',
		}),
		items: Array.from({ length: 40 }, () => ({})),
	});
	expect(outputs[0]).toHaveLength(40);
	expect(hints).toEqual([
		'3 of 40 items need review. The first: Check: policy: insured (55 %), losses, row 2: paid (40 %)',
	]);
});
