import fc from 'fast-check';

import type { AlreadySent } from '../../../../nodes/DocumentWorkflow/documents/alreadySent';
import { openAlreadySent, SENT_BEFORE } from '../../../../nodes/DocumentWorkflow/documents/alreadySent';
import type { Submission } from '../../../../nodes/DocumentWorkflow/documents/submission';
import { contextOf } from '../../support/context';
import { documentOf, sha256 } from '../../support/documents';
import { ProcessedData } from '../../support/processedData';
import { submissionOf } from '../../support/submissions';

const handling = { sentMemory: 'node' } as const;
/** A submission of documents with these contents, named like these where nothing else is said. */
function sendingAs(names: Record<string, string>): Submission {
	const named = Object.entries(names).map(([fileName, content]) => [documentOf(content, { fileName: `${fileName}.pdf` }), sha256(content)] as const);
	return submissionOf({ handling, documents: named.map(([document]) => document), contents: new Map(named) });
}

const sending = (...contents: string[]) => sendingAs(Object.fromEntries(contents.map((content) => [content, content])));
const open = async (store: ProcessedData, submissions: Submission[]) => openAlreadySent(contextOf({ helpers: store.helpers() }), submissions);

/** One n8n execution: what is left of each submission goes to the service, which accepts it or does not; gives what went out. */
async function run(store: ProcessedData, submissions: Submission[], accepts: (submission: number) => boolean = () => true): Promise<Submission[]> {
	const alreadySent = await open(store, submissions);
	return Promise.all(submissions.map(async (given, number) => send(alreadySent, given, accepts(number))));
}

async function send(alreadySent: AlreadySent, given: Submission, isAccepted: boolean): Promise<Submission> {
	const { submission, done } = await alreadySent.reduce(given);
	await new Promise(setImmediate);
	await done(isAccepted && submission.documents.length > 0);
	return submission;
}

const namesOf = (submissions: Submission[]) => submissions.map(({ documents }) => documents.map(({ fileName }) => fileName.slice(0, -4)));

describe('documents that were sent in an earlier execution', () => {
	it('are left out once they were accepted, with the reason', async () => {
		const store = new ProcessedData();
		expect(namesOf(await run(store, [sending('a'), sending('b')], (number) => number === 0))).toEqual([['a'], ['b']]);
		const [first] = await run(store, [sending('b', 'a', 'c')]);
		expect(namesOf(first === undefined ? [] : [first])).toEqual([['b', 'c']]);
		expect(first?.skipped).toEqual([{ itemIndex: 0, fieldName: 'data', fileName: 'a.pdf', reason: 'it was sent before' }]);
		expect(first?.skipped.every(({ reason }) => SENT_BEFORE.has(reason))).toBe(true);
	});

	it('are known by their content, not by their name', async () => {
		const store = new ProcessedData();
		await run(store, [sending('a')]);
		expect(namesOf(await run(store, [sendingAs({ other: 'a', a: 'b' })]))).toEqual([['a']]);
	});

	it('are sent to another workflow of the service', async () => {
		const store = new ProcessedData();
		await run(store, [sending('a')]);
		expect(namesOf(await run(store, [{ ...sending('a'), workflowId: 'claims' }]))).toEqual([['a']]);
	});

	it('are remembered where the panel says', async () => {
		const store = new ProcessedData();
		await run(store, [{ ...sending('a'), handling: { ...submissionOf().handling, sentMemory: 'workflow' } }]);
		expect([store.sizeOf('workflow'), store.sizeOf('node')]).toEqual([1, 0]);
		expect(namesOf(await run(store, [sending('a')]))).toEqual([['a']]);
	});

	it('keep what was skipped before', async () => {
		const skipped = [{ itemIndex: 0, fieldName: 'logo', fileName: 'logo.png', reason: 'it is empty' }];
		const store = new ProcessedData();
		await run(store, [sending('a')]);
		expect((await run(store, [{ ...sending('a'), skipped }])).map((each) => each.skipped.map(({ reason }) => reason))).toEqual([['it is empty', 'it was sent before']]);
	});
});

