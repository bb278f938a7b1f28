/** Runs of Create with random items: the expected documents follow from the panel's texts. */
import { useBinaryMode } from './binary-storage';
import { runFlow } from './engine';
import { generatedItem, type ExpectedDocument, type GeneratedItem } from './generated-items';
import { operation, useService } from './service';
import { fc } from '../../properties';

const service = useService();
afterAll(() => useBinaryMode('memory'));

type GroupBy = 'item' | 'document' | 'all';

interface Settings {
	mode: 'memory' | 'filesystem';
	/** Part of the names of the files to send. */
	part: string;
}

const SETTINGS: fc.Arbitrary<Settings> = fc.record({
	mode: fc.constantFrom('memory', 'filesystem'),
	part: fc.constantFrom('', 'z'),
});

interface Expected {
	itemIndexes: number[];
	documents: Array<ExpectedDocument & { itemIndex: number }>;
	skipped: Array<{ itemIndex: number; fieldName: string; reason: string }>;
}

/** In the output and the service, names have apostrophes in place of double quotes. */
const sentAs = ({ fileName, ...rest }: ExpectedDocument): ExpectedDocument => ({
	...rest,
	fileName: fileName.replaceAll('"', "'"),
});

/** The executions to expect according to the panel's texts. */
function expectedOf(items: GeneratedItem[], groupBy: GroupBy, { part }: Settings): Expected[] {
	const perItem = items.map(({ documents }, itemIndex): Expected => {
		const why = ({ fileName, bytes }: ExpectedDocument) => {
			if (!fileName.toLowerCase().includes(part)) return `its name does not match *${part}*`;
			return bytes === 0 ? 'it is empty' : '';
		};
		return {
			itemIndexes: [itemIndex],
			documents: documents
				.filter((document) => why(document) === '')
				.map((document) => ({ ...sentAs(document), itemIndex })),
			skipped: documents
				.filter((document) => why(document) !== '')
				.map((document) => ({ itemIndex, fieldName: document.fieldName, reason: why(document) })),
		};
	});
	if (groupBy === 'all')
		return [
			withoutRepeated({
				itemIndexes: perItem.map((_item, itemIndex) => itemIndex),
				documents: perItem.flatMap(({ documents }) => documents),
				skipped: perItem.flatMap(({ skipped }) => skipped),
			}),
		];
	const once = perItem.map(withoutRepeated);
	return groupBy === 'item' ? once : once.flatMap(groupByDocument);
}

/** Empty files are executions of their own, which are not started. The first lists what else was skipped. */
function groupByDocument({ documents, skipped, ...rest }: Expected): Expected[] {
	const empty = skipped.filter(({ reason }) => reason === 'it is empty');
	const others = skipped.filter((each) => !empty.includes(each));
	const parts = [
		...documents.map((document) => ({ documents: [document], skipped: [] })),
		...empty.map((file) => ({ documents: [], skipped: [file] })),
	];
	const [first = { documents: [], skipped: [] }, ...more] = parts;
	return [{ ...first, skipped: [...others, ...first.skipped] }, ...more].map((part) => ({
		...rest,
		...part,
	}));
}

function withoutRepeated({ documents, skipped, ...rest }: Expected): Expected {
	const first = (content: string) => documents.find(({ sha256 }) => sha256 === content);
	const repeated = documents.filter((document) => first(document.sha256) !== document);
	const reasons = repeated.map(({ itemIndex, fieldName, sha256 }) => ({
		itemIndex,
		fieldName,
		reason: `it is a duplicate of ${first(sha256)?.fileName}`,
	}));
	return {
		...rest,
		documents: documents.filter((document) => !repeated.includes(document)),
		skipped: [...skipped, ...reasons],
	};
}

/** Tests this number of runs for each grouping. */
export function itSendsExpectedDocuments(runs: number): void {
	it.each<GroupBy>(['item', 'document', 'all'])(
		`sends exactly the expected documents in ${runs} runs with random items and one execution per %s`,
		async (groupBy) => {
			let items = 0;
			let documents = 0;
			await fc.assert(
				fc.asyncProperty(
					fc.array(generatedItem, { minLength: 10, maxLength: 100, size: 'max' }),
					SETTINGS,
					async (generated, settings) => {
						service.state.executions.clear();
						await useBinaryMode(settings.mode);
						const { outputs, error } = await runFlow({
							...service,
							items: generated.map(({ input }) => input),
							parameters: operation('create', {
								inputDataFieldName: '={{ $json.patterns }}',
								groupBy,
								documentOptions: { fileNames: `*${settings.part}*` },
							}),
						});
						expect(error).toBeUndefined();
						const expected = expectedOf(generated, groupBy, settings);
						const [results = []] = outputs;
						expect(results.map(({ json }) => json.documents)).toEqual(
							expected.map((each) => each.documents),
						);
						const skippedIn = ({ json }: (typeof results)[number]) =>
							(json.skipped as Expected['skipped']).map(({ itemIndex, fieldName, reason }) => ({
								itemIndex,
								fieldName,
								reason,
							}));
						expect(results.map(skippedIn)).toEqual(expected.map(({ skipped }) => skipped));
						const paired = ({ itemIndexes: [first, ...others] }: Expected) =>
							others.length === 0 ? { item: first } : [first, ...others].map((item) => ({ item }));
						expect(results.map(({ pairedItem }) => pairedItem)).toEqual(expected.map(paired));
						const sent = expected.filter((each) => each.documents.length > 0);
						expect(results.filter(({ json }) => json.status === 'skipped')).toHaveLength(
							expected.length - sent.length,
						);
						expect(service.executionsOf(results).map(({ files }) => files)).toEqual(
							sent.map((each) =>
								each.documents.map(({ fileName, mediaType, bytes, sha256 }) => ({
									fieldName: 'files',
									fileName,
									mediaType,
									bytes,
									sha256,
								})),
							),
						);
						expect(service.state.executions.all()).toHaveLength(sent.length);
						items += generated.length;
						documents += sent.flatMap((each) => each.documents).length;
					},
				),
				// After a failure fast-check searches for a smaller example; this limits the search.
				{
					numRuns: runs,
					unbiased: true,
					interruptAfterTimeLimit: 240_000,
					markInterruptAsFailure: true,
				},
			);
			expect(items).toBeGreaterThanOrEqual(10 * runs);
			expect(documents).toBeGreaterThan(5 * runs);
		},
		300_000,
	);
}
