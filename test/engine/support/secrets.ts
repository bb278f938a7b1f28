/** Searches for secrets in errors with all their causes, in output and in logs. */
import { CLIENT_SECRET, OTHER_CLIENT_SECRET } from './service';

const TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]+/;
const AUTHORIZATION = /Bearer\s+\S+|"authorization"/i;

/** Plain, and in base64 behind three other bytes. */
const CLIENT_SECRETS = [CLIENT_SECRET, OTHER_CLIENT_SECRET].flatMap((secret) => [
	secret,
	Buffer.from(secret).toString('base64').slice(0, -4),
]);

/** Everything reachable from a value as text, including non-enumerable properties, causes, maps and cycles. */
function deepText(value: unknown): string {
	const seen = new Set<object>();
	const texts: string[] = [];
	const visit = (current: unknown, name: string): void => {
		if (typeof current === 'string' || typeof current === 'number')
			texts.push(`"${name}": ${String(current)}`);
		if (Buffer.isBuffer(current)) texts.push(current.toString('latin1'));
		if (typeof current !== 'object' || current === null || seen.has(current)) return;
		seen.add(current);
		if (current instanceof Map) for (const [key, entry] of current) visit(entry, String(key));
		for (const key of Object.getOwnPropertyNames(current)) {
			texts.push(`"${key}"`);
			visit(Reflect.get(current, key), key);
		}
	};
	visit(value, '');
	return texts.join('\n');
}

/** Throws an error that names the kind of secret found, without its value. `others` are further secrets of the test. */
export function expectNoSecretIn(value: unknown, others: string[] = []): void {
	const text = deepText(value);
	const found = [
		CLIENT_SECRETS.some((secret) => text.includes(secret)) ? 'a client secret' : '',
		TOKEN.test(text) ? 'an access token' : '',
		AUTHORIZATION.test(text) ? 'an Authorization header' : '',
		others.some((secret) => text.includes(secret)) ? 'a secret of this test' : '',
	].filter(Boolean);
	expect(found).toEqual([]);
}
