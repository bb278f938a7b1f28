import type { Pause } from '../../../../service/http';
import { AlreadySent, SENT_BEFORE } from '../../../../nodes/DocumentWorkflow/documents/alreadySent';
import type { Submission } from '../../../../nodes/DocumentWorkflow/actions/submission';
import { contextOf, node } from '../../support/context';
import { documentOf, sha256 } from '../../support/documents';
import { settled } from '../../support/fakeClock';
import { ProcessedData } from '../../support/processedData';
import { submissionOf } from '../../support/submissions';
import { cases, fc } from '../../../properties';

const handling = { sentMemory: 'node' } as const;
/** A submission of documents with these contents, and names after them. */
function sendingAs(names: Record<string, string>): Submission {
	const named = Object.entries(names).map(
		([fileName, content]) =>
			[documentOf(content, { fileName: `${fileName}.pdf` }), sha256(content)] as const,
	);
	return submissionOf({
		handling,
		documents: named.map(([document]) => document),
		hashes: new Map(named),
	});
}

const sending = (...contents: string[]) =>
	sendingAs(Object.fromEntries(contents.map((content) => [content, content])));

const warn = jest.fn();

const later: Pause = async () => new Promise(setImmediate);

interface Place {
	n8nWorkflow?: string;
	node?: string;
	pause?: Pause;
	access?: () => Promise<void>;
}

/** Opens the memory as one run of a node. */
function open(
	store: ProcessedData,
	{ n8nWorkflow = 'w', node: id = node.id, pause = later, access }: Place = {},
): AlreadySent {
	const getWorkflow = () => ({ id: n8nWorkflow, name: '', active: false });
	const logger = { warn, info: warn, debug: warn, error: warn };
	return new AlreadySent(
		contextOf({
			helpers: store.helpers(access),
			getWorkflow,
			getNode: () => ({ ...node, id }),
			logger,
		}),
		pause,
	);
}

/** One n8n execution: sends what is left of each submission to the service, which accepts it or not. Returns what was sent. */
async function run(
	store: ProcessedData,
	submissions: Submission[],
	accepts: (submission: number) => boolean = () => true,
): Promise<Submission[]> {
	const alreadySent = open(store);
	return Promise.all(
		submissions.map(async (given, number) => send(alreadySent, given, accepts(number))),
	);
}

async function send(
	alreadySent: AlreadySent,
	given: Submission,
	isAccepted: boolean,
): Promise<Submission> {
	const { submission, done } = await alreadySent.reduce(given);
	await new Promise(setImmediate);
	await done(isAccepted && submission.documents.length > 0 ? 'accepted' : undefined);
	return submission;
}

type Reduced = ReturnType<AlreadySent['reduce']>;

/** Observes whether a promise is still pending. */
function watched(reduced: Reduced): { reduced: Reduced; isReady: boolean } {
	const watching = { reduced, isReady: false };
	reduced.then(
		() => (watching.isReady = true),
		() => (watching.isReady = true),
	);
	return watching;
}

const namesOf = (submissions: Array<Pick<Submission, 'documents'>>) =>
	submissions.map(({ documents }) => documents.map(({ fileName }) => fileName.slice(0, -4)));

