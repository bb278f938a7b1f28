import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'crypto';

/** References are sealed with the client of the Document Workflow API credential. */
export interface Sealer {
	clientId: string;
	clientSecret: string;
}

export type Opened = { ok: true; resumeUrl: string } | { ok: false; reason: string };

const VERSION = '1';
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals the resume address of an n8n execution, so that the service can keep it without reading it. It opens only with the same
 * client secret, for the same workflow of the service, and before it expires (milliseconds since 1970).
 * docs/how-waiting-works.md says why.
 */
export function sealReference(
	resumeUrl: string,
	workflowId: string,
	expiresAt: number,
	sealer: Sealer,
): string {
	const expiry = Math.ceil(expiresAt / 1000).toString(36);
	const iv = randomBytes(IV_BYTES);
	const cipher = createCipheriv(CIPHER, keyOf(sealer), iv).setAAD(boundTo(workflowId, expiry));
	const sealed = Buffer.concat([
		iv,
		cipher.update(resumeUrl, 'utf8'),
		cipher.final(),
		cipher.getAuthTag(),
	]);
	return [VERSION, expiry, sealed.toString('base64url')].join('.');
}

/** The address in a reference, unless the reference is forged, altered, expired, or of another client or workflow. */
export function openReference(
	reference: string,
	workflowId: string,
	now: number,
	sealer: Sealer,
): Opened {
	const [version, expiry = '', sealed = '', ...more] = reference.split('.');
	const bytes = Buffer.from(sealed, 'base64url');
	if (version !== VERSION || more.length > 0 || bytes.length <= IV_BYTES + TAG_BYTES)
		return { ok: false, reason: 'it is not from this version of the package' };
	const resumeUrl = decrypt(bytes, keyOf(sealer), boundTo(workflowId, expiry));
	if (resumeUrl === undefined)
		return {
			ok: false,
			reason: 'it was sealed with another client secret, for another workflow, or was altered',
		};
	// The seal covers the expiry, so it can be trusted here.
	if (Number.parseInt(expiry, 36) * 1000 < now) return { ok: false, reason: 'it has expired' };
	return { ok: true, resumeUrl };
}

function decrypt(bytes: Buffer, key: Buffer, bound: Buffer): string | undefined {
	try {
		const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), {
			authTagLength: TAG_BYTES,
		});
		decipher.setAAD(bound).setAuthTag(bytes.subarray(-TAG_BYTES));
		return Buffer.concat([
			decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)),
			decipher.final(),
		]).toString('utf8');
	} catch {
		return undefined;
	}
}

function keyOf({ clientId, clientSecret }: Sealer): Buffer {
	return Buffer.from(
		hkdfSync(
			'sha256',
			clientSecret,
			clientId,
			'n8n-nodes-document-workflow: reference to a paused execution',
			32,
		),
	);
}

function boundTo(workflowId: string, expiry: string): Buffer {
	return Buffer.from(JSON.stringify([VERSION, workflowId, expiry]));
}
