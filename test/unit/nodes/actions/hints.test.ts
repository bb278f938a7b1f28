import type { NodeOperationError } from 'n8n-workflow';
import { type About, type SkippedFile, toJson } from '../../../../nodes/DocumentWorkflow/about';

import type { Result, Success } from '../../../../nodes/DocumentWorkflow/actions/operation';
import { hintsOf } from '../../../../nodes/DocumentWorkflow/results/words/hints';
import { cell, shaped, step } from '../results/support';

/** Each result is of its own input item, unless said otherwise. */
const hintsAbove = (results: Result[], itemIndexes = results.map((_result, index) => [index])) =>
	hintsOf(
		results.map((result, index) => ({
			itemIndexes: itemIndexes[index] ?? [],
			about: result.about,
			facts: result.ok ? result.facts : undefined,
			items: result.ok ? result.items : [],
		})),
	);

const item = ({ toReview, ...given }: About & { toReview?: string | null } = {}): Success => {
	const about = { executionId: 'e', status: 'running', skipped: [], ...given };
	return { ok: true, items: [{ json: { ...toJson(about), toReview } }], about };
};
const document = {
	itemIndex: 0,
	fieldName: 'logo',
	fileName: 'logo.png',
	reason: 'empty',
} as const;
const failure: Result = {
	ok: false,
	error: {} as NodeOperationError,
	about: { outcome: 'unknown', skipped: [document] },
};

describe('the hints above the items', () => {
	it.each<[string, Result[]]>([
		['are none without items', []],
		['are none when all documents were sent', [item(), item({ documents: [document] })]],
		['are none for failed items without details', [item(), { ...failure, about: {} }]],
	])('%s', (_, results) => expect(hintsAbove(results)).toEqual([]));

	it.each<[string, 'info' | 'warning', string, Result[]]>([
		[
			'report that one document was skipped',
			'info',
			'1 document was skipped: "logo.png" (it is empty)',
			[item({ skipped: [document] }), item()],
		],
		[
			'report how many documents were skipped',
			'info',
			'3 documents were skipped: "logo.png" (it is empty), "logo.png" (it is empty), "logo.png" (it is empty)',
			[item({ skipped: [document, document] }), item({ skipped: [document] })],
		],
		[
			'report for how many items the outcome is unknown',
			'warning',
			'For 1 of 3 items it is unknown whether an execution was started. Check the dashboard of the service before you send them again',
			[item(), item(), item({ status: 'unknown', outcome: 'unknown' })],
		],
		[
			'report an item that needs review, with its reason, which is no markup',
			'warning',
			'The item needs review. Check: &lt;b&gt; (42 %)',
			[item({ needsReview: true, toReview: 'Check: <b> (42 %)' })],
		],
		[
			'report how many items need review, and why the first of them does',
			'warning',
			'2 of 3 items need review. The first: The execution failed',
			[
				item(),
				item({ needsReview: true, toReview: 'The execution failed' }),
				item({ needsReview: true, toReview: 'Check: a (42 %)' }),
			],
		],
		[
			'cut a long reason',
			'warning',
			`1 of 2 items needs review. ${'x'.repeat(472)}…`,
			[item({ needsReview: true, toReview: 'x'.repeat(10_000) }), item()],
		],
		[
			'report for how many items a second execution may exist',
			'warning',
			'For 1 of 1 items an earlier n8n execution may have sent the same documents. Check the dashboard of the service for a second execution',
			[item({ sentAgain: true })],
		],
	])('%s', (_, type, message, results) =>
		expect(hintsAbove(results)).toEqual([{ message, type, location: 'outputPane' }]),
	);

	it('count each execution once, however many items it has', () => {
		const one = item({ skipped: [document], sentAgain: true });
		expect(
			hintsAbove([{ ...one, items: [...one.items, ...one.items, ...one.items] }]).map(
				({ message }) => message.slice(0, 10),
			),
		).toEqual(['For 1 of 1', '1 document']);
	});

	it('count input items', () => {
		const marked = item({ status: 'unknown', outcome: 'unknown', executionId: undefined });
		const messages = (results: Result[], itemIndexes: number[][]) =>
			hintsAbove(results, itemIndexes).map(({ message }) => message.slice(0, 22));
		expect(messages([marked], [[0, 1, 2]])).toEqual(['For 3 of 3 items it is']);
		expect(messages([marked, marked, item()], [[0], [0], [1]])).toEqual(['For 1 of 2 items it is']);
	});

	it('name the skipped documents with the reasons, also where no item lists them', () => {
		const without = (...skipped: SkippedFile[]): Result => ({
			ok: true,
			items: [],
			about: { skipped },
		});
		const messages = (...results: Result[]) => hintsAbove(results).map(({ message }) => message);
		const other = { ...document, fileName: 'a.pdf', reason: 'contact' } as const;
		expect(messages(without(document), item({ skipped: [other] }), without())).toEqual([
			'2 documents were skipped: "logo.png" (it is empty), "a.pdf" (it is a contact)',
		]);
		expect(messages(without(...Array<SkippedFile>(12).fill(document)))[0]).toMatch(
			/^12 documents .*\) and 2 more$/,
		);
		expect(
			messages(
				without({ ...document, fileName: '<img src="x">.png', reason: 'otherName', detail: 'a&b' }),
			)[0],
		).toContain('"&lt;img src=&quot;x&quot;&gt;.png" (its name does not match a&amp;b)');
	});

	it('include what failed items report', () => {
		expect(hintsAbove([item(), failure]).map(({ message }) => message.slice(0, 10))).toEqual([
			'For 1 of 2',
			'1 document',
		]);
	});

	it('begin with what needs review, and then name what is about the data', async () => {
		const low = item({ skipped: [document], needsReview: true, toReview: null });
		const data = await shaped(
			{ steps: [step('policy', [{ number: cell('CPP-1', 0.9) }])] },
			{ byField: { total: 0.5 } },
		);
		const results = [{ ...low, facts: data }, item(), failure];
		expect(hintsAbove(results).map(({ message }) => message.slice(0, 11))).toEqual([
			'1 of 2 item',
			"'Minimums p",
			'For 1 of 3 ',
			'1 document ',
		]);
	});

	it('are counted when they apply to all items', () => {
		const all = item({
			skipped: [document],
			outcome: 'unknown',
			sentAgain: true,
		});
		expect(hintsAbove([all]).map(({ type }) => type)).toEqual(['warning', 'warning', 'info']);
	});
});