describe('documents that were sent in an earlier execution', () => {
	it('are skipped once they were accepted, with the reason', async () => {
		const store = new ProcessedData();
		expect(
			namesOf(await run(store, [sending('a'), sending('b')], (number) => number === 0)),
		).toEqual([['a'], ['b']]);
		const [first] = await run(store, [sending('b', 'a', 'c')]);
		expect(namesOf(first === undefined ? [] : [first])).toEqual([['b', 'c']]);
		expect(first?.skipped).toEqual([
			{ itemIndex: 0, fieldName: 'data', fileName: 'a.pdf', reason: 'it was sent before' },
		]);
		expect(first?.skipped.every(({ reason }) => SENT_BEFORE.has(reason))).toBe(true);
	});

	it('are sent again if requested by hash, and only these', async () => {
		const store = new ProcessedData();
		await run(store, [sending('a', 'b')]);
		const { submission, done } = await open(store).reduce(
			sending('a', 'b'),
			new Set([sha256('b')]),
		);
		expect(namesOf([submission])).toEqual([['b']]);
		await done('accepted');
		expect(namesOf(await run(store, [sending('a', 'b')]))).toEqual([[]]);
	});

	it('are recognized by their content, not by their name', async () => {
		const store = new ProcessedData();
		await run(store, [sending('a')]);
		expect(namesOf(await run(store, [sendingAs({ other: 'a', a: 'b' })]))).toEqual([['a']]);
	});

	it('are sent to another workflow of the service', async () => {
		const store = new ProcessedData();
		await run(store, [sending('a')]);
		expect(namesOf(await run(store, [{ ...sending('a'), workflowId: 'claims' }]))).toEqual([['a']]);
	});

	it('are remembered in the scope set in the panel', async () => {
		const store = new ProcessedData();
		await run(store, [
			{ ...sending('a'), handling: { ...submissionOf().handling, sentMemory: 'workflow' } },
		]);
		expect([store.sizeOf('workflow'), store.sizeOf('node')]).toEqual([1, 0]);
		expect(namesOf(await run(store, [sending('a')]))).toEqual([['a']]);
	});

	it('are added to what was skipped before', async () => {
		const skipped = [
			{ itemIndex: 0, fieldName: 'logo', fileName: 'logo.png', reason: 'it is empty' },
		];
		const store = new ProcessedData();
		await run(store, [sending('a')]);
		expect(
			(await run(store, [{ ...sending('a'), skipped }])).map((each) =>
				each.skipped.map(({ reason }) => reason),
			),
		).toEqual([['it is empty', 'it was sent before']]);
	});
});

it("An accepted document is remembered before the run continues, and a failure of n8n's store is logged", async () => {
	const store = new ProcessedData();
	const alreadySent = open(store);
	const [one, two] = await Promise.all([
		alreadySent.reduce(sending('a')),
		alreadySent.reduce(sending('b')),
	]);
	await one.done('accepted');
	expect(store.calls).toEqual(['record 4', 'remove 1']);
	store.isDown = true;
	await two.done('accepted');
	expect(warn).toHaveBeenCalledWith(
		'n8n could not store which documents were sent: The database is down',
	);
});

describe('a submission that is not remembered', () => {
	it('reads no document and does not use the store', async () => {
		const store = new ProcessedData();
		const given = submissionOf({ documents: [documentOf('a')] });
		for (let time = 0; time < 2; time++) expect(await run(store, [given])).toEqual([given]);
		expect([
			given.documents.map((document) => 'opened' in document && document.opened),
			store.calls,
		]).toEqual([[0], []]);
	});

	it('is never in doubt, and ends without waiting for anything', async () => {
		const { inDoubt, done } = await open(new ProcessedData()).reduce(submissionOf());
		expect(inDoubt).toEqual([]);
		await expect(done('unknown')).resolves.toBeUndefined();
	});
});

