import type { IDataObject } from 'n8n-workflow';
import { tryToParseJsonToFormFields } from 'n8n-workflow';

import { correctedItem } from '../../../../nodes/DocumentWorkflow/results/corrections';
import type { Corrected } from '../../../../nodes/DocumentWorkflow/results/corrections';
import type { Json, JsonRecord } from '../../../../service/contract';
import { cases, fc } from '../../../properties';
import type { Given } from './support';
import { cell, shaped, step } from './support';

const AT = '2026-01-31T12:00:00.000Z';
const REVIEWER = 'Reviewed by';
const ON: Given = { minimumConfidence: 0.8, reviewForm: true };

const itemsOf = (body: JsonRecord, given: Given = {}) => shaped(body, { ...ON, ...given }).items;
const onlyItem = (...given: Parameters<typeof itemsOf>) => itemsOf(...given)[0] ?? {};
const policy = (row: Record<string, Json>, ...others: Json[]) => ({
	steps: [
		step('policy', [
			Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cell(value, 0.5)])),
			...others,
		]),
	],
});

interface Field {
	label: string;
	type: string;
	shown: string;
}

const definitionOf = (json: IDataObject): unknown =>
	json.reviewForm ?? json._reviewForm ?? (json._execution as IDataObject | undefined)?.reviewForm;

/** The form that n8n makes of a definition, and what a browser shows of it. */
function opened(json: IDataObject): Field[] {
	const definition = String(definitionOf(json));
	// As n8n inserts the value of an expression.
	const inserted = '{{ $json.reviewForm }}'.replace('{{ $json.reviewForm }}', definition);
	expect(inserted).not.toContain('{{');
	return tryToParseJsonToFormFields(inserted).map((field) => {
		const {
			fieldLabel = '',
			fieldType = '',
			defaultValue = '',
		} = field as unknown as Record<string, string>;
		const text = defaultValue.replace(/\r\n?/g, '\n').replace(/[\0\p{Cs}]/gu, '\ufffd');
		const shown = fieldType === 'textarea' ? text.replace(/^\n/, '') : text.replaceAll('\n', '');
		return { label: fieldLabel, type: fieldType, shown };
	});
}

/** What n8n returns of a form after some of its fields were changed. */
function answersTo(json: IDataObject, changes: Record<string, string> = {}): JsonRecord {
	const entries = opened(json).map(({ label, type, shown }): [string, string] => {
		const text = changes[label] ?? shown;
		if (type === 'html') return ['reviewOf', definitionOf(json) as string];
		return [label, type === 'textarea' ? text.replace(/\r?\n/g, '\r\n') : text.trim()];
	});
	return { ...Object.fromEntries(entries), submittedAt: AT, formMode: 'production' };
}

function corrected(json: IDataObject, changes: Record<string, string> = {}): Corrected {
	const result = correctedItem(json, answersTo(json, changes), AT);
	if (!result.ok) throw new Error(`${result.message}. ${result.advice}`);
	return result;
}

const labelsOf = (json: IDataObject) =>
	opened(json)
		.filter(({ type }) => type !== 'html')
		.map(({ label }) => label);

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

describe('Corrections', () => {
	it.each<[string, Json, string, Json]>([
		['a number stays a number', 18420, '18520.5', 18520.5],
		['a negative number stays one', 5, '-7', -7],
		['a number that becomes a text is a text', 18420, '18,520.00', '18,520.00'],
		[
			'a number with more digits than are exact is a text',
			1,
			'12345678901234567',
			'12345678901234567',
		],
		['a number that is cleared is null', 18420, ' ', null],
		['true may become false', true, 'False', false],
		['a text of digits stays a text', '0071', '0072', '0072'],
		['a text that is cleared is empty', 'x', '', ''],
		['null that is filled in is a text', null, '42', '42'],
		['line breaks stay as they were', 'a\r\nb', 'a\r\nc', 'a\r\nc'],
	])('%s', (_what, value, answer, to) => {
		const json = onlyItem(policy({ field: value }));
		const [label = ''] = labelsOf(json);
		const { json: after, asText } = corrected(json, { [label]: answer });
		expect(after).toMatchObject({
			data: { policy: [{ field: to }] },
			review: { changes: [{ field: 'policy[0].field', from: value, to }], confirmed: [] },
		});
		expect(asText).toEqual(
			typeof value === 'number' && typeof to === 'string' ? ['policy[0].field'] : [],
		);
	});

	it('put confirmed values in place that were set to null', () => {
		const json = onlyItem(policy({ premium: 18420 }), { below: 'blank' });
		expect(json).toMatchObject({ data: { policy: [{ premium: null }] } });
		expect(corrected(json).json).toMatchObject({
			data: { policy: [{ premium: 18420 }] },
			review: { changes: [], confirmed: ['policy[0].premium'] },
		});
	});

	it('keep the name of the reviewer, or of the n8n user', () => {
		const json = onlyItem(policy({ premium: 1 }));
		const by = (answers: JsonRecord) => {
			const result = correctedItem(json, { ...answersTo(json), ...answers }, AT);
			return result.ok ? (result.json.review as IDataObject).by : result.message;
		};
		expect(by({ [REVIEWER]: 'Zoë' })).toBe('Zoë');
		expect(by({ user: { email: 'zoe@example.com' } })).toBe('zoe@example.com');
		expect(by({})).toBeNull();
	});

	it('are read from the field data too, where Send and Wait nodes return them', () => {
		const json = onlyItem(policy({ premium: 1 }));
		const [label = ''] = labelsOf(json);
		const result = correctedItem(json, { data: answersTo(json, { [label]: '2' }) }, AT);
		expect(result).toMatchObject({ ok: true, json: { data: { policy: [{ premium: 2 }] } } });
	});

	it('are found in rows with their review in columns', () => {
		const short = onlyItem(policy({ premium: 1 }), { output: 'rows' });
		const [label = ''] = labelsOf(short);
		const { _reviewForm: form, ...others } = short;
		expect(form).toEqual(expect.any(String));
		expect(corrected(short, { [label]: '2' }).json).toStrictEqual({
			...others,
			premium: 2,
			_needsReview: false,
			_lowConfidenceFields: [],
			_review: {
				by: null,
				at: AT,
				changes: [{ field: 'premium', from: 1, to: 2 }],
				confirmed: [],
			},
		});
	});
});

