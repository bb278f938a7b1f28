import type { IDataObject, NodeOperationError } from 'n8n-workflow';

import type { Json, JsonRecord } from '../../../../../service/contract';
import { cases, fc } from '../../../../properties';
import {
	answersTo,
	AT,
	correct,
	corrected,
	definitionOf,
	itemsOf,
	labelsOf,
	onlyItem,
	policy,
	REVIEWER,
	reviewIn,
} from './forms';
import { cell, step } from '../support';

describe('Corrections', () => {
	it.each<[string, Json, string, Json]>([
		['a number stays a number', 18420, '18520.5', 18520.5],
		['a negative number stays one', 5, '-7', -7],
		['a number that becomes a text is a text', 18420, '18,520.00', '18,520.00'],
		['a number that may have a point for thousands is a text', 18420, '18.520', '18.520'],
		['a negative one is a text too', -1.5, '-1.250', '-1.250'],
		['a number that begins with 0 has a decimal point', 18420, '0.520', 0.52],
		['a number keeps a point before four digits', 18420, '18.5204', 18.5204],
		['a number keeps a point behind four digits', 18420, '1852.042', 1852.042],
		['a number with three decimals keeps them', 1.125, '1.250', 1.25],
		[
			'a number with more digits than are exact is a text',
			1,
			'12345678901234567',
			'12345678901234567',
		],
		['a number that is cleared is null', 18420, ' ', null],
		['true may become false', true, 'False', false],
		['false may become true', false, 'TRUE', true],
		['true that becomes another word is a text', true, 'not true', 'not true'],
		['true that becomes a longer text is a text', true, 'true?', 'true?'],
		['a number that becomes true is a text', 1, 'true', 'true'],
		['a text of digits stays a text', '0071', '0072', '0072'],
		['a text that is cleared is empty', 'x', '', ''],
		['null that is filled in is a text', null, '42', '42'],
		['null that is filled in with its name is a text', null, 'null', 'null'],
		['line breaks stay as they were', 'a\r\nb', 'a\r\nc', 'a\r\nc'],
		['line breaks stay short where they were', 'a\nb', 'a\r\nc', 'a\nc'],
		['a line break of one other character is one', 'a\nb', 'a\rc', 'a\nc'],
	])('%s', (_what, value, answer, to) => {
		const json = onlyItem(policy({ field: value }));
		const [label = ''] = labelsOf(json);
		const { json: after, unread } = corrected(json, { [label]: answer });
		const isUnread = ['number', 'boolean'].includes(typeof value) && typeof to === 'string';
		expect(after).toMatchObject({
			data: { policy: [{ field: to }] },
			needsReview: isUnread,
			review: { changes: [{ field: 'policy[0].field', from: value, to }], confirmed: [] },
		});
		expect(unread).toEqual(isUnread ? ['policy: field'] : []);
	});

	it.each<[string, Json, string, string, string, Json]>([
		['a number', 18420, '18.520', 'enter a number such as 18520.5', '18520', 18520],
		['true or false', true, 'Yes', 'enter true or false', 'true', true],
	])(
		'that are not %s where one is needed stay to review, until one is entered or the value is cleared',
		(_what, value, first, expected, second, to) => {
			const json = onlyItem(policy({ field: value }));
			const once = corrected(json, { 'policy: field (50 %)': first }).json;
			expect(once).toMatchObject({
				data: { policy: [{ field: first }] },
				needsReview: true,
				lowConfidenceFields: [
					{ field: 'policy[0].field', value: first, confidence: 0.5, type: typeof value },
				],
			});
			const again = `policy: field (50 %, ${expected})`;
			expect(labelsOf(once)).toEqual([again, REVIEWER]);
			const confirmed = corrected(once);
			expect(confirmed.json).toMatchObject({ needsReview: true, review: { confirmed: [] } });
			expect(confirmed.unread).toEqual(['policy: field']);
			for (const [answer, result] of [
				[second, to],
				['', null],
			] as const)
				expect(corrected(once, { [again]: answer }).json).toMatchObject({
					data: { policy: [{ field: result }] },
					needsReview: false,
					lowConfidenceFields: [],
					review: {
						changes: [
							{ from: value, to: first },
							{ from: first, to: result },
						],
					},
				});
		},
	);

	it('that are no number stay to review in rows too', () => {
		const json = onlyItem(policy({ premium: 1 }), { output: 'rows' });
		expect(corrected(json, { 'policy, row 1: premium (50 %)': '1,5' }).json).toMatchObject({
			premium: '1,5',
			needsReview: true,
			toReview: 'Check: premium (50 %)',
			executionDetails: {
				lowConfidenceFields: [{ field: 'premium', value: '1,5', type: 'number' }],
			},
			reviewForm: expect.stringContaining('enter a number'),
		});
	});

	it.each([['a\rb'], ['a\r\nb'], [' a '], ['a\0b'], ['a\ud800b'], [null], [false], [0]])(
		'are none where the form only returns what it had: %j',
		(value) => {
			const json = onlyItem(policy({ field: value }));
			expect(corrected(json).json).toMatchObject({
				data: { policy: [{ field: value }] },
				review: { changes: [], confirmed: ['policy[0].field'] },
			});
		},
	);

	it('ignore spaces around a number', () => {
		const json = onlyItem(policy({ field: 5 }));
		const [label = ''] = labelsOf(json);
		const result = correct(json, { ...answersTo(json), [label]: ' 7\n' });
		expect(result).toMatchObject({ json: { data: { policy: [{ field: 7 }] } }, unread: [] });
	});

	it('keep the name of the reviewer, or of the n8n user', () => {
		const json = onlyItem(policy({ premium: 1 }));
		const by = (answers: JsonRecord) => {
			const { review } = correct(json, { ...answersTo(json), ...answers }).json;
			return (review as IDataObject).by;
		};
		expect(by({ [REVIEWER]: 'Zoë' })).toBe('Zoë');
		expect(by({ user: { email: 'zoe@example.com' } })).toBe('zoe@example.com');
		expect(by({})).toBeNull();
	});

	it('are read from the field data too, where Send and Wait nodes return them', () => {
		const json = onlyItem(policy({ premium: 1 }));
		const [label = ''] = labelsOf(json);
		const result = correct(json, { data: answersTo(json, { [label]: '2' }) });
		expect(result).toMatchObject({ json: { data: { policy: [{ premium: 2 }] } } });
	});

	it('keep apart a field of the document that has the name of a review', () => {
		const row = { premium: cell(1, 0.5), review: 'none', reviewForm: 'x' };
		const json = onlyItem({ steps: [step('policy', [row])] }, { output: 'rows' });
		expect(corrected(json).json).toMatchObject({
			review: 'none',
			reviewForm_: 'x',
			executionDetails: { review: { changes: [], confirmed: ['premium'] } },
		});
	});

	it('are found in rows, whose marks follow', () => {
		const row = onlyItem(policy({ premium: 1 }), { output: 'rows' });
		const [label = ''] = labelsOf(row);
		const { reviewForm: form, executionDetails, ...others } = row;
		expect(form).toEqual(expect.any(String));
		expect(corrected(row, { [label]: '2' }).json).toStrictEqual({
			...others,
			premium: 2,
			needsReview: false,
			toReview: null,
			executionDetails: {
				...(executionDetails as IDataObject),
				lowConfidenceFields: [],
				review: {
					by: null,
					at: AT,
					changes: [{ field: 'premium', from: 1, to: 2 }],
					confirmed: [],
				},
			},
		});
	});

	it('leave the other reasons of a row to review', () => {
		const body = { ...policy({ premium: 1 }), status: 'partial' };
		const row = onlyItem(body, { output: 'rows' });
		expect(row.toReview).toBe('The status is "partial". Check: premium (50 %)');
		expect(corrected(row).json).toMatchObject({
			needsReview: true,
			toReview: 'The status is "partial"',
		});
	});

	it('are put into a nested table of a row', () => {
		const losses = cell([{ paid: cell(1, 0.5) }]);
		const row = onlyItem({ steps: [step('policy', [{ losses }])] }, { output: 'rows' });
		const [label = ''] = labelsOf(row);
		expect(label).toBe('policy, row 1: losses, row 1: paid (50 %)');
		expect(corrected(row, { [label]: '2' }).json).toMatchObject({ losses: [{ paid: 2 }] });
	});
});

