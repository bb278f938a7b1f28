import type { JwtSettings } from '../../../../credentials/webhook/jwt';
import type { Json, JsonRecord } from '../../../../service/contract';

/** Whether a token is valid now, and from and for whom it should be; `now` in Unix seconds (RFC 7519, section 4.1). */
export function areClaimsMet(
	{ issuer, audience, toleranceSeconds }: JwtSettings,
	claims: JsonRecord,
	now: number,
): boolean {
	const { iss, aud, exp, nbf, iat } = claims;
	if (typeof exp !== 'number' || !Number.isFinite(exp) || !(now < exp + toleranceSeconds))
		return false;
	if (!isPast(nbf, now + toleranceSeconds) || !isPast(iat, now + toleranceSeconds)) return false;
	if (issuer !== undefined && iss !== issuer) return false;
	return audience === undefined || (Array.isArray(aud) ? aud.includes(audience) : aud === audience);
}

/** Whether a time that may be absent is not in the future. */
function isPast(time: Json | undefined, now: number): boolean {
	return time === undefined || (typeof time === 'number' && time <= now);
}
