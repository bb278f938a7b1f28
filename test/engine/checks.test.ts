import type { INodeParameters } from 'n8n-workflow';
import { png } from '../fixtures/images';
import { runFlow } from './support/engine';
import { file, LOCKED_PDF, PDF, WEB_PAGE } from './support/files';
import type { InputFile } from './support/helper-nodes';
import { operation, policyItem, useService } from './support/service';

const service = useService();

/** The second item carries the file in question, beside a good one. */
const create = (questionable: InputFile, filters: INodeParameters = {}) =>
	runFlow({
		...service,
		parameters: operation('create', { inputDataFieldName: '*', filters }),
		items: [
			policyItem(),
			{ files: { attachment_0: file('good.txt'), attachment_1: questionable } },
		],
	});
const sentNames = () =>
	service.state.executions.all().map(({ files }) => files.map(({ fileName }) => fileName));

const CHECKS: Array<{ what: string; name: string; questionable: InputFile; found: string }> = [
	{
		what: 'an empty document',
		name: 'emptyDocuments',
		questionable: file('empty.pdf', '', 'application/pdf'),
		found: 'it is empty',
	},
	{
		what: 'a PDF that opens with a password only',
		name: 'lockedPdfs',
		questionable: file('locked.pdf', LOCKED_PDF, 'application/pdf'),
		found: 'it is a PDF that opens with a password only',
	},
	{
		what: 'a web page with the name of a PDF',
		name: 'mislabelledDocuments',
		questionable: file('report.pdf', WEB_PAGE, 'application/pdf'),
		found: 'by its name it is a PDF, by its content a web page (HTML)',
	},
];

describe.each(CHECKS)('Before anything is sent, $what', ({ name, questionable, found }) => {
	const fileName = String(questionable.fileName);

	it('is refused, with item, field and file name, and nothing of any item is sent', async () => {
		const { error } = await create(questionable);
		expect(error?.message).toBe(`The file in 'attachment_1' (${fileName}) is not sent: ${found}`);
		expect(error?.description).toContain("'Filters and Checks'");
		expect(error?.context?.itemIndex).toBe(1);
		expect(service.requests()).toEqual([]);
	});

	it('fails its own item alone where the node goes on', async () => {
		const { outputs } = await runFlow({
			...service,
			parameters: operation('create', { inputDataFieldName: '*' }),
			items: [policyItem(), { files: { data: questionable } }, policyItem()],
			settings: { onError: 'continueErrorOutput' },
		});
		expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(outputs[1]?.map(({ json, binary }) => [json.error, binary?.data?.fileName])).toEqual([
			[
				expect.objectContaining({
					message: `The file in 'data' (${fileName}) is not sent: ${found}`,
				}),
				fileName,
			],
		]);
	});

	it('is skipped when that is asked for, and the output says so', async () => {
		const { outputs, hints, error } = await create(questionable, { [name]: 'skip' });
		expect(error).toBeUndefined();
		expect(sentNames()).toEqual([['policy.txt'], ['good.txt']]);
		expect(outputs[0]?.[1]?.json.skipped).toEqual([
			{ itemIndex: 1, fieldName: 'attachment_1', fileName, reason: found },
		]);
		expect(hints).toEqual([
			'1 document was skipped; the output lists them under skipped, with the reason',
		]);
	});
});

describe('A document is sent as it is', () => {
	it('when it is locked and that is asked for', async () => {
		await create(file('locked.pdf', LOCKED_PDF, 'application/pdf'), { lockedPdfs: 'send' });
		expect(sentNames()).toEqual([['policy.txt'], ['good.txt', 'locked.pdf']]);
	});

	it('when it is not what its name says and that is asked for', async () => {
		await create(file('report.pdf', WEB_PAGE, 'application/pdf'), { mislabelledDocuments: 'send' });
		expect(sentNames()).toEqual([['policy.txt'], ['good.txt', 'report.pdf']]);
	});

	it.each<[string, InputFile]>([
		['a PDF that anybody can open', file('policy.pdf', PDF, 'application/pdf')],
		[
			'an image with the name of another kind of image',
			file('photo.jpg', png(10, 10), 'image/jpeg'),
		],
		['a document of a kind that is not known', file('drawing.dwg', 'AC1032', 'application/acad')],
		[
			'a table of text that is named for the program that opens it',
			file('list.xls', '<html><body><table></table></body></html>', 'application/vnd.ms-excel'),
		],
	])('where it is %s', async (_what, questionable) => {
		await create(questionable);
		expect(sentNames()).toEqual([['policy.txt'], ['good.txt', questionable.fileName]]);
	});
});
