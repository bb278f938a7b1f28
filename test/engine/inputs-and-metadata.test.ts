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
])('Create, sending %s,', (form, base) => {
	it.each<[string, INodeParameters[string], string]>([
		['text as it is', ' a "text"\nof two lines ', ' a "text"\nof two lines '],
		['an empty text', '', ''],
		['a number', '={{ 12.50 }}', '12.5'],
		['nothing', '={{ null }}', ''],
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

	it('sends a text input whose name comes from an expression', async () => {
		const { userInputs } = await sent(
			{ ...base, inputs: { textInputs: pairs(['={{ $json.name }}', '={{ $json.value }}']) } },
			{ name: 'line', value: 'auto' },
		);
		expect(userInputs).toEqual({ line: 'auto' });
	});

	it('sends text inputs in their order', async () => {
		const { userInputs } = await sent({
			...base,
			inputs: { textInputs: pairs(['zeta', '1'], ['toString', '2'], ['alpha', '3']) },
		});
		expect(Object.entries(userInputs ?? {})).toEqual([
			['zeta', '1'],
			['toString', '2'],
			['alpha', '3'],
		]);
	});

	it('sends metadata as text', async () => {
		const { metadata } = await sent({
			...base,
			inputs: { metadata: pairs(['external_id', '={{ 4711 }}'], ['mailbox', 'claims']) },
		});
		expect(metadata).toEqual({ external_id: '4711', mailbox: 'claims' });
	});

	it('sends neither metadata nor text inputs when there are none', async () => {
		const inputs = { textInputs: [], metadata: [], additional: [] };
		const { fieldOrder } = await sent({ ...base, inputs });
		expect(fieldOrder).toEqual(form === 'JSON' ? ['file_urls'] : ['files']);
	});

	it('sends additional fields with the types that expressions give them', async () => {
		const { bodyFields } = await sent({
			...base,
			inputs: {
				additional: pairs(
					['desk', 'claims'],
					['callback', '={{ { retries: 2 } }}'],
					['urgent', '={{ true }}'],
				),
			},
		});
		// Form fields are always text.
		const asText = { desk: 'claims', callback: '{"retries":2}', urgent: 'true' };
		expect(bodyFields).toEqual(
			form === 'JSON' ? { desk: 'claims', callback: { retries: 2 }, urgent: true } : asText,
		);
	});
});

describe('Create fails before anything is sent', () => {
	afterEach(() => expect(service.requests()).toEqual([]));

	it.each<[string, INodeParameters, string]>([
		[
			'metadata without a name',
			{ inputs: { metadata: pairs(['a', '1'], ['', '2']) } },
			'The metadata at position 2 has no name',
		],
		[
			'metadata with the same name',
			{ inputs: { metadata: pairs(['mailbox', 'a'], ['mailbox', 'b']) } },
			"The metadata 'mailbox' appears twice",
		],
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

	it.each<[string, INodeParameters[string]]>([
		['not a number', '={{ NaN }}'],
		['an invalid date', '={{ new Date("soon") }}'],
	])('for a text input that is %s', async (_what, value) => {
		expect((await run({ inputs: { textInputs: pairs(['limit', value]) } })).error?.message).toBe(
			"The text input 'limit' cannot be sent as it is",
		);
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
