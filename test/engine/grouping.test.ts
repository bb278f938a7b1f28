import type { IDataObject } from 'n8n-workflow';
import { runFlow } from './support/engine';
import { file, type InputItem } from './support/helper-nodes';
import { operation, useService } from './support/service';

const service = useService();

type GroupBy = 'item' | 'document' | 'all';
/** Three items with three, one and two documents. */
const ITEMS: InputItem[] = [
	{ files: { scan_10: file('c.txt'), scan_1: file('a.txt'), scan_2: file('b.txt') } },
	{ files: { data: file('d.txt') } },
	{ files: { x: file('e.txt'), y: file('f.txt') } },
];
const namesIn = (documents: unknown) =>
	(documents as Array<{ fileName: string }>).map(({ fileName }) => fileName);

describe('Group Documents By', () => {
	it.each<[GroupBy, string[][], unknown[]]>([
		[
			'item',
			[['a.txt', 'b.txt', 'c.txt'], ['d.txt'], ['e.txt', 'f.txt']],
			[{ item: 0 }, { item: 1 }, { item: 2 }],
		],
		[
			'document',
			[['a.txt'], ['b.txt'], ['c.txt'], ['d.txt'], ['e.txt'], ['f.txt']],
			[{ item: 0 }, { item: 0 }, { item: 0 }, { item: 1 }, { item: 2 }, { item: 2 }],
		],
		[
			'all',
			[['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt', 'f.txt']],
			[[{ item: 0 }, { item: 1 }, { item: 2 }]],
		],
	])(
		'%s starts executions in order, and returns an item for each, linked to its input',
		async (groupBy, groups, paired) => {
			const { outputs, received, error } = await runFlow({
				...service,
				parameters: operation('create', { inputDataFieldName: '*', groupBy }),
				items: ITEMS,
			});
			expect(error).toBeUndefined();
			const [items = []] = outputs;
			expect(service.executionsOf(items).map(({ files }) => namesIn(files))).toEqual(groups);
			expect(service.state.executions.all()).toHaveLength(groups.length);
			expect(items.map(({ json }) => namesIn(json.documents))).toEqual(groups);
			const documents = items.flatMap(({ json }) => json.documents as IDataObject[]);
			expect(documents.map(({ itemIndex, fieldName }) => [itemIndex, fieldName])).toEqual([
				...[1, 2, 10].map((number) => [0, `scan_${number}`]),
				...[
					[1, 'data'],
					[2, 'x'],
					[2, 'y'],
				],
			]);
			const arrived = service.executionsOf(items).flatMap(({ files }) => files);
			expect(documents.map(({ sha256 }) => sha256)).toEqual(arrived.map(({ sha256 }) => sha256));
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual(paired);
			expect(received[0]).toHaveLength(groups.length);
		},
	);
});
