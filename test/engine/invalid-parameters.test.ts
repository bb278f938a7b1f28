import type { IDataObject } from 'n8n-workflow';
import { runFlow } from './support/engine';
import { operation, policyItem, useService } from './support/service';

const service = useService();

afterEach(() => expect(service.requests()).toEqual([]));

it.each([0, 1])('A bad setting of item %i fails only that item', async (bad) => {
	const { outputs } = await runFlow({
		...service,
		parameters: operation('createAndWait', {
			waiting: { longestWaitHours: '={{ $json.hours }}' },
			documentOptions: { withoutDocuments: 'fail' },
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
