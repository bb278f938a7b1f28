import { runInNewContext } from 'node:vm';
import { Workflow } from 'n8n-workflow';
import { readExampleWorkflows } from '../../../harness/example-workflows';

/** The form and the code of the example in which a person corrects values. What n8n and a browser do between them is in test/e2e. */
const nodes = readExampleWorkflows().get('review')?.nodes ?? [];
const parametersOf = (type: string) =>
	nodes.find((node) => node.type === `n8n-nodes-base.${type}`)?.parameters as {
		jsonOutput: string;
		jsCode: string;
	};
const ALONE = { id: '', name: 'Node', type: 'node', typeVersion: 1, parameters: {} };
const nodeType = { description: { properties: [] } } as never;
const { expression } = new Workflow({
	nodes: [{ ...ALONE, position: [0, 0] }],
	...{ connections: {}, active: false },
	nodeTypes: {
		...{ getByName: () => nodeType, getByNameAndVersion: () => nodeType },
		getKnownTypes: () => ({}),
	},
});

type Json = Record<string, unknown>;
type Path = Array<string | number>;

function labelsOf(item: Json): string[] {
	const { jsonOutput } = parametersOf('form');
	const items = [{ json: item as never }];
	const text: unknown = expression.getParameterValue(
		...([jsonOutput, null, 0, 0, ALONE.name, items, 'internal', {}] as const),
	);
	return (JSON.parse(text as string) as Array<{ fieldLabel: string }>).map(
		({ fieldLabel }) => fieldLabel,
	);
}

/** The item behind the code. `answers`: by the name of the field; all other values stay as they are. */
function corrected(item: Json, answers: Json, others = 'Yes'): Json {
	const doubts = Object.values(item).flat() as Json[];
	const shown = labelsOf(item).map((label) => {
		const name = label.split(', ').at(-1) ?? '';
		const value =
			doubts.find(({ path }) => (path as Path | undefined)?.at(-1) === name)?.value ?? '';
		return [label, answers[name] ?? `${value as string}`];
	});
	const $json = { ...Object.fromEntries(shown), 'Is everything else settled?': others } as Json;
	const result = runInNewContext(`(() => {${parametersOf('code').jsCode}})()`, {
		$: () => ({ item: { json: item } }),
		$json,
		$now: { toISO: () => 'now' },
	}) as { json: Json };
	return JSON.parse(JSON.stringify(result.json)) as Json;
}

const low = (path: Path, value: unknown) => ({
	...{ field: path.join('.'), path, value, confidence: 0.5 },
});
const itemOf = (row: Json) => ({
	data: { s: [row] },
	needsReview: true,
	toReview: 'Not sent: b.pdf',
	lowConfidenceFields: Object.entries(row).map(([name, value]) => low(['s', 0, name], value)),
});

describe('The form of the example', () => {
	it('asks for the first 50 values that fit into a field, each by its number among all', () => {
		const item = {
			...itemOf({ table: [{}], long: 'x'.repeat(2001), short: 'x' }),
			missingFields: [{ field: 'absent', path: [], value: null }, low(['s', 0, 'short'], 'x')],
		};
		expect(labelsOf(item)).toEqual([
			...['To check', '3. s, row 1, short', 'Is everything else settled?', 'Reviewed by'],
		]);
		const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${at}`, at]));
		expect(labelsOf(itemOf(many))).toHaveLength(53);
		expect(corrected(itemOf(many), {}).lowConfidenceFields).toHaveLength(10);
	});
});

describe('The code of the example', () => {
	it('settles what was confirmed, corrected and emptied, each in its type', () => {
		const row = { a: 1, b: 'x', c: true, d: 'y' };
		const answers = { a: '-2.5', b: ' ', c: 'false' };
		expect(corrected(itemOf(row), answers)).toMatchObject({
			data: { s: [{ a: -2.5, b: null, c: false, d: 'y' }] },
			...{ needsReview: false, toReview: null, lowConfidenceFields: [] },
			review: { by: null, changes: [{ from: 1, to: -2.5 }, {}, {}], confirmed: ['s.0.d'] },
		});
	});

	it.each(['18.520', '18,5', '1e5', '12345678901234567', '007', 'x', 'Infinity'])(
		'leaves a number to review, with the answer in words, if that is none for certain: %s',
		(answer) => {
			expect(corrected(itemOf({ a: 1 }), { a: answer })).toMatchObject({
				data: { s: [{ a: 1 }] },
				...{ needsReview: true, toReview: `s.0.a ("${answer}")` },
				lowConfidenceFields: [{ field: 's.0.a' }],
				review: { changes: [], confirmed: [] },
			});
		},
	);

	it('asks for the type of a text that should be a value', () => {
		const open = { ...low(['s', 0, 'a'], '$1M'), type: 'number' };
		const item = { ...itemOf({ a: '$1M' }), lowConfidenceFields: [], unconvertedFields: [open] };
		expect(corrected(item, { a: '1000000' })).toMatchObject({
			data: { s: [{ a: 1_000_000 }] },
			...{ needsReview: false, unconvertedFields: [] },
		});
		expect(corrected(item, { a: '1M' })).toMatchObject({
			...{ needsReview: true, unconvertedFields: [open] },
		});
	});

	it('clears other reasons only if the person says that they are settled', () => {
		expect(corrected(itemOf({ a: 1 }), {}, 'No')).toMatchObject({
			...{ needsReview: true, toReview: 'Not sent: b.pdf', lowConfidenceFields: [] },
		});
		expect(corrected(itemOf({}), {})).toMatchObject({ needsReview: false, toReview: null });
	});

	it('changes nothing but the values of the item, whatever the document names its fields', () => {
		const item = {
			...itemOf({}),
			lowConfidenceFields: [
				low(['s', 0, '__proto__', 'toString'], 'x'),
				low(['constructor', 'name'], 'Object'),
				low(['gone', 3, 'a'], 1),
			],
		};
		const answers = { toString: 'y', name: 'y', a: 'y' };
		const { lowConfidenceFields, data } = corrected(item, answers);
		expect([lowConfidenceFields, data]).toEqual([item.lowConfidenceFields, item.data]);
	});

	it('is short enough to be read in its panel', () => {
		const lines = parametersOf('code').jsCode.split('\n');
		expect(lines.length).toBeLessThanOrEqual(25);
		expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
	});
});
