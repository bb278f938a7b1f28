import { join } from 'node:path';
import { output } from '../../../harness/n8n-execution';
import { chain, documentWorkflow, EARLY, readFiles } from '../flows';
import { DOCUMENTS, expectedOf, type World } from '../support';

const NODE = 'Document Workflow';

/** Texts that are in no log by chance. */
function longTextsIn(value: unknown): string[] {
	if (typeof value === 'string') return value.length < 10 ? [] : [value];
	return typeof value === 'object' && value !== null
		? Object.values(value).flatMap(longTextsIn)
		: [];
}

/** Create and Wait on real documents. */
export function executionSpec(world: () => World): void {
	it('Create and Wait returns an item for each document, in order, with values and confidence, and none in the log', async () => {
		const { client, n8n } = world();
		const names = ['application', 'certificate-of-insurance', 'statement-of-values'];
		const workflows = Object.fromEntries(
			names.map((name) => [`${name}.pdf`, expectedOf(name).workflowId]),
		);
		const flow = chain(
			'Create and Wait',
			readFiles(join(DOCUMENTS, `{${names.join(',')}}.pdf`)),
			documentWorkflow(
				world(),
				'createAndWait',
				`={{ (${JSON.stringify(workflows)})[$json.fileName] }}`,
				{ ...EARLY, outputOptions: { values: 'us' } },
			),
		);
		const execution = await client.runToEnd(flow);
		const read = output(execution, 'Read').map(({ json }) =>
			String(json.fileName).replace('.pdf', ''),
		); // in no certain order
		expect([...read].sort()).toEqual(names);
		const items = output(execution, NODE);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		items.forEach(({ json }, index) => {
			const { workflowId, steps } = expectedOf(read[index] ?? '');
			expect(json).toMatchObject({ workflowId, status: 'completed', data: steps });
			const confidence = json.confidence as Record<string, Array<Record<string, number>>>;
			const scores = Object.values(confidence).flatMap((rows) =>
				rows.flatMap((row) => Object.values<number>(row)),
			);
			expect(scores.length).toBeGreaterThan(10);
			for (const score of scores) expect(score >= 0 && score <= 1).toBe(true);
			expect(json.lowestConfidence).toBe(Math.min(...scores));
		});
		const texts = items.flatMap(({ json }) => longTextsIn(json.data));
		expect(texts.length).toBeGreaterThan(10);
		expect(texts.filter((text) => n8n.log().includes(text))).toEqual([]);
	});
}
