import type { Exchange, HeldToken, PostJson, TokenSettings } from './token';
import { exchangeToken, fingerprintOf, isUsable } from './token';

/**
 * The tokens of this process. Callers with the same settings share one exchange. A caller whose token was replaced in
 * the meantime gets the new one without another exchange.
 */
export class TokenExchanger {
	private readonly latest = new Map<string, HeldToken>();

	private readonly pending = new Map<string, Promise<Exchange>>();

	/** Fingerprints of settings for which a token was issued. */
	private readonly trusted = new Set<string>();

	constructor(private readonly now = (): number => Date.now()) {}

	/**
	 * Returns a token newer than `rejected`, which the service rejected or whose renewal is due. A caller that waited for an
	 * exchange without an answer in time takes part in one more, because the first may have hung since long before.
	 */
	async renew(
		post: PostJson,
		settings: TokenSettings,
		rejected: HeldToken | undefined,
		hasWaited = false,
	): Promise<Exchange> {
		const fingerprint = fingerprintOf(settings);
		const known = this.latest.get(fingerprint);
		const isNewer =
			rejected?.fingerprint !== fingerprint ||
			(known !== undefined && known.issuedAt > rejected.issuedAt);
		if (isUsable(known, settings, this.now()) && isNewer) return { ok: true, held: known };
		if (rejected?.fingerprint === fingerprint) this.trusted.add(fingerprint);
		const shared = this.pending.get(fingerprint);
		if (shared !== undefined) {
			const result = await shared;
			if (result.ok || result.refusal.endpoint !== 'late' || hasWaited) return result;
			return this.renew(post, settings, rejected, true);
		}
		const exchange = exchangeToken(post, settings, this.now, this.trusted.has(fingerprint));
		this.pending.set(fingerprint, exchange);
		try {
			const result = await exchange;
			if (result.ok) this.keep(result.held);
			return result;
		} finally {
			this.pending.delete(fingerprint);
		}
	}

	private keep(held: HeldToken): void {
		this.trusted.add(held.fingerprint);
		for (const [fingerprint, { renewAt }] of this.latest) {
			if (renewAt <= this.now()) this.latest.delete(fingerprint);
		}
		this.latest.set(held.fingerprint, held);
	}
}
