import type { INodeParameters } from 'n8n-workflow';
import { png } from '../fixtures/images';
import { runFlow, type Outcome } from './support/engine';
import { file, LOCKED_PDF, PDF, WEB_PAGE } from './support/files';
import type { InputFile } from './support/helper-nodes';
import { operation, policyItem, useService } from './support/service';

const service = useService();

/** The second item has the questionable file beside a good one. */
const create = (questionable: InputFile, documentOptions: INodeParameters = {}) =>
	runFlow({
		...service,
		parameters: operation('create', { inputDataFieldName: '*', documentOptions }),
		items: [
			policyItem(),
			{ files: { attachment_0: file('good.txt'), attachment_1: questionable } },
		],
	});
/** By execution, in the order of the output. */
const sentNames = (outputs: Outcome['outputs']) =>
	service.executionsOf(outputs[0]).map(({ files }) => files.map(({ fileName }) => fileName));

const INSPECTED: Array<{ what: string; name: string; questionable: InputFile; found: string }> = [
	{
		what: 'an empty document',
		name: 'emptyDocuments',
		questionable: file('empty.pdf', '', 'application/pdf'),
		found: 'it is empty',
	},
	{
		what: 'a password-protected PDF',
		name: 'lockedPdfs',
		questionable: file('locked.pdf', LOCKED_PDF, 'application/pdf'),
		found: 'it is a password-protected PDF',
	},
	{
		what: 'a web page with the name of a PDF',
		name: 'mislabelledDocuments',
		questionable: file('report.pdf', WEB_PAGE, 'application/pdf'),
		found: 'its name says a PDF, its content is a web page (HTML)',
	},
];

describe.each(INSPECTED)('When Create finds $what, it', ({ name, questionable, found }) => {
	const fileName = String(questionable.fileName);

	it('fails with item, field and file name, and sends nothing of any item', async () => {
		const { error } = await create(questionable);
		expect(error?.message).toBe(`The file in 'attachment_1' (${fileName}) is not sent: ${found}`);
		expect(error?.description).toContain("'Document Options'");
		expect(error?.context?.itemIndex).toBe(1);
		expect(service.requests()).toEqual([]);
	});

	it('fails only this item when the node continues on errors', async () => {
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

	it('skips it and lists it in the output when set to skip', async () => {
		const { outputs, hints, error } = await create(questionable, { [name]: 'skip' });
		expect(error).toBeUndefined();
		expect(sentNames(outputs)).toEqual([['policy.txt'], ['good.txt']]);
		expect(outputs[0]?.[1]?.json.skipped).toEqual([
			{ itemIndex: 1, fieldName: 'attachment_1', fileName, reason: found },
		]);
		expect(hints).toEqual([`1 document was skipped: "${fileName}" (${found})`]);
	});
});

describe('Create sends a document unchanged', () => {
	it('when it is a password-protected PDF and set to send', async () => {
		const { outputs } = await create(file('locked.pdf', LOCKED_PDF, 'application/pdf'), {
			lockedPdfs: 'send',
		});
		expect(sentNames(outputs)).toEqual([['policy.txt'], ['good.txt', 'locked.pdf']]);
	});

	it('when its type does not match its name and set to send', async () => {
		const { outputs } = await create(file('report.pdf', WEB_PAGE, 'application/pdf'), {
			mislabelledDocuments: 'send',
		});
		expect(sentNames(outputs)).toEqual([['policy.txt'], ['good.txt', 'report.pdf']]);
	});

	it.each<[string, InputFile]>([
		['a PDF without password', file('policy.pdf', PDF, 'application/pdf')],
		[
			'an image with the extension of another image type',
			file('photo.jpg', png(10, 10), 'image/jpeg'),
		],
		['a document of an unknown type', file('drawing.dwg', 'AC1032', 'application/acad')],
		[
			'an HTML table with the extension of Excel',
			file('list.xls', '<html><body><table></table></body></html>', 'application/vnd.ms-excel'),
		],
	])('when it is %s', async (_what, questionable) => {
		const { outputs } = await create(questionable);
		expect(sentNames(outputs)).toEqual([['policy.txt'], ['good.txt', questionable.fileName]]);
	});
});
