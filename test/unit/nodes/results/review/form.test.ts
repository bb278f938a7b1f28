import type { IDataObject } from 'n8n-workflow';

import { withReviewForm } from '../../../../../nodes/DocumentWorkflow/results/review/form';
import type { Json, JsonRecord } from '../../../../../service/contract';
import {
	corrected,
	definitionOf,
	itemsOf,
	labelsOf,
	onlyItem,
	opened,
	policy,
	REVIEWER,
	reviewIn,
} from './forms';
import { cell, executionOf, shapeOf, shapingOf, step } from '../support';

describe('The review form of an item', () => {
	it('is there only for items with values below the minimum, and only where it is wanted', () => {
		expect(definitionOf(onlyItem(policy({ premium: 1 })))).toEqual(expect.any(String));
		expect(definitionOf(onlyItem(policy({ premium: 1 }), { reviewForm: false }))).toBeUndefined();
		expect(
			definitionOf(onlyItem(policy({ premium: 1 }), { minimumConfidence: 0.4 })),
		).toBeUndefined();
		expect(
			definitionOf(onlyItem(policy({ premium: 1 }), { minimumConfidence: undefined })),
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
			{ label: 'policy: Policy No. (62 %)', type: 'text', shown: 'CPP-1' },
			{ label: 'policy: premium (0 %)', type: 'text', shown: '' },
			{ label: 'losses, row 2: paid (79 %)', type: 'textarea', shown: 'a\nb' },
			{ label: REVIEWER, type: 'text', shown: '' },
		]);
	});

	it('names the row in rows', () => {
		const rows = policy({ premium: 1 }, { premium: cell(2, 0.5) });
		const items = itemsOf(rows, { output: 'rows' });
		expect(items.map(labelsOf)).toEqual([
			['policy, row 1: premium (50 %)', REVIEWER],
			['policy, row 2: premium (50 %)', REVIEWER],
		]);
		const [label = ''] = labelsOf(items[1] ?? {});
		expect(corrected(items[1] ?? {}, { [label]: '3' }).json).toMatchObject({
			premium: 3,
			needsReview: false,
			executionDetails: { review: { changes: [{ field: 'premium', to: 3 }] } },
		});
	});

	it('names the row of the item also where a table in it has only one row', () => {
		const losses = cell([{ paid: cell(10, 0.5) }]);
		const rows: JsonRecord[] = [{ note: cell('x', 0.9) }, { losses }];
		const [, json = {}] = itemsOf({ steps: [step('policy', rows)] }, { output: 'rows' });
		expect(labelsOf(json)).toEqual(['policy, row 2: losses, row 1: paid (50 %)', REVIEWER]);
	});

	it.each<[string, JsonRecord, string]>([
		[
			'a confidence that cannot be read',
			{ a: { value: 1, confidence_score: 'high' } },
			'a (confidence unknown)',
		],
		['a name that looks like HTML', { '<b>': cell(1, 0.5) }, '‹b› (50 %)'],
		[
			'a name that looks like an expression',
			{ '{{ $env.X }}': cell(1, 0.5) },
			'(( $env.X )) (50 %)',
		],
		['a name in snake case', { date_of_loss: cell(1, 0.5) }, 'date of loss (50 %)'],
	])('has a label for %s', (_what, row, label) => {
		expect(labelsOf(onlyItem({ steps: [step('policy', [row])] }))).toEqual([
			`policy: ${label}`,
			REVIEWER,
		]);
	});

	it('has labels that differ, that n8n does not change, and that are not long', () => {
		const names = ['a', '<b>', '{{ $json }}', '$&', 'x'.repeat(500), `${'x'.repeat(500)}y`];
		const labels = labelsOf(onlyItem(policy(Object.fromEntries(names.map((name) => [name, 1])))));
		expect(new Set(labels).size).toBe(labels.length);
		expect(labels.join()).not.toMatch(/[<>{}]/);
		for (const label of labels) expect(label.length).toBeLessThan(150);
	});

	it('asks for at most 50 values; the rest needs review still, and has a form of its own', () => {
		const json = onlyItem(
			policy(Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`f${index}`, index]))),
		);
		expect(opened(json)).toHaveLength(52);
		expect(definitionOf(json)).toContain('Not in this form, still to review: policy: f50');
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

	it('asks for a text of 2,000 characters, but for no longer one', () => {
		const json = onlyItem(policy({ long: 'x'.repeat(2_000), longer: 'x'.repeat(2_001) }));
		expect(labelsOf(json)).toEqual(['policy: long (50 %)', REVIEWER]);
	});

	it.each<[string, Json]>([
		['no record', null],
		['a text', 'policy[0].premium'],
		['without a place', { value: 1, confidence: 0.5 }],
		['with a place that is null', { field: null, value: 1, confidence: 0.5 }],
		['with an empty place', { field: '', value: 1, confidence: 0.5 }],
		['with a place that is not in the data', { field: 'policy[7].premium', value: 1 }],
		['without a value', { field: 'policy[0].premium', confidence: 0.5 }],
	])('asks for no entry of a changed list that is %s', (_what, entry) => {
		const json = onlyItem(policy({ premium: 1 }));
		const low = json.lowConfidenceFields as Json[];
		const changed = withReviewForm({ ...json, lowConfidenceFields: [entry, ...low] }, false);
		expect(labelsOf(changed)).toEqual(['policy: premium (50 %)', REVIEWER]);
	});

	it('leaves out tables and long texts, which then need review still', () => {
		const json = onlyItem(policy({ premium: 1, long: 'x'.repeat(2001), list: [1, 2] }));
		expect(labelsOf(json)).toEqual(['policy: premium (50 %)', REVIEWER]);
		expect(corrected(json).json).toMatchObject({
			needsReview: true,
			lowConfidenceFields: [{ field: 'policy[0].long' }, { field: 'policy[0].list' }],
		});
	});

	it('does not settle the review where the status says that the result is partial', () => {
		const json = onlyItem({ ...policy({ premium: 1 }), status: 'completed_with_warnings' });
		expect(definitionOf(json)).toContain('also needs review as a whole');
		const again = corrected(json).json;
		expect(again).toMatchObject({ needsReview: true, lowConfidenceFields: [] });
		expect(definitionOf(again)).toBeUndefined();
	});

	it('says in each row that the result is partial as a whole', () => {
		const body = { ...policy({ premium: 1 }), status: 'completed_with_warnings' };
		expect(definitionOf(onlyItem(body, { output: 'rows' }))).toContain(
			'also needs review as a whole',
		);
	});

	it('shows names from documents as text, not as HTML', () => {
		const json = onlyItem(policy({ a: 1, '<img src=x>': ['list'] }));
		expect(definitionOf(json)).not.toContain('<img');
	});
});

