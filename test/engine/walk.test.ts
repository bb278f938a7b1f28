import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { importsOf, PRODUCT, productFiles, ROOT } from '../../harness/imports';
import { runFlow } from './support/engine';
import { operation, policyItem, useService } from './support/service';

const MOST_FILES = 60;
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
	const product = productFiles(PRODUCT);
	const isLeaf = (file: string) => importsOf(file, product, { types: false }).length === 0;
	let walked = product;
	// Work of tests before, in the same process, may still end during a measurement: the shortest of three has none of it.
	for (const clientId of ['engine-client-98', 'engine-client-99', 'engine-client-100']) {
		await service.enter({ clientId });
		const files = await filesOf(async () => {
			const { received } = await runFlow({
				...service,
				parameters: operation('createAndWait'),
				items: [policyItem()],
			});
			expect(received[0]).toMatchObject([{ json: { status: 'completed' } }]);
		});
		const met = product.filter((each) => files.includes(each) && !isLeaf(each));
		if (met.length < walked.length) walked = met;
	}
	const folder = join(ROOT, 'artefacts');
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'walk.json'), JSON.stringify(walked, null, '\t'));
	expect(walked).toContain('nodes/DocumentWorkflow/DocumentWorkflow.node.ts');
	expect(walked.length).toBeLessThanOrEqual(MOST_FILES);
});
