import { createHmac } from 'crypto';
import type { BaseAddress } from './baseAddress';
import {
	DEFAULT_TOKEN_LIFETIME_SECONDS,
	FIELDS,
	isRecord,
	RENEWAL_MARGIN_SECONDS,
	TOKEN_PATH,
} from './contract';
import type { Answer, NoAnswer, NoToken } from './http';
import { isSuccess } from './http';
import { refusedExchange, refusedSetting } from './tokenWords';

/** What a token is exchanged for. */
export interface TokenSettings {
	/** Base address as `readBaseAddress` gives it. */
	baseUrl: string;
	clientId: string;
	clientSecret: string;
}

/** A token with what is needed to know whether it may still be used. */
export interface HeldToken {
	token: string;
	/** Unix milliseconds. */
	issuedAt: number;
	/** Unix milliseconds from which the token is renewed before it is used. */
	renewAt: number;
	/** Of the settings that it was issued for; see `fingerprintOf`. */
	fingerprint: string;
}

export type Exchange = { ok: true; held: HeldToken } | { ok: false; refusal: NoToken };

/** Posts the JSON body to the token endpoint's URL, without following redirects; statuses other than 2xx are answers too. */
export type PostJson = (url: string, body: Record<string, string>) => Promise<Answer | NoAnswer>;

/**
 * Raised where n8n expects an error instead of a result. n8n wraps what is raised in an error of its own: of the original only the
 * message, `response.data.message` (shown as description) and `response.data` (kept as `context.data`) survive on all lines of n8n.
 */
export class TokenExchangeError extends Error {
	readonly response: { data: { message: string; refusal: NoToken } };

	constructor(refusal: NoToken) {
		super(refusal.message);
		this.name = 'TokenExchangeError';
		this.response = { data: { message: refusal.advice, refusal } };
	}
}

/** The refusal that an error of n8n stands for, when it wraps a `TokenExchangeError`. */
export function refusalOf(error: unknown): NoToken | undefined {
	const context: unknown = isRecord(error) ? error.context : undefined;
	const data: unknown = isRecord(context) ? context.data : undefined;
	const refusal: unknown = isRecord(data) ? data.refusal : undefined;
	return isNoToken(refusal) ? refusal : undefined;
}

function isNoToken(value: unknown): value is NoToken {
	return isRecord(value) && value.kind === 'noToken';
}

/** The settings of a credential, or why they cannot be used. */
export function readTokenSettings(
	address: BaseAddress,
	clientId: unknown,
	clientSecret: unknown,
): { ok: true; settings: TokenSettings } | { ok: false; refusal: NoToken } {
	if (!address.ok)
		return {
			ok: false,
			refusal: refusedSetting(address.reason, 'Correct it in the Document Workflow API credential'),
		};
	const id = typeof clientId === 'string' ? clientId.trim() : '';
	const secret = typeof clientSecret === 'string' ? clientSecret.trim() : '';
	const missing = id === '' ? 'Client ID' : secret === '' ? 'Client Secret' : undefined;
	if (missing !== undefined) {
		return {
			ok: false,
			refusal: refusedSetting(
				`${missing} is empty`,
				'Enter it in the Document Workflow API credential',
			),
		};
	}
	return { ok: true, settings: { baseUrl: address.url, clientId: id, clientSecret: secret } };
}

/**
 * A mark of the settings that a token belongs to. It changes with address, id and secret, and tells none of them: it is
 * keyed with the secret.
 */
export function fingerprintOf(settings: TokenSettings): string {
	return createHmac('sha256', settings.clientSecret)
		.update(`${settings.baseUrl}\n${settings.clientId}`)
		.digest('base64url');
}

/** Whether a token may be sent: issued for these settings, and its renewal is not due. */
export function isUsable(
	held: HeldToken | undefined,
	settings: TokenSettings,
	now: number,
): held is HeldToken {
	return (
		held !== undefined &&
		held.token !== '' &&
		held.fingerprint === fingerprintOf(settings) &&
		now < held.renewAt
	);
}

/** The stored form of a token: one text, so that its parts are never stored apart. */
export function serializeToken(held: HeldToken): string {
	return JSON.stringify(held);
}

