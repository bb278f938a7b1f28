import type { WorkflowExecuteMode } from 'n8n-workflow';
import type { Pause } from '../../../../service/http';
import { AlreadySent } from '../../../../nodes/DocumentWorkflow/documents/alreadySent';
import { describeSkip, isMissingInData, ruleOf } from '../../../../nodes/DocumentWorkflow/about';
import { contextOf, node } from '../../support/context';
import { documentOf, sha256 } from '../../support/documents';
import { settled } from '../../support/fakeClock';
import { ProcessedData } from '../../support/processedData';
import { cases, fc } from '../../../properties';

const BEFORE = 'it was sent before';
const IN_THIS_RUN = 'it was sent with another item in this run';
const NO_RESULT = 'sent before, no result yet: another run may still wait for it, or was stopped';
const IN_RETRY =
	'sent before, and this is a retry: its result may have been lost with the run before';

const warn = jest.fn();
const later: Pause = async () => new Promise(setImmediate);

interface Place {
	n8nWorkflow?: string;
	node?: string;
	pause?: Pause;
	access?: () => Promise<void>;
	mode?: WorkflowExecuteMode;
}

/** Opens the record as one run of a node. */
function open(store: ProcessedData, place: Place = {}): AlreadySent {
	const { n8nWorkflow = 'w', node: id = node.id, pause = later, access, mode = 'trigger' } = place;
	const context = contextOf({
		helpers: store.helpers(access),
		getWorkflow: () => ({ id: n8nWorkflow, name: '', active: false }),
		getNode: () => ({ ...node, id }),
		getMode: () => mode,
		logger: { warn, info: warn, debug: warn, error: warn },
	});
	return new AlreadySent(context, pause);
}

/** Asks what is to be sent of documents with these contents, which are their names too. */
async function claim(run: AlreadySent, contents: string[], workflowId = 'policy-intake') {
	const given = contents.map((content) => documentOf(content, { fileName: content }));
	const { documents, skipped, ...more } = await run.claim({ workflowId, documents: given });
	const sent = documents.map(({ fileName }) => fileName);
	return { ...more, sent, reasons: skipped.map((file) => [file.fileName, describeSkip(file)]) };
}

const namesOf = (...contents: string[]) =>
	contents.map((content) => `policy-intake ${sha256(content)}`);

/** One n8n execution whose documents are accepted, and whose results are output. */
async function complete(store: ProcessedData, ...contents: string[]): Promise<void> {
	const run = open(store);
	await (await claim(run, contents)).done('accepted');
	await run.write('cameOut', namesOf(...contents));
}

/** What a later n8n execution would send, and why it skips the others. */
async function wouldSend(
	store: ProcessedData,
	contents: string[],
	place?: Place,
	workflowId?: string,
) {
	const { sent, reasons, maybeSent, done } = await claim(open(store, place), contents, workflowId);
	await done(undefined);
	return { sent, reasons, maybeSent };
}

/** Observes whether a promise is still pending. */
function watched<T>(promise: Promise<T>) {
	const watching = { promise, isReady: false };
	const ready = () => void (watching.isReady = true);
	promise.then(ready, ready);
	return watching;
}

beforeEach(() => warn.mockClear());

describe('a document of an earlier n8n execution', () => {
	it.each([
		['was not accepted', undefined, { sent: ['a'], reasons: [], maybeSent: [] }],
		['has an unknown outcome', 'unknown', { sent: ['a'], reasons: [], maybeSent: ['a'] }],
		['has no result yet', 'accepted', { sent: [], reasons: [['a', NO_RESULT]], maybeSent: [] }],
	] as const)('that %s is sent or skipped accordingly', async (_what, outcome, expected) => {
		const store = new ProcessedData();
		await (await claim(open(store), ['a'])).done(outcome);
		expect(await wouldSend(store, ['a'])).toEqual(expected);
	});

	it('is skipped as sent before once its result came out', async () => {
		const store = new ProcessedData();
		await complete(store, 'a', 'b');
		const { done, ...claimed } = await claim(open(store), ['a', 'c', 'b']);
		await done(undefined);
		expect(claimed).toEqual({
			sent: ['c'],
			reasons: [
				['a', BEFORE],
				['b', BEFORE],
			],
			maybeSent: [],
			remembered: namesOf('c'),
		});
	});
});

it('Each reason means that the service has the document, and two of them that its result may be missing', () => {
	const reasons = ['sentInThisRun', 'sentBefore', 'sentWithoutResult', 'sentBeforeRetry'] as const;
	expect(reasons.filter((reason) => !ruleOf({ reason }).wasSent)).toEqual([]);
	const missing = reasons.filter((reason) => isMissingInData({ reason }));
	expect(missing).toEqual(['sentWithoutResult', 'sentBeforeRetry']);
});

it('A document whose result came out may lack it in a retry of n8n', async () => {
	const store = new ProcessedData();
	await complete(store, 'a');
	await (await claim(open(store), ['b'])).done('accepted');
	const retried = await wouldSend(store, ['a', 'b', 'c'], { mode: 'retry' });
	expect([retried.sent, retried.reasons]).toEqual([
		['c'],
		[
			['a', IN_RETRY],
			['b', NO_RESULT],
		],
	]);
});

