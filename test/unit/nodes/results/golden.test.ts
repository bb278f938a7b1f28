import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	SAMPLE_DOCUMENTS,
	type SampleDocument,
} from '../../../../examples/make-documents/sample-documents';
import type { OutputSettings } from '../../../../nodes/DocumentWorkflow/results/settings/settings';
import type { Execution, Json } from '../../../../service/contract';
import { loadConfiguration } from '../../../../simulator/configuration';
import { stopReadingPdf } from '../../../../simulator/extract/pdf';
import { takeIn } from '../../../../simulator/processing/intake';
import { resultsOf } from '../../../../simulator/processing/results';
import { executionOf, shapeOf, settingsOf } from './support';

const EXAMPLES = join(__dirname, '../../../../examples');
const GOLDEN = join(__dirname, '../golden');
const isUpdating = process.env.UPDATE_GOLDEN === '1';
const { workflows } = loadConfiguration(join(EXAMPLES, 'simulator.json'));

const SHAPING: OutputSettings = settingsOf({
	minimumConfidence: 0.8,
	values: { style: 'us', numberFields: [], today: '2026-11-24' },
});

/** A sample document as the simulator reads it for its workflow. */
async function readSample({ fileName, mediaType, expected }: SampleDocument): Promise<Execution> {
	const content = readFileSync(join(EXAMPLES, 'documents', fileName));
	const intake = await takeIn(chunked(content), { fieldName: 'files', fileName, mediaType });
	const steps = workflows.find(({ workflowId }) => workflowId === expected.workflowId)?.steps ?? [];
	const results = await resultsOf(steps, [intake], null);
	return executionOf({
		workflow_id: expected.workflowId,
		workflow_execution_id: 'sample',
		metadata: { external_id: fileName },
		steps: JSON.parse(JSON.stringify(results)) as Json,
	});
}

async function* chunked(content: Uint8Array): AsyncIterable<Uint8Array> {
	yield content;
}

/** The outputs by file name. */
async function outputsOf(execution: Execution, name: string): Promise<Map<string, string>> {
	const itemsAs = async (output: OutputSettings['output']) =>
		`${JSON.stringify((await shapeOf(execution, { ...SHAPING, output })).items, null, 2)}\n`;
	return new Map([
		[`${name}.simplified.json`, await itemsAs('simplified')],
		[`${name}.rows.json`, await itemsAs('rows')],
		[`${name}.raw.json`, await itemsAs('raw')],
	]);
}

const nameOf = ({ fileName }: SampleDocument) => fileName.replace(/\.[^.]+$/, '');
const keptFiles = () => readdirSync(GOLDEN).filter((file) => file.endsWith('.json'));

beforeAll(() => {
	if (isUpdating) for (const file of keptFiles()) rmSync(join(GOLDEN, file));
});
afterAll(stopReadingPdf);

describe.each(SAMPLE_DOCUMENTS)('$fileName', (document) => {
	it('gives the stored simplified, row and raw items', async () => {
		const outputs = await outputsOf(await readSample(document), nameOf(document));
		for (const [file, text] of outputs) {
			if (isUpdating) writeFileSync(join(GOLDEN, file), text);
			expect(readFileSync(join(GOLDEN, file), 'utf8')).toBe(text);
		}
	});
});

it('Outputs are stored only for existing sample documents', () => {
	expect(keptFiles().sort()).toEqual(
		SAMPLE_DOCUMENTS.flatMap((document) =>
			['simplified.json', 'rows.json', 'raw.json'].map((kind) => `${nameOf(document)}.${kind}`),
		).sort(),
	);
});
