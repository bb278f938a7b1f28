import type { FormDataShaped, Reply } from '../../../service/http';
import { isForm, isSuccess } from '../../../service/http';

describe('the body of a request', () => {
	it('is a form when it calls itself one, as axios recognizes it', () => {
		const form: FormDataShaped = {
			[Symbol.toStringTag]: 'FormData',
			[Symbol.iterator]: () => form.entries(),
			append: () => undefined,
			entries: () => new Map<string, string>().entries(),
			begin: () => undefined,
			end: () => true,
		};
		expect(isForm(form)).toBe(true);
	});

	it.each([
		['a record', { user_inputs: {} }],
		['what JSON.stringify writes as JSON', { toJSON: () => ({}) }],
		['nothing', undefined],
	])('is no form when it is %s', (_, body) => expect(isForm(body)).toBe(false));
});

describe('a reply', () => {
	it.each([
		[199, false],
		[200, true],
		[204, true],
		[299, true],
		[300, false],
		[404, false],
	])('with the status %d is a success: %s', (status, success) =>
		expect(isSuccess({ kind: 'answer', status, headers: {}, body: {} })).toBe(success),
	);

	it.each<[string, Reply]>([
		['without an answer', { kind: 'noAnswer', code: '' }],
		[
			'without a token',
			{
				kind: 'noToken',
				message: 'M',
				advice: 'A',
				passing: true,
			},
		],
	])('%s is no success', (_, reply) => expect(isSuccess(reply)).toBe(false));
});
