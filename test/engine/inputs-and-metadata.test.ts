import type { INodeParameters } from 'n8n-workflow';
import { runFlow } from './support/engine';
import type { InputItem } from './support/helper-nodes';
import { operation, policyItem, useService, workflowById } from './support/service';

const service = useService();

const BY_FILE: INodeParameters = {};
const BY_ADDRESS: INodeParameters = {
	documents: 'urls',
	fileUrls: 'https://files.example.com/a.pdf',
	workflowId: workflowById('by-address'),
};
const run = (parameters: INodeParameters, json: InputItem['json'] = {}) =>
	runFlow({
		...service,
		parameters: operation('create', parameters),
		items: [{ ...policyItem(), json }],
	});
const sent = async (parameters: INodeParameters, json?: InputItem['json']) => {
	const { error } = await run(parameters, json);
	expect(error).toBeUndefined();
	const [
		{ userInputs, metadata, bodyFields, fieldOrder } = {
			userInputs: null,
			metadata: null,
			bodyFields: {},
			fieldOrder: [],
		},
	] = service.state.executions.all();
	return { userInputs, metadata, bodyFields, fieldOrder };
};
const pairs = (...values: Array<[string, INodeParameters[string]]>): INodeParameters[] =>
	values.map(([name, value]) => ({ name, value }));

describe.each([
	['a form', BY_FILE],
	['JSON', BY_ADDRESS],
])('Create, sending %s,', (_form, base) => {
	it.each<[string, INodeParameters[string], string]>([
		['a value that is not there', '={{ $json.absent }}', ''],
		[
			'a date of n8n',
			'={{ DateTime.fromISO("2026-03-09T10:00:00.000Z", { zone: "utc" }) }}',
			'2026-03-09T10:00:00.000Z',
		],
		['an object', '={{ { limit: 5 } }}', '{"limit":5}'],
	])('sends a text input that is %s', async (_what, value, text) => {
		expect(
			(await sent({ ...base, inputs: { textInputs: pairs(['value', value]) } })).userInputs,
		).toEqual({
			value: text,
		});
	});
});

describe('Create fails before anything is sent', () => {
	afterEach(() => expect(service.requests()).toEqual([]));

	it.each<[string, INodeParameters, string]>([
		[
			'an additional field that the node itself sends',
			{ inputs: { additional: pairs(['user_inputs', 'x']) } },
			"The request field 'user_inputs' is set twice: by the text inputs and by an additional field",
		],
		[
			'a Maximum in Parallel of zero',
			{ maximumInParallel: '={{ 0 }}' },
			"'Maximum in Parallel' must be a number from 1 to 100, but is 0",
		],
	])('for %s', async (_what, parameters, message) => {
		expect((await run(parameters)).error?.message).toBe(message);
	});

	it('when only text inputs are to be sent and there are none', async () => {
		const { error } = await run({ documents: 'none' });
		expect(error?.message).toBe('Nothing to send: there is no document and no text input');
	});
});

it('Create starts an execution without documents from text inputs alone', async () => {
	const { outputs } = await run({
		documents: 'none',
		inputs: { textInputs: pairs(['policy_number', 'CPP-1001']) },
	});
	expect(outputs[0]?.[0]?.json).toMatchObject({ status: 'running', documents: [], skipped: [] });
	expect(service.state.executions.all()).toEqual([
		expect.objectContaining({
			userInputs: { policy_number: 'CPP-1001' },
			files: [],
			fieldOrder: ['user_inputs'],
		}),
	]);
});
