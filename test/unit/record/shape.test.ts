import fc from 'fast-check';
import { shapeOf } from '../../../harness/record/shape';
import type { Json } from '../../../service/contract';

describe('What is recorded of an answer', () => {
	it('has the names of its fields and its words, and no value', () => {
		const answer: Json = {
			workflow_execution_id: '3f2b1c4d-0000-4000-8000-00000000abcd',
			status: 'waiting for review',
			token_type: 'bearer',
			access_token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
			data: { url: 'https://bucket.invalid/x?X-Amz-Signature=1234' },
			steps: [
				{ insured: { value: 'Harbor Bakery', confidence_score: 0.93 }, premium: '$1,234.50' },
				{ status: 'done', type: 'smith', data: [{ status: 'smith', state: 'smith' }] },
			],
			expires_in: 3600,
			is_final: false,
			error: null,
			notes: 'one\ntwo',
			mail: 'someone@insured.test',
			on: '07/04/2024',
		};
		expect(shapeOf(answer)).toEqual({
			workflow_execution_id: '00000000-0000-4000-8000-000000000000',
			status: 'waiting for review',
			token_type: 'bearer',
			access_token: 'header.payload.signature',
			data: { url: 'https://files.example.com/file?signature=none' },
			steps: [
				{ insured: { value: 'text', confidence_score: 0.5 }, premium: '$1.00' },
				{ status: 'done', type: 'text', data: [{ status: 'text', state: 'text' }] },
			],
			expires_in: 1,
			is_final: true,
			error: null,
			notes: 'text\ntext',
			mail: 'name@example.com',
			on: '01/31/2026',
		});
	});

	it('gives fields new names if their names could be data', () => {
		const answer = { 'CL-100234': 1, 'a@b.test': 2, policyNumber: 3, 'Harbor Bakery': 4, Smith: 5 };
		expect(shapeOf(answer)).toEqual({
			...{ field_1: 1, field_2: 1, policyNumber: 1, field_4: 1, field_5: 1 },
		});
	});

	it('has three entries of a list', () =>
		expect(shapeOf(['a', 'b', 'c', 'd'])).toEqual(['text', 'text', 'text']));

	it('has no text of any answer that is not one of its own', () => {
		const textsIn = (value: Json): string[] => {
			if (typeof value === 'string') return [value];
			return typeof value === 'object' && value !== null
				? Object.values(value).flatMap(textsIn)
				: [];
		};
		const own = new Set(textsIn(shapeOf([''])));
		const words = fc.stringMatching(/^[a-z]{12,20}$/);
		fc.assert(
			fc.property(words, fc.string(), (secret, around) => {
				const answer = {
					...{ value: secret + around, deep: [{ note: around + secret }] },
					steps: [{ type: secret, data: [{ status: secret, type: secret, state: secret }] }],
					data: { status: secret, rows: { status: secret } },
				};
				const left = textsIn(shapeOf(answer)).filter((text) => !own.has(text));
				expect(left.filter((text) => text.includes(secret))).toEqual([]);
			}),
		);
	});
});