describe('the same document in several submissions of a run', () => {
	const reasonsOf = (submissions: Submission[]) =>
		submissions.map(({ skipped }) => skipped.map(({ reason }) => reason));

	it('is sent with the first, and skipped in the others', async () => {
		const reduced = await run(new ProcessedData(), [
			sending('a', 'b'),
			sending('a'),
			sending('b', 'c', 'a'),
		]);
		expect(namesOf(reduced)).toEqual([['a', 'b'], [], ['c']]);
		expect(reasonsOf(reduced)).toEqual([
			[],
			['it was sent with another item in this run'],
			Array(2).fill('it was sent with another item in this run'),
		]);
		expect(
			reduced.flatMap(({ skipped }) => skipped).every(({ reason }) => SENT_BEFORE.has(reason)),
		).toBe(true);
	});

	it('is sent with the second when the first was not accepted, and skipped in the third', async () => {
		const store = new ProcessedData();
		expect(
			namesOf(await run(store, [sending('a'), sending('a'), sending('a')], (number) => number > 0)),
		).toEqual([['a'], ['a'], []]);
		expect(namesOf(await run(store, [sending('a')]))).toEqual([[]]);
	});

	it('is skipped in the third even if the second, without it, was not accepted', async () => {
		expect(
			namesOf(
				await run(
					new ProcessedData(),
					[sending('a'), sending('a', 'b'), sending('a')],
					(number) => number !== 1,
				),
			),
		).toEqual([['a'], ['b'], []]);
	});

	it('is sent twice with one submission that has it twice', async () => {
		expect(namesOf(await run(new ProcessedData(), [sendingAs({ one: 'a', other: 'a' })]))).toEqual([
			['one', 'other'],
		]);
	});

	it('is not sent with the second before the outcome of the first is known', async () => {
		const alreadySent = open(new ProcessedData());
		const first = await alreadySent.reduce(sending('a'));
		const second = watched(alreadySent.reduce(sending('a')));
		await settled();
		expect(second.isReady).toBe(false);
		await first.done('accepted');
		const { submission, done } = await second.reduced;
		expect(namesOf([submission])).toEqual([[]]);
		await done(undefined);
	});

	it('is accepted at most once, and remembered only if it was accepted', async () => {
		const content = fc.constantFrom('a', 'b', 'c');
		const one = fc.record({
			contents: fc.uniqueArray(content, { minLength: 1 }),
			isAccepted: fc.boolean(),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(one, { maxLength: 6 }), async (given) => {
				const store = new ProcessedData();
				const submissions = given.map(({ contents }) => sending(...contents));
				const out = namesOf(
					await run(store, submissions, (number) => given[number]?.isAccepted === true),
				);
				const accepted = out.filter((_, number) => given[number]?.isAccepted).flat();
				expect(accepted).toEqual([...new Set(accepted)]);
				const left = namesOf(await run(store, [sending('a', 'b', 'c')])).flat();
				expect(left).toEqual(['a', 'b', 'c'].filter((each) => !accepted.includes(each)));
				given.forEach(({ contents, isAccepted }, number) => {
					if (isAccepted) for (const each of contents) expect(accepted).toContain(each);
					else expect(contents).toEqual(expect.arrayContaining(out[number] ?? []));
				});
			}),
		);
	});
});

