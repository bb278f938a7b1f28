/** Access tokens: signed JWTs that this simulator issued, and the state of each. */
import { randomBytes, randomUUID } from 'node:crypto';
import { compactVerify, decodeProtectedHeader, SignJWT } from 'jose';
import type { Environment, Settings } from '../configuration';

export type Authorization = 'none' | 'valid' | 'expired' | 'revoked' | 'foreign' | 'malformed';

export interface Judgement {
	authorization: Authorization;
	/** The client of the token, if its signature is valid. */
	clientId?: string;
	tokenId?: string;
}

interface Issued {
	expiresAt: number;
	revoked: boolean;
}

export class Tokens {
	private readonly key = randomBytes(32);
	private readonly known = new Map<string, Issued>();
	private count = 0;

	constructor(private readonly settings: () => Settings) {}

	/** How many tokens were issued since the start or the last reset. */
	get issued(): number {
		return this.count;
	}

	/** A new token of a client for one environment, and its lifetime in whole seconds. */
	async issue(
		clientId: string,
		environment: Environment,
	): Promise<{ token: string; expiresIn: number }> {
		const lifetime = this.settings().tokenLifetimeSeconds;
		const now = Date.now();
		const tokenId = randomUUID();
		this.known.set(tokenId, { expiresAt: now + lifetime * 1000, revoked: false });
		this.count++;
		const token = await new SignJWT({})
			.setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
			.setSubject(clientId)
			.setIssuer(issuerOf(environment))
			.setJti(tokenId)
			.setIssuedAt(Math.floor(now / 1000))
			.setExpirationTime(Math.floor(now / 1000 + lifetime))
			.sign(this.key);
		return { token, expiresIn: Math.max(1, Math.floor(lifetime)) };
	}

	/** Checks an Authorization header in an environment, now. Lifetimes are exact to the millisecond. */
	async judge(header: string | undefined, environment: Environment): Promise<Judgement> {
		if (header === undefined || header === '') return { authorization: 'none' };
		const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(header)?.[1];
		if (!token || !isJwt(token)) return { authorization: 'malformed' };
		const claims = await this.claimsOf(token);
		if (claims?.iss !== issuerOf(environment)) return { authorization: 'foreign' };
		return this.judgeKnown(claims.jti, claims.sub);
	}

	/** Checks again a token whose signature was checked before. */
	judgeAgain(judgement: Judgement): Judgement {
		const { tokenId, clientId } = judgement;
		return tokenId && clientId ? this.judgeKnown(tokenId, clientId) : judgement;
	}

	revokeAll(): void {
		for (const issued of this.known.values()) issued.revoked = true;
	}

	revoke(tokenId: string): void {
		const issued = this.known.get(tokenId);
		if (issued) issued.revoked = true;
	}

	/** Deletes all tokens: earlier ones count as revoked. */
	reset(): void {
		this.known.clear();
		this.count = 0;
	}

	private judgeKnown(tokenId: string, clientId: string): Judgement {
		const issued = this.known.get(tokenId);
		if (issued && issued.expiresAt <= Date.now())
			return { authorization: 'expired', clientId, tokenId };
		return { authorization: issued && !issued.revoked ? 'valid' : 'revoked', clientId, tokenId };
	}

	private async claimsOf(
		token: string,
	): Promise<{ iss: string; sub: string; jti: string } | undefined> {
		try {
			const { payload } = await compactVerify(token, this.key, { algorithms: ['HS256'] });
			return JSON.parse(Buffer.from(payload).toString('utf8')) as {
				iss: string;
				sub: string;
				jti: string;
			};
		} catch {
			return undefined;
		}
	}
}

function issuerOf(environment: Environment): string {
	return `document-workflow-simulator/${environment}`;
}

function isJwt(token: string): boolean {
	try {
		return typeof decodeProtectedHeader(token).alg === 'string';
	} catch {
		return false;
	}
}
