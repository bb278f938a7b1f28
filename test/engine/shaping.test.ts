import { answer, type cell, getAnswered, jsonOf, POLICY_STEPS, step } from './support/answers';
import { runFlow } from './support/engine';
import { operation, policyItem, useService } from './support/service';

const service = useService();

describe('One Item per Row', () => {
	it('has the same marks for what failed and continues, and is run again by Retry On Fail', async () => {
		const settings = { onError: 'continueRegularOutput', retryOnFail: true } as const;
		service.state.faults.add({ route: 'get', times: 3, action: { type: 'status', status: 403 } });
		const outcome = await runFlow({
			...service,
			parameters: operation('get', { executionId: 'e-1', output: 'rows' }),
			settings: { ...settings, maxTries: 2, waitBetweenTries: 1 },
		});
		expect(service.requests('get')).toHaveLength(2);
		expect(jsonOf(outcome)).toEqual([
			{
				needsReview: true,
				toReview: expect.stringMatching(
					/^The credential has no access to workflow "intake"\. Ask /,
				),
				...{ step: null, row: null, fileName: null, executionId: 'e-1', executionUrl: null },
				...{ executionStatus: null, externalId: null },
			},
		]);
		expect(Object.keys(outcome.received[0][0]?.json ?? {})).not.toContain('error');
	});

	it('never fails a row on the Error output because of a field that a document has', async () => {
		const hostile = step(
			's',
			JSON.parse(
				'{"error": {"value": "x"}, "$error": {"value": "y"}, "$json": {"value": 1}, "__proto__": {"value": {"error": "z"}}}',
			) as Record<string, ReturnType<typeof cell>>,
		);
		for (const includeDetails of [false, true]) {
			const outcome = await getAnswered(
				service,
				{ steps: [hostile] },
				{ output: 'rows', minimumConfidence: 0, outputOptions: { includeDetails } },
				{ settings: { onError: 'continueErrorOutput' } },
			);
			expect(outcome.outputs[1]).toEqual([]);
			expect(jsonOf(outcome)).toMatchObject([
				{
					...{ error_: 'x', $error_: 'y', $json: 1 },
					__proto___: includeDetails ? { error: 'z' } : 'error: z',
				},
			]);
			expect(outcome.hints).toEqual([
				'Extracted fields named "error", "$error", "__proto__" got underscores at the end of their names, because these names are reserved',
			]);
		}
	});

	it('links the rows of an execution of all items to all of them', async () => {
		answer(service, { steps: POLICY_STEPS });
		const parameters = operation('createAndWait', {
			groupBy: 'all',
			output: 'rows',
			waiting: { firstCheckSeconds: 0.1 },
		});
		const { outputs } = await runFlow({
			...service,
			parameters,
			items: [policyItem(), policyItem()],
		});
		expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2].map(() => [{ item: 0 }, { item: 1 }]),
		);
	});
});
