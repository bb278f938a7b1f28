import { TOKEN_PATH } from '../../../service/contract';
import type { Answer, NoAnswer } from '../../../service/http';
import type { Exchange, PostJson } from '../../../service/token';
import { exchangeToken, fingerprintOf, isUsable, parseToken } from '../../../service/token';
import { answer, issue, settings, START } from '../support/tokens';

const jwt = (claims: object) =>
	['e30', Buffer.from(JSON.stringify(claims)).toString('base64url'), 'signature'].join('.');
const exchangeWith = async (reply: Answer | NoAnswer): Promise<Exchange> =>
	exchangeToken(
		async () => reply,
		settings,
		() => START,
	);

describe('an exchange', () => {
	it('posts id and secret as JSON to the token endpoint', async () => {
		const post = jest.fn<ReturnType<PostJson>, Parameters<PostJson>>(async () => issue('t'));
		await exchangeToken(post, settings, () => START);
		expect(post.mock.calls).toEqual([
			[
				{
					url: settings.baseUrl + TOKEN_PATH,
					body: { client_id: 'client', client_secret: 'made-up-for-tests' },
				},
			],
		]);
	});

	it('returns a token that is renewed 5 minutes before it expires', async () => {
		expect(await exchangeWith(issue('t'))).toEqual({
			ok: true,
			held: {
				token: 't',
				issuedAt: START,
				renewAt: START + 55 * 60_000,
				fingerprint: fingerprintOf(settings),
			},
		});
	});

	it.each<[string, Answer | NoAnswer, RegExp, RegExp, boolean]>([
		[
			'a wrong pair',
			answer(401, { detail: 'Invalid client credentials' }),
			/rejected Client ID and Client Secret/,
			/environment.*"Invalid client credentials"/,
			false,
		],
		['an empty token', issue(' '), /no access_token/, /Base URL/, false],
		['a token that no header can carry', issue('a\nb'), /no access_token/, /Base URL/, false],
		[
			'a host that does not exist',
			{ kind: 'noAnswer', code: 'ENOTFOUND' },
			/host api\.example\.com was not found/,
			/typos/,
			false,
		],
		[
			'silence',
			{ kind: 'noAnswer', code: 'ECONNABORTED' },
			/connection to api\.example\.com broke or timed out \(ECONNABORTED\)/,
			/network/,
			true,
		],
	])('reports %s, and what to do', async (_, reply, message, advice, passing) => {
		const exchange = await exchangeWith(reply);
		expect(exchange).toMatchObject({
			ok: false,
			refusal: expect.objectContaining({
				kind: 'noToken',
				message: expect.stringMatching(message),
				advice: expect.stringMatching(advice),
				passing,
			}),
		});
		expect(JSON.stringify(exchange)).not.toContain(settings.clientSecret);
	});

	it('takes a wrong pair as wrong, even when the endpoint is trusted', async () => {
		const reply = answer(401, {});
		const exchange = await exchangeToken(
			async () => reply,
			settings,
			() => START,
			true,
		);
		expect(exchange).toMatchObject({ refusal: { passing: false } });
	});

	it.each([302, 401, 404, 500])('takes no token from an answer with status %s', async (status) => {
		const reply = answer(status, { access_token: 't' });
		expect(await exchangeWith(reply)).toMatchObject({ ok: false });
	});

	it('accepts another success status with a token', async () => {
		expect(await exchangeWith(answer(201, { access_token: 't' }))).toMatchObject({
			ok: true,
			held: { token: 't' },
		});
	});

	it('quotes the service without the secret', async () => {
		for (const detail of [
			`bad secret ${settings.clientSecret}`,
			[{ loc: ['body'], input: { client_secret: settings.clientSecret } }],
		]) {
			const exchange = await exchangeWith(answer(422, { detail }));
			expect(JSON.stringify(exchange)).toContain('[secret]');
			expect(JSON.stringify(exchange)).not.toContain(settings.clientSecret);
		}
	});

	it('distinguishes no answer from a refusal', async () => {
		expect(await exchangeWith({ kind: 'noAnswer', code: 'ENOTFOUND' })).toMatchObject({
			refusal: { endpoint: 'silent' },
		});
		expect(await exchangeWith(answer(401, {}))).toMatchObject({ refusal: { endpoint: undefined } });
	});

	it('passes on the Retry-After of the service', async () => {
		const exchange = await exchangeWith(answer(429, {}, { 'retry-after': '3' }));
		expect(!exchange.ok && exchange.refusal.retryAfterMilliseconds).toBe(3000);
	});
});

describe('the lifetime of a token', () => {
	/** After how many seconds a token is renewed. */
	const renewedAfter = async (token: string, expiresIn: unknown) => {
		const exchange = await exchangeWith(
			answer(200, { access_token: token, expires_in: expiresIn }),
		);
		return exchange.ok && (exchange.held.renewAt - START) / 1000;
	};

	it.each([
		['is what the answer states', 't', 120, 120],
		['is not taken from a value that is no number', 't', true, 3600],
		['is not taken from a list', 't', [120], 3600],
		['is at most a day', 't', 1e300, 86_400],
		['is at most a day, in the token too', jwt({ exp: 1e300 }), undefined, 86_400],
		['is not taken from a token whose end is no number', jwt({ exp: '1900' }), undefined, 3600],
		[
			'is taken from the token when the answer is nonsense',
			jwt({ exp: START / 1000 + 600 }),
			'soon',
			600,
		],
		['is an hour for a token whose end is past', jwt({ exp: 5 }), 0, 3600],
		['is an hour for a token that is no JWT', 'opaque', null, 3600],
		['is an hour for a JWT that is damaged', 'a.%%%.c', undefined, 3600],
		[
			'is an hour for a JWT that holds no object',
			['a', Buffer.from('7').toString('base64url'), 'c'].join('.'),
			undefined,
			3600,
		],
	])('%s', async (_, token, expiresIn, seconds) => {
		const margin = Math.min(300, seconds / 2);
		expect(await renewedAfter(token, expiresIn)).toBe(seconds - margin);
	});

	it.each([
		[3600, 3300],
		[600, 300],
		[60, 30],
		[2, 1],
	])('leads, with %d s, to a renewal after %d s', async (lifetime, after) => {
		expect(await renewedAfter('t', lifetime)).toBe(after);
	});
});

describe('a held token', () => {
	const held = {
		token: 't',
		issuedAt: START,
		renewAt: START + 1000,
		fingerprint: fingerprintOf(settings),
	};

	it('may be used until its renewal is due', () => {
		expect(isUsable(held, settings, START + 999)).toBe(true);
		expect(isUsable(held, settings, START + 1000)).toBe(false);
	});

	it.each([
		[{ clientSecret: 'another' }],
		[{ clientId: 'another' }],
		[{ baseUrl: 'https://api-staging.example.com' }],
	])('may not be used for other settings: %j', (change) => {
		expect(isUsable(held, { ...settings, ...change }, START)).toBe(false);
	});

	it('may not be used when there is none', () => {
		expect(isUsable(undefined, settings, START)).toBe(false);
	});

	it('is stored as one text and read back', () => {
		expect(parseToken(JSON.stringify(held))).toEqual(held);
	});

	it.each([
		[''],
		[undefined],
		['not json'],
		['7'],
		['null'],
		[held],
		['{"token":"t","renewAt":9e99}'],
	])('is not read from %j', (stored) =>
		expect(isUsable(parseToken(stored), settings, START)).toBe(false),
	);

	it('has a fingerprint that reveals neither ID nor secret', () => {
		expect(fingerprintOf(settings)).toMatch(/^[\w-]{43}$/);
	});
});
