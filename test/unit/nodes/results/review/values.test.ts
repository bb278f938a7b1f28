import type { IDataObject } from 'n8n-workflow';

import { correct } from './forms';
import type { Json } from '../../../../../service/contract';
import type { Given } from '../support';
import { cell, shaped, step } from '../support';

const US = { style: 'us', numberFields: [], today: '2026-11-24' } as const;
const SCHEMA = {
	fields: [
		{ name: 'limit', type: 'number' },
		{ name: 'from', type: 'date' },
		{ name: 'waived', type: 'boolean' },
		{ name: 'name', type: 'string' },
	],
};

const declared = (rows: Json[]) => ({
	steps: [{ step_name: 's', data: { schema: SCHEMA, data: rows, metadata: {} } }],
});
const ON: Given = { values: { ...US, numberFields: [] }, minimumConfidence: 0.8, reviewForm: true };

interface FormField {
	fieldLabel: string;
}

function formOf(item: IDataObject): string[] {
	if (typeof item.reviewForm !== 'string') return [];
	const fields = JSON.parse(item.reviewForm) as FormField[];
	return fields.slice(1, -1).map(({ fieldLabel }) => fieldLabel);
}

function answer(item: IDataObject, answers: string[]) {
	const entries = formOf(item).map((label, index) => [label, answers[index] ?? '']);
	return correct(item, Object.fromEntries(entries) as IDataObject);
}

describe('The review of values that should have been converted, or are missing', () => {
	const row = {
		limit: cell('$1,O00', 0.9),
		from: cell('31/12/2024', 0.9),
		waived: cell('maybe', 0.9),
		name: cell(null, 0.9),
	};
	const item = () => shaped(declared([row]), { ...ON, required: ['name'] }).items[0]!;

	it('asks for each with the type that it should have', () => {
		expect(formOf(item())).toEqual([
			's: name (no value)',
			's: limit (not a number in this style, enter a number such as 18520.5)',
			's: from (not a date in this style, enter a date such as 2026-12-31)',
			's: waived (not yes or no, enter true or false)',
		]);
	});

	it('gives what a person enters the type that it should have', () => {
		const { json, unread } = answer(item(), ['ACME', '1000', '2024-12-31', 'true']);
		expect(unread).toEqual([]);
		expect(json).toMatchObject({
			data: { s: [{ limit: 1000, from: '2024-12-31', waived: true, name: 'ACME' }] },
			needsReview: false,
			unconvertedFields: [],
			missingFields: [],
			lowConfidenceFields: [],
		});
	});

	it('does not ask again for what a person confirms', () => {
		const { json } = answer(item(), ['', '$1,O00', '31/12/2024', 'maybe']);
		expect(json).toMatchObject({
			needsReview: false,
			data: { s: [{ name: null, limit: '$1,O00' }] },
			review: { confirmed: ['s[0].name', 's[0].limit', 's[0].from', 's[0].waived'] },
		});
		expect(json).not.toHaveProperty('reviewForm');
	});

	it('asks again for an entry that is none', () => {
		const { json, unread } = answer(item(), ['ACME', '18.520', '2024-02-30', 'no idea']);
		expect(unread).toEqual(['s: limit', 's: from', 's: waived']);
		expect(json).toMatchObject({
			needsReview: true,
			unconvertedFields: [],
			lowConfidenceFields: [
				{ field: 's[0].limit', value: '18.520', type: 'number' },
				{ field: 's[0].from', value: '2024-02-30', type: 'date' },
				{ field: 's[0].waived', value: 'no idea', type: 'boolean' },
			],
		});
		expect(answer(json, ['18520', '2024-02-29', 'false']).json).toMatchObject({
			needsReview: false,
			data: { s: [{ limit: 18520, from: '2024-02-29', waived: false }] },
		});
	});

	it('keeps the type of a converted value that is uncertain', () => {
		const low = shaped(
			declared([{ limit: cell('$1,000', 0.5), from: cell('12/31/2024', 0.5) }]),
			ON,
		).items[0]!;
		expect(formOf(low)).toEqual(['s: limit (50 %)', 's: from (50 %)']);
		expect(answer(low, ['2000', 'later']).json).toMatchObject({
			needsReview: true,
			data: { s: [{ limit: 2000, from: 'later' }] },
			lowConfidenceFields: [{ field: 's[0].from', type: 'date' }],
		});
	});

	it('asks once for a value that is also uncertain, and in rows by their details', () => {
		const given: Given = { ...ON, output: 'rows', includeDetails: true };
		const [first] = shaped(declared([{ limit: cell('$1M', 0.5) }]), given).items;
		expect(formOf(first!)).toEqual([
			's, row 1: limit (not a number in this style, enter a number such as 18520.5)',
		]);
		expect(answer(first!, ['1000000']).json).toMatchObject({
			limit: 1000000,
			needsReview: false,
			toReview: null,
		});
	});
});

void step;
