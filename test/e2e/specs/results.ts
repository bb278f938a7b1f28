import { join } from 'node:path';
import { lastRun, output } from '../../../harness/n8n-execution';
import { chain, documentWorkflow, EARLY, node, readFiles, type NodeJson } from '../flows';
import { DOCUMENTS, expectedOf, type World } from '../support';

const NODE = 'Document Workflow';

/** The results of an execution, and their use in the next node. */
export function resultsSpec(world: () => World): void {
	const locations = expectedOf('statement-of-values').steps.locations ?? [];
	const run = async (output: string, more: Record<string, unknown>, ...behind: NodeJson[]) => {
		const parameters = { output, ...more, ...EARLY };
		const read = readFiles(join(DOCUMENTS, 'statement-of-values.pdf'));
		return world().client.runToEnd(
			chain(
				'Results',
				read,
				documentWorkflow(world(), 'createAndWait', 'schedule-of-values', parameters),
				...behind,
			),
		);
	};
	const assign = (name: string, value: string) => ({ id: name, name, value, type: 'string' });
	const fields = (...assignments: unknown[]) =>
		node('Edit Fields', 'n8n-nodes-base.set', 3.4, { assignments: { assignments }, options: {} });

	it('One Item per Row returns an item for each row, linked to its document', async () => {
		const mapped = fields(
			assign('city', '={{ $json.city }}'),
			assign('file', "={{ $('Read').item.json.fileName }}"),
			assign('position', '={{ $json.step }} {{ $json.row }}'),
		);
		const execution = await run('rows', { step: 'locations' }, mapped);
		expect(locations.length).toBeGreaterThan(10);
		expect(output(execution, NODE).map(({ json }) => json)).toEqual(
			locations.map((row, index) => ({
				...row,
				needsReview: false,
				toReview: null,
				step: 'locations',
				row: index + 1,
				fileName: 'statement-of-values.pdf',
				executionId: expect.any(String) as unknown,
				...{ executionUrl: null, executionStatus: 'completed', externalId: null },
			})),
		);
		expect(output(execution, 'Edit Fields').map(({ json }) => json)).toEqual(
			locations.map(({ city }, index) => ({
				city,
				file: 'statement-of-values.pdf',
				position: `locations ${index + 1}`,
			})),
		);
	});

	it('says in a hint why the item needs review', async () => {
		const execution = await run('simplified', { minimumConfidence: 1 });
		const [item] = output(execution, NODE);
		expect(item?.json).toMatchObject({
			needsReview: true,
			lowConfidenceFields: expect.arrayContaining([
				expect.objectContaining({ field: expect.stringMatching(/^account\[0\]/) }),
			]),
		});
		expect(JSON.stringify(lastRun(execution, NODE).hints)).toMatch(
			/The item needs review\. Check: account: [\w ]+ \(\d+ %\), .* and \d+ more/,
		);
	});
}
