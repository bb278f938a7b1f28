import { secretsIn, SIGNING_SECRET, WEBHOOK_KEY } from '../../leaks/secrets';

const part = (text: string) => Buffer.from(text).toString('base64url');
const token = [part('{"alg":"HS256","typ":"JWT"}'), part('{"sub":"someone"}'), 'c2lnbmF0dXJl'].join(
	'.',
);
const signedUrl = `http://127.0.0.1:4010/signed/executions/e-1/steps/0?expires=1&signature=${'a1'.repeat(32)}`;
const EXAMPLES: Array<[string, string]> = [
	['a client secret', 'simulator-only-secret'],
	['a key or secret of calls', SIGNING_SECRET],
	['a token', token],
	['a signed URL', signedUrl],
];

describe('the search for secrets', () => {
	it.each(EXAMPLES)('finds %s as it is, percent-encoded and in base64', (kind, secret) => {
		const written = [
			secret,
			encodeURIComponent(secret),
			...['', 'x', 'xy', 'xyz'].flatMap((before) => {
				const bytes = Buffer.from(`${before}${secret}?>`);
				return [bytes.toString('base64'), bytes.toString('base64url')];
			}),
		];
		for (const text of written)
			expect(secretsIn(`{"before":"${text}"}`)).toEqual({
				kinds: [kind],
				from: expect.any(Number),
			});
	});

	it('says where the first secret begins', () => {
		expect(secretsIn(`key ${WEBHOOK_KEY} and ${token}`)).toEqual({
			kinds: expect.arrayContaining(['a key or secret of calls', 'a token']),
			from: 4,
		});
	});

	it.each(['https://127.0.0.1/signed/executions/e-1/steps/0', 'eyJhbGciOiJub25lIn0', 'Bearer', ''])(
		'finds nothing in %j',
		(text) => expect(secretsIn(text).kinds).toEqual([]),
	);
});
