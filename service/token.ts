import { createHmac } from 'crypto';
import {
	DEFAULT_TOKEN_LIFETIME_SECONDS,
	FIELDS,
	type Json,
	RENEWAL_MARGIN_SECONDS,
	TOKEN_PATH,
} from './contract';
import type { Answer, NoAnswer, NoToken } from './http';
import { readAnswer, silenceOf, unlessAborted } from './answer';
import { isSuccess, NO_ANSWER_IN_TIME } from './http';
import { isRecord, parseRecord } from './json';
import { refusedExchange } from './tokenWords';

export interface TokenSettings {
	/** Origin and optional path, without a trailing slash. */
	baseUrl: string;
	clientId: string;
	clientSecret: string;
}

export interface HeldToken {
	token: string;
	/** In milliseconds since 1970. */
	issuedAt: number;
	/** The token is not used from then on, in milliseconds since 1970. */
	renewAt: number;
	/** Identifies the settings for which it was issued. */
	fingerprint: string;
}

/** What may be a token. Its fingerprint shows that it is one: nobody without the client secret can make it. */
export type StoredToken = { [Name in keyof HeldToken]?: Json };

export type Exchange = { ok: true; held: HeldToken } | { ok: false; refusal: NoToken };

/** Every token is renewed after a day, however long the answer says that it lives. */
const LONGEST_LIFETIME_SECONDS = 24 * 60 * 60;

/** What a header can carry. */
const TOKEN_CHARACTERS = /^[\x21-\x7e]+$/;

export interface TokenRequest {
	url: string;
	body: Record<string, string>;
}

/** Posts JSON without following redirects. Resolves with an answer for every status. */
export type PostJson = (request: TokenRequest) => Promise<Answer | NoAnswer>;

/** How long an exchange may take until it is answered completely. */
const EXCHANGE_TIMEOUT_MILLISECONDS = 30_000;

/**
 * Calls the token endpoint with a limit for the whole exchange, because other requests wait for it. `post` returns n8n's
 * response with its body as a stream.
 */
export function postInTime(
	post: (request: TokenRequest, late: AbortSignal) => Promise<unknown>,
): PostJson {
	return async (request) => {
		const limit = AbortSignal.timeout(EXCHANGE_TIMEOUT_MILLISECONDS);
		const read = async () => readAnswer(await post(request, limit));
		return unlessAborted(limit, read().catch(silenceOf), NO_ANSWER_IN_TIME);
	};
}

/** Identifies settings. Keyed with the secret, so that it reveals none of them. */
export function fingerprintOf(settings: TokenSettings): string {
	return createHmac('sha256', settings.clientSecret)
		.update(`${settings.baseUrl}\n${settings.clientId}`)
		.digest('base64url');
}

/** Whether a token was issued for these settings and its renewal is not due. */
export function isUsable(
	stored: StoredToken | undefined,
	settings: TokenSettings,
	now: number,
): stored is HeldToken {
	return stored?.fingerprint === fingerprintOf(settings) && now < Number(stored.renewAt);
}

/** Reads a token that was stored as JSON; an empty record when it is none. */
export function parseToken(stored: unknown): StoredToken {
	return parseRecord(String(stored));
}

/** Never rejects. `isTrusted`: the endpoint has given a token for these settings before, so they are right. */
export async function exchangeToken(
	post: PostJson,
	settings: TokenSettings,
	now: () => number,
	isTrusted = false,
): Promise<Exchange> {
	const { clientId, clientSecret, accessToken, expiresIn } = FIELDS.token;
	const issuedAt = now();
	const reply = await post({
		url: settings.baseUrl + TOKEN_PATH,
		body: { [clientId]: settings.clientId, [clientSecret]: settings.clientSecret },
	});
	const body = isSuccess(reply) && isRecord(reply.body) ? reply.body : {};
	const token = body[accessToken];
	if (typeof token !== 'string' || !TOKEN_CHARACTERS.test(token))
		return { ok: false, refusal: refusedExchange(reply, settings, now(), isTrusted) };
	const stated = lifetimeOf(token, body[expiresIn], issuedAt);
	const lifetime = Math.min(stated, LONGEST_LIFETIME_SECONDS);
	// 5 minutes before it expires (specification), but not before half of its lifetime.
	const renewAt = issuedAt + (lifetime - Math.min(RENEWAL_MARGIN_SECONDS, lifetime / 2)) * 1000;
	return { ok: true, held: { token, issuedAt, renewAt, fingerprint: fingerprintOf(settings) } };
}

/** In seconds: `expires_in` (specification). If it is missing or invalid, until `exp` of the JWT, or else 3600. */
function lifetimeOf(token: string, expiresIn: unknown, now: number): number {
	if (typeof expiresIn === 'number' && expiresIn > 0) return expiresIn;
	const { exp } = parseRecord(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
	const left = Number(exp) - now / 1000;
	return left > 0 ? left : DEFAULT_TOKEN_LIFETIME_SECONDS;
}

/** The tokens of this process. Callers with the same settings share each exchange and its token. */
export class TokenExchanger {
	private readonly latest = new Map<string, HeldToken>();

	private readonly pending = new Map<string, Promise<Exchange>>();

	constructor(private readonly now = (): number => Date.now()) {}

	/**
	 * Returns a token newer than `rejected`. A caller that waited for an exchange without an answer in time takes part in
	 * one more, because the first may have hung since long before.
	 */
	async renew(
		post: PostJson,
		settings: TokenSettings,
		rejected: StoredToken | undefined,
		hasWaited = false,
	): Promise<Exchange> {
		const fingerprint = fingerprintOf(settings);
		const known = this.latest.get(fingerprint);
		const isOwn = rejected?.fingerprint === fingerprint;
		const rejectedAt = isOwn ? Number(rejected.issuedAt) : -Infinity;
		if (isUsable(known, settings, this.now()) && known.issuedAt > rejectedAt)
			return { ok: true, held: known };
		const shared = this.pending.get(fingerprint);
		if (shared !== undefined) {
			const result = await shared;
			if (result.ok || result.refusal.endpoint !== 'late' || hasWaited) return result;
			return this.renew(post, settings, rejected, true);
		}
		const isTrusted = known !== undefined || isOwn;
		const exchange = exchangeToken(post, settings, this.now, isTrusted);
		this.pending.set(fingerprint, exchange);
		try {
			const result = await exchange;
			if (!result.ok) return result;
			this.latest.set(fingerprint, result.held);
			return result;
		} finally {
			this.pending.delete(fingerprint);
		}
	}
}