describe('the same document in n8n executions that run at the same time', () => {
	it('is sent by the first, while the other waits and then skips it as sent before', async () => {
		const store = new ProcessedData();
		const first = await open(store).reduce(sending('a'));
		const second = watched(open(store).reduce(sending('b', 'a')));
		await settled();
		expect(second.isReady).toBe(false);
		await first.done('accepted');
		const { submission, done } = await second.reduced;
		expect(namesOf([submission])).toEqual([['b']]);
		expect(submission.skipped.map(({ reason }) => reason)).toEqual(['it was sent before']);
		await done('accepted');
		expect(namesOf(await run(store, [sending('a', 'b', 'c')]))).toEqual([['c']]);
	});

	it('is sent by the second when the service did not accept it from the first, and not by a third', async () => {
		const store = new ProcessedData();
		const first = await open(store).reduce(sending('a'));
		const [second, third] = [
			watched(open(store).reduce(sending('a'))),
			watched(open(store).reduce(sending('a'))),
		];
		await first.done(undefined);
		const reduced = await second.reduced;
		await settled();
		expect([namesOf([reduced.submission]), third.isReady]).toEqual([[['a']], false]);
		await reduced.done('accepted');
		expect(namesOf([(await third.reduced).submission])).toEqual([[]]);
		await (await third.reduced).done(undefined);
	});

	it('is skipped when the other began before the first was accepted and sends afterwards', async () => {
		const store = new ProcessedData();
		const [one, other] = [open(store), open(store)];
		await (await one.reduce(sending('a'))).done('accepted');
		const { submission, done } = await other.reduce(sending('a'));
		expect(namesOf([submission])).toEqual([[]]);
		await done(undefined);
	});

	it('is skipped even if n8n could not remember it in the meantime', async () => {
		const store = new ProcessedData();
		const first = await open(store).reduce(sending('a'));
		const second = watched(open(store).reduce(sending('a')));
		await settled();
		store.isDown = true;
		await first.done('accepted');
		expect(namesOf([(await second.reduced).submission])).toEqual([[]]);
		await (await second.reduced).done(undefined);
	});

	it('does not wait across n8n workflows, nodes, scopes, or workflows of the service', async () => {
		const inWorkflow = {
			...sending('a'),
			handling: { ...submissionOf().handling, sentMemory: 'workflow' },
		} as const;
		const first = await open(new ProcessedData()).reduce(sending('a'));
		const firstInWorkflow = await open(new ProcessedData()).reduce(inWorkflow);
		const others = [
			open(new ProcessedData(), { n8nWorkflow: 'other' }).reduce(sending('a')),
			open(new ProcessedData(), { node: 'other' }).reduce(sending('a')),
			open(new ProcessedData(), { n8nWorkflow: 'other' }).reduce(inWorkflow),
			open(new ProcessedData()).reduce({ ...sending('a'), workflowId: 'claims' }),
		];
		for (const other of others) {
			expect(namesOf([(await other).submission])).toEqual([['a']]);
			await (await other).done(undefined);
		}
		const sameWorkflow = watched(open(new ProcessedData(), { node: 'other' }).reduce(inWorkflow));
		await settled();
		expect(sameWorkflow.isReady).toBe(false);
		await first.done(undefined);
		await firstInWorkflow.done(undefined);
		await (await sameWorkflow.reduced).done(undefined);
	});

	it('is not waited for after a stop, and the claim is released', async () => {
		const store = new ProcessedData();
		const stop = new AbortController();
		const pause: Pause = async () => {
			await later(0);
			if (stop.signal.aborted) throw new Error('The n8n execution was stopped');
		};
		const first = await open(store).reduce(sending('a'));
		const second = watched(open(store, { pause }).reduce(sending('b', 'a')));
		const third = watched(open(store).reduce(sending('a', 'b')));
		await settled();
		stop.abort();
		await expect(second.reduced).rejects.toThrow('The n8n execution was stopped');
		await settled();
		expect(third.isReady).toBe(false);
		await first.done('accepted');
		expect(namesOf([(await third.reduced).submission])).toEqual([['b']]);
		await (await third.reduced).done(undefined);
	});

	it("is released when n8n's store fails", async () => {
		const store = new ProcessedData();
		store.isDown = true;
		await expect(open(store).reduce(sending('a'))).rejects.toThrow('The database is down');
		store.isDown = false;
		expect(namesOf(await run(store, [sending('a')]))).toEqual([['a']]);
	});

	it('is accepted at most once and never waits forever, whatever the order of documents, runs and database answers', async () => {
		const content = fc.constantFrom('a', 'b', 'c');
		const one = fc.record({
			contents: fc.shuffledSubarray(['a', 'b', 'c'], { minLength: 1 }),
			isAccepted: fc.boolean(),
		});
		const runs = fc.array(fc.array(one, { minLength: 1, maxLength: 3 }), {
			minLength: 2,
			maxLength: 4,
		});
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), runs, content, async (scheduler, given, asked) => {
				const store = new ProcessedData();
				const out: string[] = [];
				await scheduler.waitFor(
					Promise.all(
						given.map(async (submissions, number) => {
							const alreadySent = open(store, {
								access: async () => scheduler.schedule(Promise.resolve()),
							});
							await scheduler.schedule(Promise.resolve(), `run ${number}`);
							await Promise.all(
								submissions.map(async ({ contents, isAccepted }) => {
									const { submission, done } = await alreadySent.reduce(sending(...contents));
									await scheduler.schedule(Promise.resolve(), 'upload');
									if (isAccepted) out.push(...namesOf([submission]).flat());
									await done(
										isAccepted && submission.documents.length > 0 ? 'accepted' : undefined,
									);
								}),
							);
						}),
					),
				);
				expect(out).toEqual([...new Set(out)]);
				const wanted = given
					.flat()
					.filter(({ contents, isAccepted }) => isAccepted && contents.includes(asked));
				expect(out.includes(asked)).toBe(wanted.length > 0);
				expect(namesOf(await run(store, [sending('a', 'b', 'c')])).flat()).toEqual(
					['a', 'b', 'c'].filter((each) => !out.includes(each)),
				);
			}),
			cases(200),
		);
	});
});
