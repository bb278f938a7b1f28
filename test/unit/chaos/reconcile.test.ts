import type { World } from '../../e2e/support';
import { reconcile, type ShownDocument } from '../../chaos/reconcile';

const W = 'intake';
const sending = (name: string) => `Sending to workflow ${W}: item 0 (${name}), n8n execution 1`;
const started = (name: string, id: string) =>
	`Execution ${id} (workflow ${W}) was started: item 0 (${name}), n8n execution 1`;
const resultOf = (name: string) => ({ data: { case: [{ case_number: name }] } });
const shown = (name: string, lines: string[] = [], executionId?: string): ShownDocument => ({
	...{ name, workflowId: W, lines },
	item: executionId === undefined ? undefined : { executionId, ...resultOf(name) },
});

/** Does the steps where the service has these executions, each with the name of its document. */
async function steps(documents: ShownDocument[], booked: Array<[id: string, name: string]>) {
	const books = booked.map(([executionId, name]) => ({ executionId, metadata: { name } }));
	const sent: string[] = [];
	const fetched: unknown[] = [];
	const state = { executions: { all: () => [...books] }, faults: { clear: () => 0 } };
	const runToEnd = async ({ nodes }: { nodes: Array<{ parameters: { jsonOutput?: string } }> }) => {
		const list = nodes.map(({ parameters }) => parameters.jsonOutput).find(Boolean) ?? '';
		const { numbers } = JSON.parse(list) as { numbers: Array<{ name: string }> };
		fetched.push(...numbers);
		const items = numbers.map(({ name }) => ({ json: resultOf(name) }));
		return { runs: { 'Document Workflow': [{ data: { main: [items] } }] } };
	};
	const credential = { id: '1', name: 'credential' };
	const world = { simulator: { state }, client: { runToEnd }, credential };
	const figures = await reconcile(world as unknown as World, documents, {
		nameOf: ({ metadata }) => String(metadata?.name),
		sendAgain: async (names) => {
			sent.push(...names);
			books.push(...names.map((name) => ({ executionId: `again-${name}`, metadata: { name } })));
			return names.map((name) => ({ json: resultOf(name) }));
		},
	});
	return { figures, sent, fetched };
}

describe('The steps after a crash', () => {
	it('find executions in the output, in the log and by a search, and send the rest again', async () => {
		const documents = [
			shown('a', [sending('a'), started('a', 'e1')], 'e1'),
			shown('b', [sending('b'), started('b', 'e2')]),
			shown('c', [sending('c')]),
			shown('d', [sending('d')]),
			shown('e'),
		];
		const { figures, sent, fetched } = await steps(documents, [
			['e1', 'a'],
			['e2', 'b'],
			['e3', 'c'],
		]);
		expect(figures).toEqual({
			documents: 5,
			started: 3,
			found: { output: 1, log: 1, search: 1 },
			lost: [],
			doubled: [],
			sentAfterwards: 2,
			withOwnData: 5,
		});
		expect(sent).toEqual(['d', 'e']);
		expect(fetched).toEqual([
			{ name: 'b', workflowId: W, executionId: 'e2' },
			{ name: 'c', workflowId: W, executionId: 'e3' },
		]);
	});

	it('report an execution that nothing leads to as lost, and its document as started twice', async () => {
		const documents = [shown('a', [], 'e1'), shown('b')];
		const { figures } = await steps(documents, [
			['e1', 'a'],
			['e9', 'a'],
			['e2', 'b'],
		]);
		expect(figures.lost).toEqual(['a: e9', 'b: e2']);
		expect(figures.doubled).toEqual(['a: 2', 'b: 2']);
	});
});
