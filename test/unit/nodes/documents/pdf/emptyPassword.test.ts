import { rc4 } from '../../../../../nodes/DocumentWorkflow/documents/pdf/emptyPassword';

/** The first bytes of the key stream for the keys of RFC 6229. */
const published: Array<[key: string, stream: string]> = [
	['0102030405', 'b2396305f03dc027ccc3524a0a1118a8'],
	['01020304050607', '293f02d47f37c9b633f2af5285feb46b'],
	['0102030405060708090a0b0c0d0e0f10', '9ac7cc9a609d1ef7b2932899cde41b97'],
];

describe('RC4', () => {
	it.each(published)('gives the published stream for the key %s', (key, stream) => {
		expect(rc4(Buffer.from(key, 'hex'), Buffer.alloc(16)).toString('hex')).toBe(stream);
	});

	it('decrypts what it encrypted, beyond the size of its state', () => {
		const key = Buffer.from('a key');
		const text = Buffer.alloc(1000, 'some text');
		expect(rc4(key, text)).not.toEqual(text);
		expect(rc4(key, rc4(key, text))).toEqual(text);
	});
});