/** Reads the stored form; undefined when there is none. */
export function parseToken(stored: unknown): HeldToken | undefined {
	const { token, issuedAt, renewAt, fingerprint } = readRecord(
		typeof stored === 'string' ? stored : '',
	);
	if (typeof token !== 'string' || typeof fingerprint !== 'string') return undefined;
	if (typeof issuedAt !== 'number' || typeof renewAt !== 'number') return undefined;
	return { token, issuedAt, renewAt, fingerprint };
}

/** Exchanges id and secret for a token (specification). Never rejects. */
export async function exchangeToken(
	post: PostJson,
	settings: TokenSettings,
	now: () => number,
): Promise<Exchange> {
	const { clientId, clientSecret, accessToken, expiresIn } = FIELDS.token;
	const askedAt = now();
	const reply = await post(settings.baseUrl + TOKEN_PATH, {
		[clientId]: settings.clientId,
		[clientSecret]: settings.clientSecret,
	});
	const body = isSuccess(reply) && isRecord(reply.body) ? reply.body : {};
	const token = body[accessToken];
	if (typeof token !== 'string' || token.trim() === '') {
		return {
			ok: false,
			refusal: refusedExchange(reply, settings.baseUrl, settings.clientSecret, now()),
		};
	}
	const lifetime = lifetimeSeconds(token, body[expiresIn], askedAt);
	const held = {
		token,
		issuedAt: askedAt,
		renewAt: renewalTime(askedAt, lifetime),
		fingerprint: fingerprintOf(settings),
	};
	return { ok: true, held };
}

/** When a token is renewed: 5 minutes ahead of its end (specification), but never before half of its lifetime (assumed). */
export function renewalTime(issuedAt: number, lifetime: number): number {
	return issuedAt + (lifetime - Math.min(RENEWAL_MARGIN_SECONDS, lifetime / 2)) * 1000;
}

/** `expires_in` in seconds (specification); where it is absent or nonsense the JWT's own times, else 3600 (assumed). */
export function lifetimeSeconds(token: string, expiresIn: unknown, now: number): number {
	const stated = typeof expiresIn === 'string' ? Number(expiresIn) : expiresIn;
	if (typeof stated === 'number' && Number.isFinite(stated) && stated > 0) return stated;
	const claims = readClaims(token);
	if (typeof claims.exp === 'number') {
		const from = typeof claims.iat === 'number' ? claims.iat : now / 1000;
		if (claims.exp > from) return claims.exp - from;
	}
	return DEFAULT_TOKEN_LIFETIME_SECONDS;
}

function readClaims(token: string): Record<string, unknown> {
	return readRecord(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
}

/** A JSON object, or an empty one where the text holds none. */
function readRecord(text: string): Record<string, unknown> {
	try {
		const value: unknown = JSON.parse(text);
		return isRecord(value) ? value : {};
	} catch {
		return {};
	}
}

/**
 * Tokens of this process. Any number of callers with the same settings share one exchange, and a caller that comes with a
 * token that was replaced in the meantime is given the new one instead of asking again.
 */
export class TokenExchanger {
	private readonly latest = new Map<string, HeldToken>();

	private readonly underWay = new Map<string, Promise<Exchange>>();

	constructor(private readonly now: () => number = Date.now) {}

	/** A token that is newer than `rejected`, which the service, or the clock, does not accept any more. */
	async renew(
		post: PostJson,
		settings: TokenSettings,
		rejected: HeldToken | undefined,
	): Promise<Exchange> {
		const fingerprint = fingerprintOf(settings);
		const known = this.latest.get(fingerprint);
		const isNewer =
			rejected?.fingerprint !== fingerprint ||
			(known !== undefined && known.issuedAt > rejected.issuedAt);
		if (isUsable(known, settings, this.now()) && isNewer) return { ok: true, held: known };
		const shared = this.underWay.get(fingerprint);
		if (shared !== undefined) return shared;
		const exchange = exchangeToken(post, settings, this.now);
		this.underWay.set(fingerprint, exchange);
		try {
			const result = await exchange;
			if (result.ok) this.keep(result.held);
			return result;
		} finally {
			this.underWay.delete(fingerprint);
		}
	}

	private keep(held: HeldToken): void {
		for (const [fingerprint, { renewAt }] of this.latest) {
			if (renewAt <= this.now()) this.latest.delete(fingerprint);
		}
		this.latest.set(held.fingerprint, held);
	}
}
