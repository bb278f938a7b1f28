import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';

import { collectFiles, withFiles } from '../../../../nodes/DocumentWorkflow/results/items/result';

const file = (fileName: string): IBinaryData => ({
	id: `filesystem-v2:${fileName}`,
	data: 'filesystem-v2',
	mimeType: 'application/pdf',
	fileName,
});
const [A, B, C] = [file('a.pdf'), file('b.pdf'), file('c.pdf')];
const INPUTS: INodeExecutionData[] = [
	{ json: {}, binary: { data: A, other: B } },
	{ json: {} },
	{ json: {}, binary: { data: C } },
];
const sent = (itemIndex: number, fieldName: string) => ({ itemIndex, fieldName });

describe('The files that stay with an execution', () => {
	it('are those that were sent, in that order', () => {
		expect(collectFiles(INPUTS, [0], { documents: [sent(0, 'other')] })).toEqual([['other', B]]);
		expect(collectFiles(INPUTS, [0, 2], { documents: [sent(2, 'data'), sent(0, 'data')] })).toEqual(
			[
				['data', C],
				['data', A],
			],
		);
		expect(collectFiles(INPUTS, [0], { documents: [] })).toEqual([]);
	});

	it('are all files of the input item where the node sent nothing', () => {
		expect(collectFiles(INPUTS, [0], {})).toEqual([
			['data', A],
			['other', B],
		]);
		expect(collectFiles(INPUTS, [1], {})).toEqual([]);
	});

	it('are passed on as they came, not copied', () => {
		const [[, passed] = []] = collectFiles(INPUTS, [0], { documents: [sent(0, 'data')] });
		expect(passed).toBe(A);
	});

	it('are none where a document was a URL, or is not in the input', () => {
		const documents = [
			{ address: 'https://files.example.com/a.pdf' },
			sent(1, 'data'),
			sent(9, 'data'),
			sent(0, 'constructor'),
			sent(0, '__proto__'),
		];
		expect(collectFiles(INPUTS, [0], { documents })).toEqual([]);
	});
});

describe('The files of the output items', () => {
	it('are with the first item, and no item has an empty list of files', () => {
		const items = [{ row: 1 }, { row: 2 }];
		expect(withFiles(items, [['data', A]])).toEqual([
			{ json: { row: 1 }, binary: { data: A } },
			{ json: { row: 2 } },
		]);
		expect(withFiles(items, [])).toEqual([{ json: { row: 1 } }, { json: { row: 2 } }]);
		expect(withFiles([], [['data', A]])).toEqual([]);
	});

	it('get numbers where their fields have the same name, so that none is lost', () => {
		const names = ['data', 'data', 'data_2', 'data'];
		const [item] = withFiles(
			[{}],
			names.map((name, index) => [name, file(`${index}.pdf`)]),
		);
		expect(
			Object.entries(item?.binary ?? {}).map(([name, { fileName }]) => [name, fileName]),
		).toEqual([
			['data', '0.pdf'],
			['data_2', '1.pdf'],
			['data_2_2', '2.pdf'],
			['data_3', '3.pdf'],
		]);
	});

	it('keep an input file named report beside the report', () => {
		const [item] = withFiles(
			[{}],
			[
				['report', B],
				['report', A],
			],
		);
		expect(item?.binary).toEqual({ report: B, report_2: A });
	});

	it('may have fields with names such as __proto__', () => {
		const [item] = withFiles([{}], [['__proto__', A]]);
		expect(Object.entries(item?.binary ?? {})).toEqual([['__proto__', A]]);
	});

	it('get their names in time proportional to their number', () => {
		const files = Array.from({ length: 20_000 }, (): [string, IBinaryData] => ['data', A]);
		expect(Object.keys(withFiles([{}], files)[0]?.binary ?? {})).toHaveLength(20_000);
	});
});