describe('Answers that cannot be used', () => {
	const json = onlyItem(policy({ premium: 1, number: 'CPP-1' }));
	const refusal = (original: IDataObject, input: IDataObject) => {
		try {
			correct(original, input);
			return 'no refusal';
		} catch (error) {
			const { message, description } = error as NodeOperationError;
			return `${message}. ${description}`;
		}
	};

	it.each<[string, IDataObject, IDataObject, RegExp]>([
		[
			'an item of another node',
			{ subject: 'Claim' },
			answersTo(json),
			/no review that.*the fields subject.*\.item.*add 'Review Form'/,
		],
		['an empty item', {}, answersTo(json), /It has no fields/],
		[
			'a row without details',
			onlyItem(policy({ premium: 1, data: 'x' }), { output: 'rows', includeDetails: false }),
			answersTo(json),
			/no review that.*add 'Review Form'/,
		],
		['data without its review', { data: {} }, answersTo(json), /no review that/],
		['a review without data', { needsReview: true }, answersTo(json), /no review that/],
		[
			'an item with many fields, of which it names ten',
			Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`f${index}`, 1])),
			answersTo(json),
			/It has the fields f0, f1, f2, f3, f4, f5, f6, f7, f8, f9\. /,
		],
		[
			'an item whose form asks for nothing',
			{ ...json, lowConfidenceFields: [] },
			answersTo(json),
			/'Original Item' has no review form/,
		],
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
			/no answer for "policy: premium \(50 %\)"\. It has the fields subject.*'Form Fields'/,
		],
		[
			'one answer missing',
			json,
			{ 'policy: premium (50 %)': '1' },
			/no answer for "policy: number \(50 %\)"/,
		],
		[
			'the first answer missing',
			json,
			{ 'policy: number (50 %)': 'CPP-1' },
			/no answer for "policy: premium \(50 %\)".*must be the review form alone: the expression \$json\.reviewForm/,
		],
		[
			'an answer that is no text',
			json,
			{ ...answersTo(json), 'policy: premium (50 %)': 1 },
			/no answer for "policy: premium \(50 %\)"/,
		],
		[
			'answers of another execution',
			json,
			{ ...answersTo(json), reviewOf: '<p>a.pdf</p><p>Execution other</p>' },
			/about another execution: a\.pdf Execution other\..*execution e\./,
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
					const review = reviewIn(after);
					expect(review.changes).toHaveLength(changes ? 1 : 0);
					const plain = (item: IDataObject) =>
						JSON.stringify(
							item.data ??
								Object.entries(item).filter(
									([name]) => !/^(?:needsReview|toReview|executionDetails|reviewForm)$/.test(name),
								),
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