describe('Answers that cannot be used', () => {
	const json = onlyItem(policy({ premium: 1, number: 'CPP-1' }));
	const refusal = (original: IDataObject, input: IDataObject) => {
		const result = correctedItem(original, input, AT);
		return result.ok ? 'no refusal' : `${result.message}. ${result.advice}`;
	};

	it.each<[string, IDataObject, IDataObject, RegExp]>([
		[
			'an item of another node',
			{ subject: 'Claim' },
			answersTo(json),
			/not a reviewed item.*the fields subject.*\.item/,
		],
		['an empty item', {}, answersTo(json), /It has no fields/],
		[
			'an item without a form',
			onlyItem(policy({ premium: 1 }), { reviewForm: false }),
			answersTo(json),
			/no review form.*'Review Form' under 'Output Options'/,
		],
		[
			'no answers',
			json,
			{ subject: 'Claim' },
			/no answers.*the fields subject.*"policy · premium \(50 %\)"/,
		],
		[
			'one answer missing',
			json,
			{ 'policy · premium (50 %)': '1' },
			/no answer for "policy · number \(50 %\)"/,
		],
		[
			'answers of another execution',
			json,
			{ ...answersTo(json), reviewOf: '<p>Execution other</p>' },
			/about another execution: Execution other\..*execution e\./,
		],
	])('are refused with what was found and what to do: %s', (_what, original, input, words) => {
		expect(refusal(original, input)).toMatch(words);
	});
});

const awkwardText = fc.string({
	unit: fc.oneof(
		fc.constantFrom(
			'$',
			'$&',
			'<',
			'>',
			'&',
			'&lt;',
			'&amp;',
			'amp;',
			'"',
			"'",
			'\\',
			'\n',
			'\r\n',
			'{{',
			'}}',
			' ',
			'\0',
			'\ud800',
			'\\n',
		),
		fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
	),
	maxLength: 12,
});
const anyValue = fc.oneof(
	awkwardText,
	fc.integer(),
	fc
		.double({ noNaN: true, noDefaultInfinity: true })
		.map((number) => (Object.is(number, -0) ? 0 : number)),
	fc.boolean(),
	fc.constant(null),
);
/** Rows often share the fields a and b; b is not doubtful. */
const anyRow = fc.dictionary(
	fc.oneof(
		fc.constantFrom('a', 'b'),
		awkwardText.filter((name) => name !== '__proto__'),
	),
	anyValue,
	{
		minKeys: 1,
		maxKeys: 6,
	},
);

it('For any values, the corrected item differs from the original only where an answer was changed', () => {
	fc.assert(
		fc.property(
			fc.array(anyRow, { minLength: 1, maxLength: 3 }),
			fc.constantFrom('simplified', 'rows'),
			fc.nat(),
			fc.boolean(),
			(rows, output, chosen, changes) => {
				const scored = rows.map((row) =>
					Object.fromEntries(
						Object.entries(row).map(([name, value]) => [
							name,
							cell(value, name === 'b' ? 0.9 : 0.5),
						]),
					),
				);
				for (const json of itemsOf(
					{ steps: [step('a step', scored)] },
					{ output: output as 'rows' },
				)) {
					if (definitionOf(json) === undefined) continue;
					const labels = labelsOf(json).slice(0, -1);
					const label = labels[chosen % labels.length] ?? '';
					const answer = 'Corrected <&lt;> "$&" {{ }}';
					const { json: after } = corrected(
						json,
						changes ? { [label]: answer.replaceAll('&lt;', '&amp;lt;') } : {},
					);
					const review = (after.review ?? after._review) as IDataObject;
					expect(review.changes).toHaveLength(changes ? 1 : 0);
					const plain = (item: IDataObject) =>
						JSON.stringify(
							item.data ??
								Object.entries(item).filter(([name]) => !/^_(?:needs|low|review)/.test(name)),
						);
					const [before, now] = [plain(json), plain(after)];
					if (!changes) expect(now).toBe(before);
					else {
						expect(now).not.toBe(before);
						expect(now.split(JSON.stringify(answer))).toHaveLength(2);
					}
				}
			},
		),
		cases(300),
	);
});