it('An accepted document is remembered before anything goes on, and it is said when n8n cannot remember it', async () => {
	const store = new ProcessedData();
	const [one, two] = [sending('a'), sending('b')];
	const alreadySent = await open(store, [one, two]);
	await (await alreadySent.reduce(one)).done(true);
	expect(store.calls).toEqual(['record 4', 'remove 1']);
	const { done } = await alreadySent.reduce(two);
	store.isDown = true;
	await expect(done(true)).rejects.toThrow('The database is down');
});

describe('when nothing is to be remembered', () => {
	it('no document is read, and the store is not asked', async () => {
		const store = new ProcessedData();
		const given = submissionOf({ documents: [documentOf('a')] });
		for (let time = 0; time < 2; time++) expect(await run(store, [given])).toEqual([given]);
		expect([given.documents.map((document) => 'opened' in document && document.opened), store.calls]).toEqual([[0], []]);
	});
});

describe('the same document in several submissions of a run', () => {
	const reasonsOf = (submissions: Submission[]) => submissions.map(({ skipped }) => skipped.map(({ reason }) => reason));

	it('is sent with the first, and left out of the others', async () => {
		const reduced = await run(new ProcessedData(), [sending('a', 'b'), sending('a'), sending('b', 'c', 'a')]);
		expect(namesOf(reduced)).toEqual([['a', 'b'], [], ['c']]);
		expect(reasonsOf(reduced)).toEqual([[], ['it was sent with another item of this run'], Array(2).fill('it was sent with another item of this run')]);
		expect(reduced.flatMap(({ skipped }) => skipped).every(({ reason }) => SENT_BEFORE.has(reason))).toBe(true);
	});

	it('is sent with the second when the first was not accepted, and left out of the third', async () => {
		const store = new ProcessedData();
		expect(namesOf(await run(store, [sending('a'), sending('a'), sending('a')], (number) => number > 0))).toEqual([['a'], ['a'], []]);
		expect(namesOf(await run(store, [sending('a')]))).toEqual([[]]);
	});

	it('is left out of the third although the second, which had it no more, was not accepted', async () => {
		expect(namesOf(await run(new ProcessedData(), [sending('a'), sending('a', 'b'), sending('a')], (number) => number !== 1))).toEqual([['a'], ['b'], []]);
	});

	it('goes twice with one submission that has it twice', async () => {
		expect(namesOf(await run(new ProcessedData(), [sendingAs({ one: 'a', other: 'a' })]))).toEqual([['one', 'other']]);
	});

	it('waits for what becomes of the first before the second leaves', async () => {
		const [one, two] = [sending('a'), sending('a')];
		const alreadySent = await open(new ProcessedData(), [one, two]);
		const first = await alreadySent.reduce(one);
		let isReady = false;
		const second = alreadySent.reduce(two).finally(() => (isReady = true));
		await new Promise(setImmediate);
		expect(isReady).toBe(false);
		await first.done(true);
		expect(namesOf([(await second).submission])).toEqual([[]]);
	});

	it('is accepted once at most, and known afterwards exactly when it was', async () => {
		const content = fc.constantFrom('a', 'b', 'c');
		const one = fc.record({ contents: fc.uniqueArray(content, { minLength: 1 }), isAccepted: fc.boolean() });
		await fc.assert(fc.asyncProperty(fc.array(one, { maxLength: 6 }), async (given) => {
			const store = new ProcessedData();
			const submissions = given.map(({ contents }) => sending(...contents));
			const out = namesOf(await run(store, submissions, (number) => given[number]?.isAccepted === true));
			const accepted = out.filter((_, number) => given[number]?.isAccepted).flat();
			expect(accepted).toEqual([...new Set(accepted)]);
			const left = namesOf(await run(store, [sending('a', 'b', 'c')])).flat();
			expect(left).toEqual(['a', 'b', 'c'].filter((each) => !accepted.includes(each)));
			given.forEach(({ contents, isAccepted }, number) => {
				if (isAccepted) for (const each of contents) expect(accepted).toContain(each);
				else expect(contents).toEqual(expect.arrayContaining(out[number] ?? []));
			});
		}));
	});
});
