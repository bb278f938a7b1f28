import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { cell, getAnswered, jsonOf, POLICY_STEPS, step } from './support/answers';
import { runFlow, type Flow } from './support/engine';
import { useService } from './support/service';

const service = useService();
const ON = { outputOptions: { reviewForm: true } };
const INSURED = 'policy: insured (55 %)';
const PAID = 'losses, row 2: paid (40 %)';
const ANSWERS = { [INSURED]: 'Müller &amp; Söhne &lt;1&gt;', [PAID]: '12.5', 'Reviewed by': 'Zoë' };
const FILE = { data: { data: 'eA==', mimeType: 'text/plain', fileName: 'policy.txt' } };

const reviewed = async (parameters: INodeParameters = {}, steps: unknown[] = POLICY_STEPS) =>
	jsonOf(await getAnswered(service, { steps }, { ...ON, ...parameters }));

/** Runs the operation without a credential. */
const apply = async (
	original: IDataObject | string,
	input: IDataObject,
	flow: Partial<Flow> = {},
) =>
	runFlow({
		store: service.store,
		items: [{ json: { ...input, original } }],
		parameters: {
			operation: 'applyCorrections',
			originalItem: original === '' ? '' : '={{ $json.original }}',
		},
		...flow,
	});

describe('Apply Corrections', () => {
	it('puts the answers into the original item with its files, without a credential and without a request', async () => {
		const [json = {}] = await reviewed();
		service.state.requests.clear();
		const outcome = await apply({ json, binary: FILE }, ANSWERS);
		expect(outcome.error).toBeUndefined();
		expect(outcome.outputs[0]).toMatchObject([
			{
				json: {
					data: {
						policy: [{ policy_number: 'CPP-1001', insured: 'Müller &amp; Söhne <1>' }],
						losses: [{ paid: 1250 }, { paid: 12.5 }],
					},
					needsReview: false,
					lowConfidenceFields: [],
					review: {
						by: 'Zoë',
						changes: [
							{ field: 'policy[0].insured', from: 'Müller & Söhne' },
							{ field: 'losses[1].paid', from: 0, to: 12.5 },
						],
					},
				},
				binary: { data: { fileName: 'policy.txt' } },
				pairedItem: { item: 0 },
			},
		]);
		expect(outcome.hints).toEqual([]);
		expect(service.requests()).toEqual([]);
	});

	it('keeps of the files of an original item only what has the shape of a file', async () => {
		const [json = {}] = await reviewed();
		const broken = { text: 'x', number: 1, none: null, empty: {}, untyped: { data: 'eA==' } };
		const outcome = await apply({ json, binary: { ...FILE, ...broken } }, ANSWERS);
		expect(outcome.error).toBeUndefined();
		expect(Object.keys(outcome.outputs[0]?.[0]?.binary ?? {})).toEqual(Object.keys(FILE));
	});

	it('takes the item of the loop where no original item is entered', async () => {
		const [json = {}] = await reviewed();
		const outcome = await apply('', { ...json, ...ANSWERS });
		expect(jsonOf(outcome)).toMatchObject([{ needsReview: false, review: { by: 'Zoë' } }]);
	});

	it('reports answers that are no number where one is needed, and keeps their items to review', async () => {
		const [json = {}] = await reviewed();
		const outcome = await apply(json, { ...ANSWERS, [PAID]: '1,250.00' });
		expect(jsonOf(outcome)).toMatchObject([
			{
				needsReview: true,
				lowConfidenceFields: [{ field: 'losses[1].paid', value: '1,250.00', type: 'number' }],
				reviewForm: expect.stringContaining('enter a number'),
			},
		]);
		expect(outcome.hints).toEqual([
			'Item 0 still needs review. These answers should be a number such as 18520.5, a date such as 2026-12-31, or true or false: losses, row 2: paid',
			'The item needs review. Check: losses, row 2: paid (40 %)',
		]);
	});

	it('fails with what was found, and leaves the item to the error output where there is one', async () => {
		const [json = {}] = await reviewed();
		const stopped = await apply(json, { subject: 'Claim' });
		expect(stopped.error?.message).toMatch(/no answer for "policy: insured .*the fields .*subject/);
		expect(stopped.error?.message).toContain(INSURED);
		const { received } = await apply(
			json,
			{ subject: 'Claim' },
			{ settings: { onError: 'continueErrorOutput' } },
		);
		expect(received[1]).toMatchObject([{ json: { error: { message: stopped.error?.message } } }]);
	});
});

describe('Review Form', () => {
	it('is not in items that need no review', async () => {
		const [sure] = await reviewed({}, [step('policy', { insured: cell('A', 0.9) })]);
		expect(sure).not.toHaveProperty('reviewForm');
	});

	it('is in the rows that need review', async () => {
		const rows = await reviewed({ output: 'rows' });
		expect(rows.map(({ reviewForm: form }) => typeof form)).toEqual([
			'string',
			'undefined',
			'string',
		]);
	});
});
