/** Calls without knowledge of the secret. */
import type { WebhookCall } from '../../../../credentials/webhook/method';
import { METHODS } from '../../../../credentials/webhook/methods';
import { ecPair, rsaPair } from './tokens';
import { usable, type Entered } from './support';
import { growthOf, LINEAR } from '../../support/growth';
import { anyCharacter, cases, fc } from '../../../properties';

const NOW = Date.UTC(2026, 0, 15, 12);
const SECRET = 'a-secret-that-nobody-ever-guesses';

const keyed = { triggerAuthentication: 'apiKey', apiKey: SECRET, secondApiKey: `${SECRET}-2` };
const rsaKeys = { publicKey: rsaPair().pem, secondPublicKey: rsaPair().pem };
const ecKey = { publicKey: ecPair().pem, issuer: 'a', audience: 'b' };
/** Settings with at least one of each method. */
const ENTERED: Array<[string, Entered]> = [
	['an API key', keyed],
	['a JWT by HS256', { triggerAuthentication: 'jwt', algorithm: 'HS256', jwtSecret: SECRET }],
	['a JWT by RS256', { triggerAuthentication: 'jwt', algorithm: 'RS256', ...rsaKeys }],
	['a JWT by ES256', { triggerAuthentication: 'jwt', algorithm: 'ES256', ...ecKey }],
];
const EACH = ENTERED.map(([name, entered]) => [name, usable(entered)] as const);
const NAMES = ['x-api-key', 'authorization', '__proto__', 'constructor', ''];

const part = fc.oneof(
	fc.json().map((text) => Buffer.from(text).toString('base64url')),
	fc
		.record(
			{ alg: fc.constantFrom('none', 'HS256', 'RS256', 'ES256', ''), crit: fc.jsonValue() },
			{ requiredKeys: ['alg'] },
		)
		.map((header) => Buffer.from(JSON.stringify(header)).toString('base64url')),
	fc.base64String().map((text) => text.replace(/=/g, '')),
	fc.string(),
);
const value = fc.oneof(
	fc.string({ unit: anyCharacter, maxLength: 100 }),
	fc.string({ unit: fc.constantFrom('\ud800', '\u0000', 'é', ',', ' ', '.', '='), maxLength: 20 }),
	fc.stringMatching(/^[0-9a-fA-F]{64}$/),
	fc.integer({ min: NOW / 1000 - 400, max: NOW / 1000 + 400 }).map(String),
	fc.tuple(part, part, part).map((parts) => `Bearer ${parts.join('.')}`),
	fc.array(fc.string()),
	fc.constant(undefined),
	fc.constantFrom('x', 'Bearer a.a.', 'Bearer ', '.').map((text) => text.repeat(100_000)),
);
const headers = fc
	.array(fc.tuple(fc.oneof(fc.constantFrom(...NAMES), fc.string()), value))
	.map((entries) => Object.fromEntries(entries));

describe('a call without the secret', () => {
	it('is tested with every method that checks calls', () => {
		const tried = ENTERED.map(([, { triggerAuthentication }]) => triggerAuthentication);
		const checking = METHODS.map(({ option }) => option.value).filter(
			(value) => !['none', 'notUsed'].includes(value),
		);
		expect(new Set(tried)).toEqual(new Set(checking));
	});

	it.each(EACH)(
		'is never accepted and never throws, whatever it contains (%s)',
		(_, { isAuthentic }) => {
			fc.assert(
				fc.property(headers, fc.oneof(fc.constant(NOW), fc.double()), (given, now) => {
					expect(isAuthentic({ headers: given, now })).toBe(false);
				}),
				cases(1000),
			);
		},
	);

	it('is never accepted when its parts have wrong types', () => {
		const throwing = Object.defineProperty({}, 'x-api-key', {
			enumerable: true,
			get: () => JSON.parse('{') as string,
		});
		for (const [, { isAuthentic }] of EACH) {
			for (const odd of [
				undefined,
				null,
				7,
				throwing,
				{ authorization: 7 },
				{ 'x-api-key': { toString: () => SECRET } },
			]) {
				expect(isAuthentic({ headers: odd, now: NOW } as unknown as WebhookCall)).toBe(false);
			}
		}
	});

	/** Headers whose values are as long as Node lets them be, or longer. */
	const costly = (long: number): WebhookCall[] => {
		const nested = Buffer.from('['.repeat(0.6 * long)).toString('base64url');
		const values = [
			...[' '.repeat(long), 'a.'.repeat(long), `${nested}.a.a`].map((token) => `Bearer ${token}`),
			'Bearer '.repeat(long),
			'é'.repeat(long),
		];
		const names = ['x-api-key', 'authorization'];
		return values
			.flatMap((value) => [value.repeat(100), value.slice(0, long)])
			.map((text) => ({
				headers: Object.fromEntries(
					[...names, ...Array(Math.round(long / 16)).keys()].map((name) => [name, text]),
				),
				now: NOW,
			}));
	};

	it.each(EACH)(
		'is rejected in time in proportion to its size even if it is crafted to be slow (%s)',
		async (_, { isAuthentic }) => {
			const longest = 16_384; // Node's own limit.
			const verdicts = (calls: WebhookCall[]) => calls.map(isAuthentic);
			expect(new Set(verdicts(costly(longest)))).toEqual(new Set([false]));
			expect(await growthOf(costly, verdicts, longest)).toBeLessThan(LINEAR);
		},
	);
});
