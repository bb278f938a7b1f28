/** RC4, which old PDF encryption uses and OpenSSL 3 no longer offers. The same call encrypts and decrypts. */
export function rc4(key: Uint8Array, input: Uint8Array): Buffer {
	const state = Uint8Array.from({ length: 256 }, (_, index) => index);
	const at = (index: number) => state[index & 0xff] ?? 0;
	const swap = (a: number, b: number) => {
		const kept = at(a);
		state[a & 0xff] = at(b);
		state[b & 0xff] = kept;
	};
	for (let i = 0, j = 0; i < 256; i++) {
		j = (j + at(i) + (key[i % key.length] ?? 0)) & 0xff;
		swap(i, j);
	}
	let j = 0;
	return Buffer.from(
		input.map((byte, index) => {
			const i = index + 1;
			j = (j + at(i)) & 0xff;
			swap(i, j);
			return byte ^ at(at(i) + at(j));
		}),
	);
}