it("A failure of n8n's store after the answer is logged, and changes nothing else", async () => {
	const store = new ProcessedData();
	const run = open(store);
	const { done } = await claim(run, ['a']);
	store.isDown = true;
	await done('accepted');
	await run.write('cameOut', namesOf('a'));
	await run.write('forget', namesOf('a'));
	const line = 'n8n could not store which documents were sent: The database is down';
	expect(warn.mock.calls).toEqual([[line], [line], [line]]);
	await expect(claim(open(store), ['a'])).rejects.toThrow('The database is down');
	store.isDown = false;
	expect((await wouldSend(store, ['a'])).maybeSent).toEqual(['a']);
});

describe('the same document in several submissions of a run', () => {
	it('is sent with the first, and skipped in the others', async () => {
		const run = open(new ProcessedData());
		const first = await claim(run, ['a', 'b']);
		const others = [watched(claim(run, ['a'])), watched(claim(run, ['c', 'b']))];
		await settled();
		expect(others.map(({ isReady }) => isReady)).toEqual([false, false]);
		await first.done('accepted');
		const [second, third] = await Promise.all(others.map(async ({ promise }) => promise));
		expect([second?.reasons, third?.reasons]).toEqual([
			...[[['a', IN_THIS_RUN]], [['b', IN_THIS_RUN]]],
		]);
		expect([first.sent, second?.sent, third?.sent]).toEqual([['a', 'b'], [], ['c']]);
		await Promise.all([second?.done(undefined), third?.done(undefined)]);
	});

	it('is skipped with the others when an earlier try of the run has sent it', async () => {
		const store = new ProcessedData();
		await (await claim(open(store), ['a', 'b'])).done('accepted');
		const retry = open(store);
		retry.belongToThisRun(namesOf('a'));
		const { reasons, done } = await claim(retry, ['a', 'b']);
		expect(reasons).toEqual([
			['a', IN_THIS_RUN],
			['b', NO_RESULT],
		]);
		await done(undefined);
	});
});

describe('the same document in n8n executions that run at the same time', () => {
	it.each([
		['the service did not accept it from', undefined, ['b', 'a'], []],
		['the service did not answer', 'unknown', ['b', 'a'], ['a']],
		['nothing is known of the result of', 'accepted', ['b'], []],
	] as const)(
		'waits, and is sent or skipped when %s the first',
		async (_, outcome, sent, maybe) => {
			const store = new ProcessedData();
			const first = await claim(open(store), ['a']);
			const second = watched(claim(open(store), ['b', 'a']));
			const third = watched(claim(open(store), ['a', 'b']));
			await settled();
			expect(second.isReady).toBe(false);
			await first.done(outcome);
			const claimed = await second.promise;
			expect([claimed.sent, claimed.maybeSent]).toEqual([sent, maybe]);
			await settled();
			expect(third.isReady).toBe(false);
			await claimed.done('accepted');
			expect((await third.promise).sent).toEqual([]);
			await (await third.promise).done(undefined);
		},
	);

	it('does not wait across n8n workflows, nodes, or workflows of the service', async () => {
		const first = await claim(open(new ProcessedData()), ['a']);
		for (const place of [{ n8nWorkflow: 'other' }, { node: 'other' }])
			expect((await wouldSend(new ProcessedData(), ['a'], place)).sent).toEqual(['a']);
		expect((await wouldSend(new ProcessedData(), ['a'], {}, 'claims')).sent).toEqual(['a']);
		await first.done(undefined);
	});

	it('is not waited for after a stop, and others still wait for the first', async () => {
		const store = new ProcessedData();
		const stop = new AbortController();
		const pause: Pause = async () => {
			await later(0);
			if (stop.signal.aborted) throw new Error('The n8n execution was stopped');
		};
		const first = await claim(open(store), ['a']);
		const second = watched(claim(open(store, { pause }), ['b', 'a']));
		const third = watched(claim(open(store), ['a', 'b']));
		await settled();
		stop.abort();
		await expect(second.promise).rejects.toThrow('The n8n execution was stopped');
		await settled();
		expect(third.isReady).toBe(false);
		await first.done('accepted');
		expect((await third.promise).sent).toEqual(['b']);
		await (await third.promise).done(undefined);
	});

	it('is accepted at most once and never waits forever, whatever the order of documents, runs and database answers', async () => {
		const one = fc.record({
			contents: fc.shuffledSubarray(['a', 'b', 'c'], { minLength: 1 }),
			isAccepted: fc.boolean(),
		});
		const submissions = fc.array(one, { minLength: 1, maxLength: 3 });
		const runs = fc.array(submissions, { minLength: 1, maxLength: 4 });
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), runs, async (scheduler, given) => {
				const store = new ProcessedData();
				const accepted: string[] = [];
				const access = async () => scheduler.schedule(Promise.resolve());
				const oneRun = async (all: (typeof given)[number]) => {
					const run = open(store, { access });
					await scheduler.schedule(Promise.resolve(), 'run');
					const work = all.map(async ({ contents, isAccepted }) => {
						const { sent, done } = await claim(run, contents);
						await scheduler.schedule(Promise.resolve(), 'upload');
						if (isAccepted) accepted.push(...sent);
						await done(isAccepted && sent.length > 0 ? 'accepted' : undefined);
					});
					await Promise.all(work);
				};
				await scheduler.waitFor(Promise.all(given.map(oneRun)));
				const wanted = given.flat().flatMap((each) => (each.isAccepted ? each.contents : []));
				expect([...accepted].sort()).toEqual([...new Set(wanted)].sort());
				const left = ['a', 'b', 'c'].filter((each) => !accepted.includes(each));
				expect((await wouldSend(store, ['a', 'b', 'c'])).sent).toEqual(left);
			}),
			cases(200),
		);
	});
});
