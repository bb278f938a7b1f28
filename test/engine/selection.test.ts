import type { INodeParameters } from 'n8n-workflow';
import { runFlow } from './support/engine';
import { file } from './support/files';
import type { InputItem } from './support/helper-nodes';
import { operation, policyItem, useService } from './support/service';

const service = useService();

const create = (
	items: InputItem[],
	inputDataFieldName: INodeParameters[string],
	more: INodeParameters = {},
) =>
	runFlow({ ...service, parameters: operation('create', { inputDataFieldName, ...more }), items });
/** An item with one file in each of these fields, in this order. */
const itemWith = (...fieldNames: string[]): InputItem => ({
	files: Object.fromEntries(
		fieldNames.map((fieldName) => [fieldName, file(`file of ${fieldName}.txt`)]),
	),
});
/** The fields of the sent documents; the service and the output must agree on them. */
const sentFields = (documents: unknown) => {
	const arrived = service.state.executions
		.all()
		.flatMap(({ files }) => files.map(({ fileName }) => fileName));
	const reported = (documents as Array<{ fieldName: string; fileName: string }>).map(
		({ fieldName }) => fieldName,
	);
	expect(arrived).toEqual(reported.map((fieldName) => `file of ${fieldName}.txt`));
	return reported;
};
const fieldsFor = async (item: InputItem, inputDataFieldName: INodeParameters[string]) => {
	const { outputs, error } = await create([item], inputDataFieldName);
	expect(error).toBeUndefined();
	return sentFields(outputs[0]?.[0]?.json.documents);
};

const ATTACHMENTS = ['attachment_10', 'attachment_2', 'data', 'attachment_1', 'attachment_0'];

describe('Create sends the files in the fields', () => {
	it.each<[string, INodeParameters[string], string[]]>([
		[
			'that match a wildcard, in natural order',
			'attachment_*',
			['attachment_0', 'attachment_1', 'attachment_2', 'attachment_10'],
		],
		['in a list from an expression', '={{ ["attachment_1", "da*"] }}', ['attachment_1', 'data']],
	])('%s', async (_what, inputDataFieldName, fields) => {
		expect(await fieldsFor(itemWith(...ATTACHMENTS), inputDataFieldName)).toEqual(fields);
	});

	it('that an expression names for each item', async () => {
		const items = [
			{ ...itemWith('data', 'scan'), json: { field: 'scan' } },
			{ ...itemWith('data', 'scan'), json: { field: 'data' } },
		];
		const { outputs } = await create(items, '={{ $json.field }}');
		expect(outputs[0]?.map(({ json }) => json.documents)).toEqual([
			[expect.objectContaining({ fieldName: 'scan' })],
			[expect.objectContaining({ fieldName: 'data' })],
		]);
	});
});

describe('Create sends nothing and names the existing fields', () => {
	afterEach(() => expect(service.requests()).toEqual([]));

	it('of the item that lacks the field', async () => {
		const { error } = await create(
			[policyItem('scan'), itemWith('attachment_1', 'attachment_0')],
			'scan',
		);
		expect(error?.message).toBe("The input item has no file in 'scan'");
		expect(error?.description).toContain(
			"Its files are in 'attachment_0', 'attachment_1'. Change 'Input Data Field Name'",
		);
		expect(error?.context?.itemIndex).toBe(1);
	});
});
