import { API_PREFIX } from './contract';

export type BaseAddress = { ok: true; url: string } | { ok: false; reason: string };

/**
 * Checks and normalizes the base address of an environment: origin and an optional path, no trailing slash. Tolerates
 * white space, trailing slashes and a pasted `/api/v1…`; rejects whatever would expose a secret. HTTPS is required
 * (specification). Plain HTTP is accepted for a loopback host only, for tests and the demo.
 */
export function readBaseAddress(text: unknown, fieldName: string): BaseAddress {
	const refuse = (reason: string): BaseAddress => ({
		ok: false,
		reason: `${fieldName}: ${reason}`,
	});
	const trimmed = typeof text === 'string' ? text.trim() : '';
	if (trimmed === '') return refuse('the URL is missing, e.g. https://api.example.com');
	if (!/^https?:\/\//i.test(trimmed))
		return refuse('the URL must begin with https://, e.g. https://api.example.com');
	if (!URL.canParse(trimmed))
		return refuse('this is not a valid URL, e.g. https://api.example.com');
	const url = new URL(trimmed);
	if (url.username !== '' || url.password !== '') {
		return refuse('the URL contains a user name or password. Remove the part before the @ sign');
	}
	if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
		return refuse(
			'plain http:// would send the client secret unencrypted. Use https:// (http:// works for this machine only, e.g. http://127.0.0.1)',
		);
	}
	if (/[?#]/.test(trimmed))
		return refuse('the URL contains a question mark or a # sign. Remove everything from there on');
	return { ok: true, url: url.origin + withoutApiPath(url.pathname) };
}

function withoutApiPath(path: string): string {
	const pasted = `${path}/`.indexOf(`${API_PREFIX}/`);
	return (pasted === -1 ? path : path.slice(0, pasted)).replace(/(?<!\/)\/+$/, '');
}

/** Whether the host name of a URL is this machine. */
export function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
