import type { JsonRecord } from '../../../../service/contract';
import {
	corrected,
	definitionOf,
	itemsOf,
	labelsOf,
	onlyItem,
	opened,
	policy,
	REVIEWER,
} from './forms';
import { cell, step } from './support';

describe('The review form of an item', () => {
	it('is there only for items with values below the minimum, and only where it is wanted', () => {
		expect(definitionOf(onlyItem(policy({ premium: 1 })))).toEqual(expect.any(String));
		expect(definitionOf(onlyItem(policy({ premium: 1 }), { reviewForm: false }))).toBeUndefined();
		expect(
			definitionOf(onlyItem(policy({ premium: 1 }), { minimumConfidence: 0.4 })),
		).toBeUndefined();
		expect(definitionOf(onlyItem({ ...policy({ premium: 1 }), status: 'failed' }))).toBeUndefined();
	});

	it('has a field for each value with its place and confidence, and one for the reviewer', () => {
		const body = {
			steps: [
				step('policy', [{ 'Policy No.': cell('CPP-1', 0.625), premium: cell(null, 0) }]),
				step('losses', [{ paid: cell(1, 0.9) }, { paid: cell('a\nb', 0.7996) }]),
			],
		};
		const json = onlyItem(body);
		expect(opened(json)).toEqual([
			{ label: 'Document', type: 'html', shown: '' },
			{ label: 'policy · Policy No. (62.5 %)', type: 'text', shown: 'CPP-1' },
			{ label: 'policy · premium (0 %)', type: 'text', shown: '' },
			{ label: 'losses · row 2 · paid (79.9 %)', type: 'textarea', shown: 'a\nb' },
			{ label: REVIEWER, type: 'text', shown: '' },
		]);
	});

	it('names the row in rows, which may have their review in _execution', () => {
		const rows = policy({ premium: 1 }, { premium: cell(2, 0.5) });
		const items = itemsOf(rows, { output: 'rows', rowDetails: 'full' });
		expect(items.map(labelsOf)).toEqual([
			['policy · row 1 · premium (50 %)', REVIEWER],
			['policy · row 2 · premium (50 %)', REVIEWER],
		]);
		const [label = ''] = labelsOf(items[1] ?? {});
		expect(corrected(items[1] ?? {}, { [label]: '3' }).json).toMatchObject({
			premium: 3,
			_execution: { needsReview: false, review: { changes: [{ field: 'premium', to: 3 }] } },
		});
	});

	it('has labels that differ, that n8n does not change, and that are not long', () => {
		const names = ['a', '<b>', '{{ $json }}', '$&', 'x'.repeat(500), `${'x'.repeat(500)}y`];
		const labels = labelsOf(onlyItem(policy(Object.fromEntries(names.map((name) => [name, 1])))));
		expect(new Set(labels).size).toBe(labels.length);
		expect(labels.join()).not.toMatch(/[<>]/);
		for (const label of labels) expect(label.length).toBeLessThan(150);
	});

	it('asks for at most 50 values; the rest needs review still, and has a form of its own', () => {
		const json = onlyItem(
			policy(Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`f${index}`, index]))),
		);
		expect(opened(json)).toHaveLength(52);
		expect(definitionOf(json)).toContain('Not in this form, still to review: policy[0].f50');
		const [label = ''] = labelsOf(json);
		const once = corrected(json, { [label]: '100' }).json;
		expect(once).toMatchObject({ needsReview: true, lowConfidenceFields: { length: 10 } });
		const twice = corrected(once).json;
		expect(twice).toMatchObject({ needsReview: false, lowConfidenceFields: [] });
		expect(twice.review).toMatchObject({
			changes: [{ field: 'policy[0].f0', from: 0, to: 100 }],
			confirmed: { length: 59 },
		});
	});

	it('leaves out tables and long texts, which then need review still', () => {
		const json = onlyItem(policy({ premium: 1, long: 'x'.repeat(2001), list: [1, 2] }));
		expect(labelsOf(json)).toEqual(['policy · premium (50 %)', REVIEWER]);
		expect(corrected(json).json).toMatchObject({
			needsReview: true,
			lowConfidenceFields: [{ field: 'policy[0].long' }, { field: 'policy[0].list' }],
		});
	});

	it.each<[string, JsonRecord]>([
		['a row has no score', policy({ premium: 1 }, { premium: { value: 2 } })],
		[
			'the status says that the result is partial',
			{ ...policy({ premium: 1 }), status: 'completed_with_warnings' },
		],
	])('does not settle the review where %s', (_why, body) => {
		const json = onlyItem(body);
		expect(definitionOf(json)).toContain('also needs review as a whole');
		const again = corrected(json).json;
		expect(again).toMatchObject({ needsReview: true, lowConfidenceFields: [] });
		expect(definitionOf(again)).toBeUndefined();
	});

	it('shows names from documents as text, not as HTML', () => {
		const json = onlyItem(policy({ a: 1, '<img src=x>': ['list'] }));
		expect(definitionOf(json)).not.toContain('<img');
	});
});
