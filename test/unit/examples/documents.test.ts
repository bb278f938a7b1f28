import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	expectedFileName,
	makeFiles,
	SAMPLE_DOCUMENTS,
	type SampleDocument,
} from '../../../examples/make-documents/sample-documents';
import { loadConfiguration, type Step } from '../../../simulator/configuration';
import { allLines, readDocument, type ReadDocument } from '../../../simulator/extract/document';
import { stopReadingPdf } from '../../../simulator/extract/pdf';
import { rowsOfStep } from '../../../simulator/extract/rows';

const EXAMPLES = join(__dirname, '../../../examples');
const FOLDER = join(EXAMPLES, 'documents');
const { workflows } = loadConfiguration(join(EXAMPLES, 'simulator.json'));

function stepsOf(document: SampleDocument): Step[] {
	const workflow = workflows.find((entry) => entry.workflowId === document.expected.workflowId);
	if (!workflow)
		throw new Error(`examples/simulator.json has no workflow ${document.expected.workflowId}`);
	return workflow.steps;
}

function read(fileName: string, mediaType: string): Promise<ReadDocument> {
	return readDocument({
		fileName,
		mediaType,
		bytes: new Uint8Array(readFileSync(join(FOLDER, fileName))),
	});
}

/** As golden.test.ts compares it with what the simulator reads. */
type SampleItem = Partial<{ data: Record<string, unknown> }>;

const nameOf = ({ fileName }: SampleDocument) => fileName.replace(/\.[^.]+$/, '');

async function scores(document: SampleDocument): Promise<number[]> {
	const content = await read(document.fileName, document.mediaType);
	const rows = stepsOf(document).flatMap((step) => rowsOfStep([content], step));
	return rows.flatMap((row) => Object.values(row).map((cell) => cell.confidence_score));
}

afterAll(stopReadingPdf);

describe('the script that makes the sample documents', () => {
	it('makes exactly the stored files', async () => {
		const made = await makeFiles();
		const kept = readdirSync(FOLDER).filter((name) => !/^(README\.md|\.gitattributes)$/.test(name));
		expect(kept.sort()).toEqual([...made.keys()].sort());
		const different = [...made]
			.filter(([name, bytes]) => !readFileSync(join(FOLDER, name)).equals(bytes))
			.map(([name]) => name);
		expect(different).toEqual([]);
	});

	it('makes the same bytes at any time', async () => {
		jest.useFakeTimers({
			now: new Date('2031-07-04T23:30:00Z'),
			doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'queueMicrotask'],
		});
		try {
			const different = [...(await makeFiles())]
				.filter(([name, bytes]) => !readFileSync(join(FOLDER, name)).equals(bytes))
				.map(([name]) => name);
			expect(different).toEqual([]);
		} finally {
			jest.useRealTimers();
		}
	});
});

describe.each(SAMPLE_DOCUMENTS)('$fileName', (document) => {
	const expected = JSON.parse(
		readFileSync(join(FOLDER, expectedFileName(document.fileName)), 'utf8'),
	) as SampleDocument['expected'];

	const stepsWithRows = stepsOf(document).filter(({ content }) => content === undefined);

	it('names the steps of its workflow in order, but for those without rows', () => {
		expect(Object.keys(expected.steps)).toEqual(stepsWithRows.map((step) => step.stepName));
	});

	it('is read by the simulator exactly as its expected fields, once texts are converted', async () => {
		const golden = join(__dirname, '../nodes/golden', `${nameOf(document)}.simplified.json`);
		const [{ data = {} } = {}] = JSON.parse(readFileSync(golden, 'utf8')) as SampleItem[];
		const found = stepsWithRows.map(({ stepName }) => [stepName, data[stepName]]);
		expect(Object.fromEntries(found)).toEqual(expected.steps);
	});

	it('has only telephone numbers and domains that are reserved for examples', async () => {
		const text = allLines(await read(document.fileName, document.mediaType))
			.map((line) => line.text)
			.join('\n');
		const phones = text.match(/\(\d{3}\) ?\d{3}-\d{4}/g) ?? [];
		const hosts = text.match(/(?<=@|www\.)[\w.-]+\.[a-z]{2,}/g) ?? [];
		expect(phones.filter((phone) => !/^\(614\) 555-01\d\d$/.test(phone))).toEqual([]);
		expect(hosts.filter((host) => !/(^|\.)example\.com$/.test(host))).toEqual([]);
	});
});

describe('the sample documents together', () => {
	it('have certain, doubtful and missing values for a reviewer', async () => {
		const all = (await Promise.all(SAMPLE_DOCUMENTS.map(scores))).flat();
		expect(all.filter((score) => score >= 0.95).length).toBeGreaterThan(300);
		expect(all.filter((score) => score > 0 && score < 0.8).length).toBeGreaterThanOrEqual(1);
		expect(all.filter((score) => score === 0).length).toBeGreaterThanOrEqual(5);
	});

	it('have amounts and dates as texts with page, quote and a schema, a class and a summary', async () => {
		const raw = (name: string) =>
			readFileSync(join(__dirname, '../nodes/golden', `${name}.raw.json`), 'utf8');
		expect(JSON.parse(raw('loss-run'))).toMatchObject([
			{
				response: {
					steps: [
						{
							data: {
								schema: { properties: { total_paid: { type: ['number', 'null'] } } },
								data: [
									{ total_paid: { value: '$522,620.92', page: 2, quote: expect.any(String) } },
								],
							},
						},
						{ data: { data: expect.arrayContaining([]) } },
						{ step_name: 'document_class', data: 'Loss run' },
						{ step_name: 'summary', data: expect.stringMatching(/^Example .* has 15 claims/) },
					],
				},
			},
		]);
		expect(raw('certificate-of-insurance')).toContain('"value": "$1,000,000"');
	});
});

describe('the simulator configuration of the examples', () => {
	it('receives files by multipart, except for one workflow that reads public addresses', () => {
		expect(
			workflows
				.filter((workflow) => workflow.fileAccess !== 'multipart')
				.map(({ workflowId, fileAccess }) => [workflowId, fileAccess]),
		).toEqual([['policy-intake-by-url', 'publicUrls']]);
	});

	it('reads the same from an address as policy intake reads from an upload', () => {
		const steps = (id: string): Step[] | undefined =>
			workflows.find((workflow) => workflow.workflowId === id)?.steps;
		expect(steps('policy-intake-by-url')).toEqual(steps('policy-intake'));
	});
});
