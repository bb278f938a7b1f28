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
		['with one name', 'data', ['data']],
		[
			'with several names, in their order',
			'data, attachment_2,attachment_0',
			['data', 'attachment_2', 'attachment_0'],
		],
		[
			'that match a wildcard, in natural order',
			'attachment_*',
			['attachment_0', 'attachment_1', 'attachment_2', 'attachment_10'],
		],
		[
			'that match * alone, which are all',
			'*',
			['attachment_0', 'attachment_1', 'attachment_2', 'attachment_10', 'data'],
		],
		[
			'that match a wildcard in upper or lower case',
			'ATTACH*_1*',
			['attachment_1', 'attachment_10'],
		],
		['that match a leading wildcard', '*a', ['data']],
		[
			'that match a name or then a wildcard, each once',
			'attachment_10, attachment_*, *',
			['attachment_10', 'attachment_0', 'attachment_1', 'attachment_2', 'data'],
		],
		[
			'that match a wildcard or then a name, each once',
			'*_1*, attachment_1, data',
			['attachment_1', 'attachment_10', 'data'],
		],
		['in a list from an expression', '={{ ["attachment_1", "da*"] }}', ['attachment_1', 'data']],
	])('%s', async (_what, inputDataFieldName, fields) => {
		expect(await fieldsFor(itemWith(...ATTACHMENTS), inputDataFieldName)).toEqual(fields);
	});

	it('whose name contains the asterisk itself, not those that it would match as a wildcard', async () => {
		expect(await fieldsFor(itemWith('scan*', 'scan_1', 'scan_2'), 'scan*')).toEqual(['scan*']);
	});

	it('whose name contains characters of regular expressions', async () => {
		expect(
			await fieldsFor(itemWith('scan(1).pdf', 'scan1xpdf', 'scan+'), 'scan(1).*, scan+'),
		).toEqual(['scan(1).pdf', 'scan+']);
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

	it.each<[string, INodeParameters[string], string]>([
		['when a field does not exist', 'data, invoice', "The input item has no file in 'invoice'"],
		['when no field matches the wildcard', 'scan_*', "The input item has no file in 'scan_*'"],
		[
			'when neither a name nor a wildcard finds a file',
			'invoice, scan_*',
			"The input item has no files in 'invoice', 'scan_*'",
		],
		['when the name differs in case', 'Data', "The input item has no file in 'Data'"],
	])('%s', async (_what, inputDataFieldName, message) => {
		const { error } = await create(
			[policyItem('data'), itemWith('attachment_10', 'attachment_9', 'data')],
			inputDataFieldName,
		);
		expect(error?.message).toBe(message);
		expect(error?.context?.itemIndex).toBe(0);
	});

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

	it('when an expression is empty for one item, even with text inputs', async () => {
		const items = [
			{ ...policyItem('scan'), json: { field: 'scan' } },
			itemWith('attachment_1', 'attachment_0'),
		];
		const { error } = await create(items, '={{ $json.field }}', {
			inputs: { textInputs: [{ name: 'line', value: 'auto' }] },
		});
		expect(error?.message).toBe(
			"'Input Data Field Name' is empty, and the input item has files: 'attachment_0', 'attachment_1'",
		);
		expect(error?.description).toBe(
			"Enter the names of the fields to send, or * for all files; or choose 'Text Inputs Only' under 'Documents'",
		);
		expect(error?.context?.itemIndex).toBe(1);
	});

	it('when the file itself is given in place of its name', async () => {
		const { error } = await create(
			[{ json: { file: { fileName: 'policy.txt' } }, ...policyItem() }],
			'={{ $json.file }}',
		);
		expect(error?.message).toBe("'Input Data Field Name' must be the name of a field");
	});
});

it('A wildcard may match nothing if another one matches', async () => {
	expect(await fieldsFor(itemWith('attachment_1'), 'attachment_*, scan_*')).toEqual([
		'attachment_1',
	]);
});
