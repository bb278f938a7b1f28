import { createHmac } from 'crypto';
import type { BaseAddress } from './baseAddress';
import { DEFAULT_TOKEN_LIFETIME_SECONDS, FIELDS, RENEWAL_MARGIN_SECONDS, TOKEN_PATH, isRecord, readErrorBody } from './contract';
import type { Answer, NoAnswer, NoToken } from './http';
import { isPassing, retryAfterOf } from './retry';
import { isTlsCode } from './errors';

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
	if (!address.ok) return { ok: false, refusal: refusal(address.reason, 'Correct it in the Document Workflow API credential') };
	const id = typeof clientId === 'string' ? clientId.trim() : '';
	const secret = typeof clientSecret === 'string' ? clientSecret.trim() : '';
	const missing = id === '' ? 'Client ID' : secret === '' ? 'Client Secret' : undefined;
	if (missing !== undefined) {
		return { ok: false, refusal: refusal(`${missing} is empty`, 'Enter it in the Document Workflow API credential') };
	}
	return { ok: true, settings: { baseUrl: address.url, clientId: id, clientSecret: secret } };
}

/**
 * A mark of the settings that a token belongs to. It changes with address, id and secret, and tells none of them: it is
 * keyed with the secret.
 */
export function fingerprintOf(settings: TokenSettings): string {
	return createHmac('sha256', settings.clientSecret).update(`${settings.baseUrl}\n${settings.clientId}`).digest('base64url');
}

/** Whether a token may be sent: issued for these settings, and its renewal is not due. */
export function isUsable(held: HeldToken | undefined, settings: TokenSettings, now: number): held is HeldToken {
	return held !== undefined && held.token !== '' && held.fingerprint === fingerprintOf(settings) && now < held.renewAt;
}

/** The stored form of a token: one text, so that its parts are never stored apart. */
export function serializeToken(held: HeldToken): string {
	return JSON.stringify(held);
}

/** Reads the stored form; undefined when there is none. */
export function parseToken(stored: unknown): HeldToken | undefined {
	const { token, renewAt, fingerprint } = readRecord(typeof stored === 'string' ? stored : '');
	if (typeof token !== 'string' || typeof renewAt !== 'number' || typeof fingerprint !== 'string') return undefined;
	return { token, renewAt, fingerprint };
}

/** Exchanges id and secret for a token (specification). Never rejects. */
export async function exchangeToken(post: PostJson, settings: TokenSettings, now: () => number): Promise<Exchange> {
	const { clientId, clientSecret, accessToken, expiresIn } = FIELDS.token;
	const askedAt = now();
	const reply = await post(settings.baseUrl + TOKEN_PATH, {
		[clientId]: settings.clientId,
		[clientSecret]: settings.clientSecret,
	});
	if (reply.kind === 'noAnswer' || reply.status !== 200 || !isRecord(reply.body)) {
		return { ok: false, refusal: describeRefusal(reply, settings, now()) };
	}
	const token = reply.body[accessToken];
	if (typeof token !== 'string' || token.trim() === '') return { ok: false, refusal: describeRefusal(reply, settings, now()) };
	const lifetime = lifetimeSeconds(token, reply.body[expiresIn], askedAt);
	return { ok: true, held: { token, renewAt: renewalTime(askedAt, lifetime), fingerprint: fingerprintOf(settings) } };
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

	/** A token other than `rejected`, which the service, or the clock, does not accept any more. */
	async renew(post: PostJson, settings: TokenSettings, rejected: string | undefined): Promise<Exchange> {
		const fingerprint = fingerprintOf(settings);
		const known = this.latest.get(fingerprint);
		if (isUsable(known, settings, this.now()) && known.token !== rejected) return { ok: true, held: known };
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

function refusal(message: string, advice: string, passing = false, retryAfterMilliseconds?: number): NoToken {
	return { kind: 'noToken', message, advice, passing, retryAfterMilliseconds };
}

/** Why no token came, in words that say what to change. */
function describeRefusal(reply: Answer | NoAnswer, settings: TokenSettings, now: number): NoToken {
	const host = new URL(settings.baseUrl).host;
	if (reply.kind === 'noAnswer') return describeSilence(reply, host);
	const said = readErrorBody(reply.body);
	const quote = said === '' ? '' : ` It said: "${said}".`;
	const later = retryAfterOf(reply, now);
	if (reply.status === 401) {
		return refusal(
			'The service does not know this pair of Client ID and Client Secret',
			`Check both, and that they belong to the chosen environment.${quote}`,
		);
	}
	if (reply.status === 403) return refusal('This client is not allowed to use the service', `Ask the service operator to enable it.${quote}`);
	if (reply.status === 422) {
		return refusal(
			'Client ID or Client Secret is malformed',
			`Copy both again from what the service operator gave you, without extra characters.${quote}`,
		);
	}
	if (reply.status === 429) {
		return refusal('The service receives too many requests at the moment', 'Try again in a minute', true, later);
	}
	if (reply.status >= 500) {
		return refusal(`The service answered with status ${reply.status}`, `Try again later.${quote}`, isPassing(reply), later);
	}
	return refusal(
		`${host} does not answer like the document workflow service (${describeStranger(reply)})`,
		'Check the base URL: it is the address in front of /api/v1, not the address of the dashboard',
	);
}

function describeSilence({ code }: NoAnswer, host: string): NoToken {
	if (code === 'ENOTFOUND') return refusal(`The host ${host} was not found`, 'Check the base URL for a typing slip');
	if (code === 'EAI_AGAIN') return refusal(`The host name ${host} could not be looked up`, 'Check the network of your n8n server and the base URL', true);
	if (code === 'ECONNREFUSED') return refusal(`Nothing answers at ${host}`, 'Check the base URL and its port, and that the service is up', true);
	if (isTlsCode(code)) {
		return refusal(
			`No secure connection to ${host} could be made (${code})`,
			'Check that the base URL names the host of the certificate, and that your n8n server trusts the authority that issued it (for an authority of your own: NODE_EXTRA_CA_CERTS)',
		);
	}
	return refusal(`No answer came from ${host}${code === '' ? '' : ` (${code})`}`, 'Check the base URL and the network of your n8n server', true);
}

function describeStranger({ status, headers, body }: Answer): string {
	if (status >= 300 && status < 400) return `it redirects with status ${status}`;
	const type = headers['content-type']?.split(';')[0] ?? 'nothing';
	if (status !== 200) return `status ${status} for its token endpoint`;
	return isRecord(body) ? `no ${FIELDS.token.accessToken} in the answer` : `the answer is ${type} instead of JSON`;
}
