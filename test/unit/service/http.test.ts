import type { Reply } from '../../../service/http';
import { isSuccess } from '../../../service/http';

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
