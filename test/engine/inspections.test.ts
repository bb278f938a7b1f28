import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runFlow, type Outcome } from './support/engine';
import { file, LOCKED_PDF, PDF, WEB_PAGE } from './support/files';
import type { InputFile, InputItem } from './support/helper-nodes';
import { operation, policyItem, useService } from './support/service';

const service = useService();

const QUICK = { waiting: { firstCheckSeconds: 0.1 } };
const run = (
	items: InputItem[],
	documentOptions: INodeParameters = {},
	more: INodeParameters = {},
	name: 'create' | 'createAndWait' = 'create',
) =>
	runFlow({
		...service,
		parameters: operation(name, { ...QUICK, inputDataFieldName: '*', documentOptions, ...more }),
		items,
	});
/** A good document beside a questionable one. */
const beside = (questionable: InputFile): InputItem => ({
	files: { attachment_0: file('good.txt'), attachment_1: questionable },
});
/** By execution, in the order of the output. */
const sentNames = (outputs: Outcome['outputs']) =>
	service.executionsOf(outputs[0]).map(({ files }) => files.map(({ fileName }) => fileName));

const UNUSABLE: Array<{ what: string; questionable: InputFile; found: string }> = [
	{
		what: 'an empty file',
		questionable: file('empty.pdf', '', 'application/pdf'),
		found: 'it is empty',
	},
	{
		what: 'a web page with the name of a PDF',
		questionable: file('report.pdf', WEB_PAGE, 'application/pdf'),
		found: 'its name says a PDF, but its content is not',
	},
];

describe.each(UNUSABLE)('Where an item has $what', ({ questionable, found }) => {
	const fileName = String(questionable.fileName);
	const skipped = {
		itemIndex: 0,
		fieldName: 'attachment_1',
		fileName,
		reason: found,
		unusable: true,
	};

	it.each(['create', 'createAndWait'] as const)(
		'the other files are sent, and the output needs review and says why (%s)',
		async (name) => {
			const { outputs, hints, error } = await run([beside(questionable)], {}, {}, name);
			expect(error).toBeUndefined();
			expect(sentNames(outputs)).toEqual([['good.txt']]);
			expect(outputs[0]?.map(({ json }) => json)).toMatchObject([
				{ needsReview: true, skipped: [skipped] },
			]);
			const { fileName, reason } = skipped;
			expect(hints[0]).toContain(`Not sent: ${fileName} (${reason})`);
			expect(hints.filter((hint) => hint.includes(fileName))).toHaveLength(1);
		},
	);

	it('and nothing else, the item continues as skipped and needs review', async () => {
		const { outputs } = await run([{ files: { attachment_1: questionable } }]);
		expect(outputs[0]?.map(({ json }) => json)).toMatchObject([
			{ status: 'skipped', needsReview: true, documents: [], skipped: [skipped] },
		]);
		expect(service.requests()).toEqual([]);
	});

	it('the item fails with item, field and file name where the panel says so', async () => {
		const items = [policyItem(), beside(questionable)];
		const { error } = await run(items, { unusableFiles: 'fail' });
		expect(error?.message).toBe(`The file in 'attachment_1' (${fileName}) is not sent: ${found}`);
		expect(error?.description).toContain("'On Unusable File' under 'Document Options'");
		expect(error?.context?.itemIndex).toBe(1);
		expect(service.requests()).toEqual([]);
	});
});

describe('With one execution for each document, an unusable file', () => {
	const empty = file('empty.pdf', '', 'application/pdf');
	const alone = { status: 'skipped', needsReview: true, documents: [] };

	it('is an item of its own', async () => {
		const { outputs, hints } = await run(
			[{ files: { a: file('a.txt'), b: empty, c: file('c.txt'), d: file('d.ics') } }],
			{ withoutDocuments: 'fail' },
			{ groupBy: 'document' },
		);
		expect(sentNames(outputs)).toEqual([['a.txt'], ['c.txt']]);
		expect(outputs[0]?.map(({ json }) => json)).toMatchObject([
			{ status: 'running', skipped: [{ fileName: 'd.ics' }] },
			{ status: 'running', skipped: [] },
			{ ...alone, skipped: [{ fileName: 'empty.pdf', unusable: true }] },
		]);
		expect(outputs[0]?.map(({ json }) => json.needsReview === true)).toEqual([false, false, true]);
		expect(hints).toEqual([
			'1 of 3 items needs review. Nothing was sent: empty.pdf (it is empty)',
			'1 document was skipped: "d.ics" (it is a calendar entry)',
		]);
	});
});

describe('A locked PDF', () => {
	const locked = file('locked.pdf', LOCKED_PDF, 'application/pdf');

	it('is sent as any other, and the output says that it is encrypted', async () => {
		const { outputs } = await run([
			{ files: { a: locked, b: file('policy.pdf', PDF, 'application/pdf') } },
		]);
		expect(sentNames(outputs)).toEqual([['locked.pdf', 'policy.pdf']]);
		const documents = outputs[0]?.[0]?.json.documents as IDataObject[];
		expect(documents.map(({ encrypted }) => encrypted)).toEqual([true, undefined]);
		expect(outputs[0]?.[0]?.json.needsReview).not.toBe(true);
	});

	it('is named by what a failed execution reports', async () => {
		const { outputs } = await run(
			[{ files: { a: locked } }],
			{},
			{ workflowId: { __rl: true, mode: 'id', value: 'failing' }, ...QUICK },
			'createAndWait',
		);
		expect(outputs[0]?.[0]?.json.toReview).toContain(
			'locked.pdf is encrypted. If it needs a password, ask the sender for a copy without one',
		);
	});
});
