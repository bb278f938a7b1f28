import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runFlow } from './support/engine';
import type { InputItem } from './support/helper-nodes';
import { operation, policyItem, useService } from './support/service';

const service = useService();

const run = async (
	name: Parameters<typeof operation>[0],
	more: INodeParameters,
	item: InputItem = policyItem(),
) => (await runFlow({ ...service, parameters: operation(name, more), items: [item] })).error;
afterEach(() => expect(service.requests()).toEqual([]));

describe.each(['get', 'wait'] as const)('%s fails before anything is sent', (name) => {
	it.each([
		[
			'an Execution ID that is missing in the item',
			'={{ $json.executionId }}',
			"'Execution ID' is empty",
		],
		[
			'a path instead of an Execution ID',
			'={{ "a/../b" }}',
			"'Execution ID' is not an ID: 'a/../b'",
		],
	])('for %s', async (_what, executionId, words) => {
		const error = await run(name, { executionId });
		expect(error?.message).toBe(words);
		expect(error?.description).toContain('$json.executionId');
	});
});

describe.each(['wait', 'createAndWait'] as const)('%s fails before anything is sent', (name) => {
	it.each([
		[
			'a first check after zero seconds',
			{ waiting: { firstCheckSeconds: 0 } },
			"'First Check (Seconds)' must be a number from 0.1 to 3600, but is 0",
		],
		[
			'a timeout that is text',
			{ waiting: { longestWaitHours: '={{ "soon" }}' } },
			`'Maximum Wait (Hours)' must be a number from 0.0001 to 720, but is "soon"`,
		],
		[
			'a pause that begins after two hours',
			{ waiting: { pauseAfterSeconds: 7200 } },
			"'Pause After (Seconds)' must be a number from 5 to 3600, but is 7200",
		],
		[
			'a minimum above one',
			{ minimumConfidence: 80 },
			"'Minimum Confidence' must be from 0 to 1, but is 80. Enter a number from 0 to 1, such as 0.8 for 80 %",
		],
	])('for %s', async (_what, more, words) => {
		const error = await run(name, { executionId: 'e-1', ...more });
		expect(error?.message).toBe(words);
	});
});

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
	const own = '\'Maximum Wait (Hours)\' must be a number from 0.0001 to 720, but is "soon"';
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
