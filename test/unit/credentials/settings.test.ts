import { isSafe, readSettings } from '../../../credentials/settings';

import { growthOf, LINEAR } from '../support/growth';

/** The base URL that is used, or why it cannot be. */
const read = (productionUrl: unknown) => {
	const entered = { productionUrl, clientId: 'id', clientSecret: 'secret' };
	const result = readSettings(entered as Parameters<typeof readSettings>[0]);
	return result.ok ? result.settings.baseUrl : result.message;
};

describe('the base URL', () => {
	it.each([
		['https://api.example.com', 'https://api.example.com'],
		['  https://api.example.com/  ', 'https://api.example.com'],
		['https://api.example.com///', 'https://api.example.com'],
		['https://api.example.com/api/v1', 'https://api.example.com'],
		['https://api.example.com/api/v1/oauth2/access_token', 'https://api.example.com'],
		['https://gateway.example.com/documents/api/v1/', 'https://gateway.example.com/documents'],
		['https://gateway.example.com/documents/', 'https://gateway.example.com/documents'],
		['https://gateway.example.com/documents', 'https://gateway.example.com/documents'],
		['https://gateway.example.com/api/v10', 'https://gateway.example.com/api/v10'],
		['https://api.example.com:8443', 'https://api.example.com:8443'],
		['HTTPS://API.Example.com', 'https://api.example.com'],
		['http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
		['http://127.10.20.30', 'http://127.10.20.30'],
		['http://localhost:4010/', 'http://localhost:4010'],
		['http://[::1]:4010', 'http://[::1]:4010'],
	])('reads %j as %s', (text, url) => {
		expect(read(text)).toBe(url);
	});

	it.each([
		['   ', /enter a complete URL/],
		[undefined, /enter a complete URL/],
		['api.example.com', /that begins with https/],
		['https://', /enter a complete URL/],
		['https://exa mple.com', /enter a complete URL/],
		['ftp://api.example.com', /that begins with https:/],
		['http://api.example.com', /unencrypted/],
		['http://127.0.0.1.example.com', /unencrypted/],
		['http://localhost.example.com', /unencrypted/],
		['http://10.0.0.1', /unencrypted/],
		['https://user@api.example.com', /user name or password/],
		['https://user:pass@api.example.com', /user name or password/],
		['https://:pass@api.example.com', /user name or password/],
		['see https://api.example.com', /that begins with https/],
		['https://api.example.com?tenant=1', /question mark/],
		['https://api.example.com/?', /question mark/],
		['https://api.example.com/#top', /# sign/],
		['https://api.example.com/#', /# sign/],
	])('rejects %j with the reason', (text, reason) => {
		expect(read(text)).toMatch(reason);
		expect(read(text)).toMatch(/^Base URL \(Production\): /);
	});

	it.each(['/', '/ ', '/a', '/api/v1', 'a', '%2f', '?', ' '])(
		'is read in time in proportion to its length when many %j follow',
		async (piece) => {
			const make = (size: number) => `https://api.example.com${piece.repeat(size / piece.length)}x`;
			expect(await growthOf(make, read)).toBeLessThan(LINEAR);
		},
	);
});

describe('plain HTTP', () => {
	it.each(['localhost', '[::1]', '127.0.0.1', '127.255.0.9'])(
		'to %s is safe, because it is this machine',
		(hostname) => {
			expect(isSafe(new URL(`http://${hostname}`))).toBe(true);
		},
	);

	it.each([
		'localhost.example.com',
		'my-localhost',
		'127.0.0.1.example.com',
		'10.0.0.127',
		'128.0.0.1',
		'0.0.0.0',
		'[::]',
		'[::ffff:7f00:1]',
	])('to %j is not safe, because it may be another machine', (hostname) => {
		expect(isSafe(new URL(`http://${hostname}`))).toBe(false);
	});
});
