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
/** An item with a file of its own in each of these fields, in this order. */
const itemWith = (...fieldNames: string[]): InputItem => ({
	files: Object.fromEntries(
		fieldNames.map((fieldName) => [fieldName, file(`file of ${fieldName}.txt`)]),
	),
});
/** Of the only execution, the fields that its documents stood in, by what arrived and by what the output says. */
const sentFields = (documents: unknown) => {
	const arrived = service.state.executions
		.all()
		.flatMap(({ files }) => files.map(({ fileName }) => fileName));
	const told = (documents as Array<{ fieldName: string; fileName: string }>).map(
		({ fieldName }) => fieldName,
	);
	expect(arrived).toEqual(told.map((fieldName) => `file of ${fieldName}.txt`));
	return told;
};
const fieldsFor = async (item: InputItem, inputDataFieldName: INodeParameters[string]) => {
	const { outputs, error } = await create([item], inputDataFieldName);
	expect(error).toBeUndefined();
	return sentFields(outputs[0]?.[0]?.json.documents);
};

const ATTACHMENTS = ['attachment_10', 'attachment_2', 'data', 'attachment_1', 'attachment_0'];

describe('The documents of an item are those in the fields', () => {
	it.each<[string, INodeParameters[string], string[]]>([
		['of one name', 'data', ['data']],
		[
			'of several names, in their order',
			'data, attachment_2,attachment_0',
			['data', 'attachment_2', 'attachment_0'],
		],
		[
			'that a wildcard means, in natural order',
			'attachment_*',
			['attachment_0', 'attachment_1', 'attachment_2', 'attachment_10'],
		],
		[
			'that * alone means: all',
			'*',
			['attachment_0', 'attachment_1', 'attachment_2', 'attachment_10', 'data'],
		],
		[
			'that a wildcard means in upper or lower case',
			'ATTACH*_1*',
			['attachment_1', 'attachment_10'],
		],
		['that a wildcard in front means', '*a', ['data']],
		[
			'of a name and of a wildcard, each once',
			'attachment_10, attachment_*, *',
			['attachment_10', 'attachment_0', 'attachment_1', 'attachment_2', 'data'],
		],
		[
			'of a wildcard and then of a name, each once',
			'*_1*, attachment_1, data',
			['attachment_1', 'attachment_10', 'data'],
		],
		[
			'of a list that an expression gives',
			'={{ ["attachment_1", "da*"] }}',
			['attachment_1', 'data'],
		],
	])('%s', async (_what, inputDataFieldName, fields) => {
		expect(await fieldsFor(itemWith(...ATTACHMENTS), inputDataFieldName)).toEqual(fields);
	});

	it('of a name that holds an asterisk itself, without the fields that it would mean as a wildcard', async () => {
		expect(await fieldsFor(itemWith('scan*', 'scan_1', 'scan_2'), 'scan*')).toEqual(['scan*']);
	});

	it('of a name with signs that mean something in patterns', async () => {
		expect(
			await fieldsFor(itemWith('scan(1).pdf', 'scan1xpdf', 'scan+'), 'scan(1).*, scan+'),
		).toEqual(['scan(1).pdf', 'scan+']);
	});

	it('that an expression names for each item anew', async () => {
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

describe('Nothing is sent, and the fields that are there are named,', () => {
	afterEach(() => expect(service.requests()).toEqual([]));

	it.each<[string, INodeParameters[string], string]>([
		['where a name is not there', 'data, invoice', "The input item has no file in 'invoice'"],
		['where no field fits the wildcard', 'scan_*', "The input item has no file in 'scan_*'"],
		[
			'where neither a name nor a wildcard finds a file',
			'invoice, scan_*',
			"The input item has no files in 'invoice', 'scan_*'",
		],
		['where the name is written in another case', 'Data', "The input item has no file in 'Data'"],
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
			"Set 'Input Data Field Name' to what is there: 'attachment_0', 'attachment_1'",
		);
		expect(error?.context?.itemIndex).toBe(1);
	});

	it('where an expression gives no name for one item, although there are text inputs', async () => {
		const items = [
			{ ...policyItem('scan'), json: { field: 'scan' } },
			itemWith('attachment_1', 'attachment_0'),
		];
		const { error } = await create(items, '={{ $json.field }}', {
			textInputs: { pairs: [{ name: 'line', value: 'auto' }] },
		});
		expect(error?.message).toBe(
			"'Input Data Field Name' is empty, and the input item carries files: 'attachment_0', 'attachment_1'",
		);
		expect(error?.description).toBe(
			"Enter the names of those to send, or * for all files; or choose 'None, Only Text Inputs' under 'Documents'",
		);
		expect(error?.context?.itemIndex).toBe(1);
	});

	it('where the file itself is given in place of its name', async () => {
		const { error } = await create(
			[{ json: { file: { fileName: 'policy.txt' } }, ...policyItem() }],
			'={{ $json.file }}',
		);
		expect(error?.message).toBe(
			"'Input Data Field Name' must be the name of a field, and it is something else",
		);
	});
});

it('A wildcard that finds no more than another is no mistake', async () => {
	expect(await fieldsFor(itemWith('attachment_1'), 'attachment_*, scan_*')).toEqual([
		'attachment_1',
	]);
});