const HOSTILE = ['{{ $env.X }}', '{{{', '}}', '<b>{{ 1 }}</b>', '"{{\\"', '&#123;{'];

it('No text from outside begins an expression in a form, and its answers find their item all the same', () => {
	const shaping = shapingOf({ minimumConfidence: 0.8, reviewForm: true, includeDetails: true });
	for (const name of HOSTILE) {
		const [long, list, text] = [cell('x'.repeat(2_001), 0.5), cell(['x'], 0.5), cell(name, 0.5)];
		const row = { [`long ${name}`]: long, [`list ${name}`]: list, [name]: text };
		const body = {
			steps: [step(name, [row, row])],
			status: 'needs_review',
			workflow_execution_id: name,
		};
		const documents = [{ fileName: `a${name}.txt` }];
		for (const output of ['simplified', 'rows'] as const) {
			const [json = {}] = shapeOf(executionOf(body), { ...shaping, output }, { documents }).items;
			const form = String(definitionOf(json));
			expect(form).not.toContain('{{');
			const fields = JSON.parse(form) as Array<Record<string, string>>;
			for (const { fieldLabel, html = '' } of fields)
				expect(fieldLabel + html).not.toMatch(/\{|\}.*\{/);
			const label = labelsOf(json)[0] ?? '';
			const after = corrected(json, { [label]: 'y' }).json;
			expect(JSON.stringify(reviewIn(after))).toContain('"to":"y"');
		}
	}
});

describe('The head of the form', () => {
	const headOf = (json: IDataObject) => {
		const [head] = JSON.parse(String(definitionOf(json))) as Array<Record<string, string>>;
		return head?.html;
	};
	const withDocuments = (documents: IDataObject[]) => {
		const shaping = shapingOf({ minimumConfidence: 0.8, reviewForm: true });
		return shapeOf(executionOf(policy({ premium: 1 })), shaping, { documents }).items[0] ?? {};
	};
	const files = (...names: string[]) => names.map((fileName) => ({ fileName }));

	it('names the execution alone where nothing else is known', () => {
		expect(headOf(onlyItem(policy({ premium: 1 })))).toBe('<p>Execution e</p>');
		expect(headOf(withDocuments([]))).toBe('<p>Execution e</p>');
	});

	it.each<[string, IDataObject[], string]>([
		['one', files('a.pdf'), 'a.pdf'],
		['three', files('a.pdf', 'b.pdf', 'c.pdf'), 'a.pdf, b.pdf, c.pdf'],
		['five', files('a.pdf', 'b.pdf', 'c.pdf', 'd.pdf', 'e.pdf'), 'a.pdf, b.pdf, c.pdf and 2 more'],
		['one with a long name', files('x'.repeat(300)), `${'x'.repeat(199)}…`],
		['one with a name like HTML', files('<b>.pdf'), '&lt;b&gt;.pdf'],
		['one at a URL', [{ address: 'https://files.example.com/1' }], 'https://files.example.com/1'],
	])('names the first documents: %s', (_what, documents, names) => {
		expect(headOf(withDocuments(documents))).toBe(`<p>${names}</p><p>Execution e</p>`);
	});

	it('names no document that is no record with a name', () => {
		const json = onlyItem(policy({ premium: 1 }));
		for (const documents of ['none', [null, 'a.pdf', {}]])
			expect(headOf(withReviewForm({ ...json, documents }, false))).toBe('<p>Execution e</p>');
	});

	it('names the first values that do not fit into the form', () => {
		const lists = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, ['x']]));
		const json = onlyItem(policy({ premium: 1, ...lists }));
		expect(headOf(json)).toBe(
			'<p>Execution e</p><p>Not in this form, still to review: policy: a, policy: b, policy: c and 1 more</p>',
		);
	});

	it('says where the result needs review as a whole', () => {
		expect(headOf(onlyItem({ ...policy({ premium: 1 }), status: 'needs_review' }))).toBe(
			'<p>Execution e</p><p>The result also needs review as a whole. Compare it with the document.</p>',
		);
	});
});
