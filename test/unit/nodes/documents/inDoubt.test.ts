import { AlreadySent } from '../../../../nodes/DocumentWorkflow/documents/alreadySent';
import { contextOf, node } from '../../support/context';
import { documentOf, sha256 } from '../../support/documents';
import { settled } from '../../support/fakeClock';
import { ProcessedData } from '../../support/processedData';
import { submissionOf } from '../../support/submissions';

/** Begins a run that sends documents with these contents, which are their names too. */
async function beginRun(store: ProcessedData, contents: string[], again: string[] = []) {
	await settled(); // an earlier run is over
	const context = contextOf({
		helpers: store.helpers(),
		getWorkflow: () => ({ id: 'w', name: '', active: false }),
		getNode: () => node,
	});
	const documents = contents.map((content) => documentOf(content, { fileName: content }));
	const { submission, inDoubt, done } = await new AlreadySent(context, settled).reduce(
		submissionOf({
			handling: { ...submissionOf().handling, sentMemory: 'node' },
			documents,
			hashes: new Map(documents.map((document, at) => [document, sha256(contents[at] ?? '')])),
		}),
		new Set(again.map(sha256)),
	);
	return { sent: submission.documents.map(({ fileName }) => fileName), inDoubt, done };
}

/** What a later run would send, and which of that is in doubt. */
async function later(store: ProcessedData, contents: string[]) {
	const { sent, inDoubt, done } = await beginRun(store, contents);
	await done(undefined);
	return { sent, inDoubt };
}

describe('a document of which the service did not say whether it was accepted', () => {
	it.each(['unknown', 'failed'] as const)(
		'is sent again and named as in doubt when the outcome was: %s',
		async (outcome) => {
			const store = new ProcessedData();
			await (await beginRun(store, ['a'])).done(outcome);
			expect(await later(store, ['new', 'a'])).toEqual({ sent: ['new', 'a'], inDoubt: ['a'] });
		},
	);

	it('stays in doubt when it could not be sent again', async () => {
		const store = new ProcessedData();
		await (await beginRun(store, ['a'])).done('unknown');
		await (await beginRun(store, ['new', 'a'])).done(undefined);
		expect(await later(store, ['new', 'a'])).toEqual({ sent: ['new', 'a'], inDoubt: ['a'] });
	});

	it('is skipped once it was accepted', async () => {
		const store = new ProcessedData();
		await (await beginRun(store, ['a'])).done('unknown');
		await (await beginRun(store, ['a'])).done('accepted');
		expect(await later(store, ['a'])).toEqual({ sent: [], inDoubt: [] });
	});
});

it('A document that was accepted is still remembered when it is requested again and could not be sent', async () => {
	const store = new ProcessedData();
	await (await beginRun(store, ['a', 'b'])).done('accepted');
	const again = await beginRun(store, ['a', 'b'], ['b']);
	expect(again).toMatchObject({ sent: ['b'], inDoubt: [] });
	await again.done(undefined);
	expect(await later(store, ['a', 'b'])).toEqual({ sent: [], inDoubt: [] });
});
