import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runFlow } from './support/engine';
import { operation, policyItem, useService } from './support/service';

const service = useService();

afterEach(() => expect(service.requests()).toEqual([]));

const documentOptions = { withoutDocuments: 'fail' };

it.each([0, 1])('A bad setting of item %i fails only that item', async (bad) => {
	const { outputs } = await runFlow({
		...service,
		parameters: operation('createAndWait', {
			waiting: { longestWaitHours: '={{ $json.hours }}' },
			documentOptions,
		}),
		items: [0, 1].map((item) => ({ json: { hours: item === bad ? 'soon' : 1 } })),
		settings: { onError: 'continueErrorOutput' },
	});
	const messages = outputs[1]?.map(({ json }) => (json.error as IDataObject).message);
	const other = 'The item has no documents to send';
	const own =
		'\'Maximum Wait (Hours)\' must be a number from 0.0001 to 720, but is "soon". Correct it, or remove the option';
	expect(messages).toEqual(bad === 0 ? [own, other] : [other, own]);
});

it.each<[string, INodeParameters, string]>([
	['Output', { output: '={{ $json.bad ? $("Gone").first().json.x : "rows" }}' }, 'error'],
	[
		'Include Details',
		{ output: 'rows', outputOptions: { includeDetails: '={{ $json.bad && $("Gone").item }}' } },
		'needsReview',
	],
])('An expression that fails in %s fails only its item', async (_, parameters, firstField) => {
	const { outputs } = await runFlow({
		...service,
		parameters: operation('createAndWait', { ...parameters, documentOptions }),
		items: [false, true].map((bad) => ({ json: { bad } })),
		settings: { onError: 'continueRegularOutput' },
	});
	const [good = {}, bad = {}] = outputs[0]?.map(({ json }) => json) ?? [];
	expect(good.toReview).toMatch(/^The item has no documents to send/);
	expect(bad.toReview).toBe("Referenced node doesn't exist");
	expect([good, bad].map((json) => Object.keys(json)[0])).toEqual(['needsReview', firstField]);
});

it('An operation that this version does not have is reported as unknown', async () => {
	const { error } = await runFlow({
		...service,
		parameters: { operation: '={{ "unlisted" }}' },
		items: [policyItem()],
	});
	expect(error?.message).toBe(
		"The selected 'Operation' is not supported by this version of the node",
	);
});

it('n8n rejects an empty fixed value before the run', async () =>
	expect(
		runFlow({ ...service, parameters: operation('get', { executionId: '' }) }),
	).rejects.toThrow('issues'));

it('A node without a credential says so', async () => {
	const { error } = await runFlow({
		store: service.store,
		parameters: operation('create'),
		items: [policyItem()],
	});
	expect(error?.message).toBe('Node does not have any credentials set');
});
