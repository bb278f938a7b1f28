import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { importsOf, PRODUCT, productFiles, ROOT } from '../../harness/imports';
import { runFlow } from './support/engine';
import { file } from './support/files';
import { operation, useService } from './support/service';

const MOST_FILES = 60;
const PDF = readFileSync(join(ROOT, 'examples', 'documents', 'declarations-page.pdf'));
const BUILT = join(ROOT, 'dist');

const service = useService();

/** The built files of the package in which a function ran during some work. */
async function filesOf(work: () => Promise<unknown>): Promise<string[]> {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	await session.post('Profiler.takePreciseCoverage');
	await work();
	const { result } = await session.post('Profiler.takePreciseCoverage');
	session.disconnect();
	const ran = result.filter(
		({ url, functions }) =>
			url.includes(BUILT) &&
			functions.some(
				({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0,
			),
	);
	return ran.map(({ url }) =>
		relative(BUILT, url.replace(/^file:\/\//, '')).replace(/\.js$/, '.ts'),
	);
}

it(`passes a document from the panel to its item through at most ${MOST_FILES} files, leaf helpers not counted`, async () => {
	const files = await filesOf(async () =>
		runFlow({
			...service,
			parameters: operation('createAndWait'),
			items: [{ files: { data: file('policy.pdf', PDF, 'application/pdf') } }],
		}),
	);
	const product = productFiles(PRODUCT);
	const isLeaf = (file: string) => importsOf(file, product, { types: false }).length === 0;
	const walked = [...new Set(files)].filter((file) => product.includes(file) && !isLeaf(file));
	const folder = join(ROOT, 'artefacts');
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'walk.json'), JSON.stringify(walked.sort(), null, '\t'));
	expect(walked).toContain('nodes/DocumentWorkflow/DocumentWorkflow.node.ts');
	expect(walked.length).toBeLessThanOrEqual(MOST_FILES);
});
