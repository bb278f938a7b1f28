import { createCipheriv, createHash } from 'crypto';

import type { Dictionary } from './dictionary';

/** Pads a password to 32 bytes; an empty password is the padding alone. */
const PADDING = Buffer.from(
	'28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a',
	'hex',
);

/** Lengths of the password entries. In the file they may be longer, padded with zeros. */
const ENTRY_BYTES = 32;
const HASH_BYTES = 32;
const SALT_BYTES = 8;
const HASHED_ENTRY_BYTES = HASH_BYTES + 2 * SALT_BYTES;

/**
 * Whether a document opens with an empty user or owner password (ISO 32000-2, 7.6.4.3 and 7.6.4.4).
 * @param documentId the first string of the trailer's `ID`; empty without one
 * @returns false also for another security handler, an unknown revision, or a missing entry
 */
export function opensWithEmptyPassword(encryption: Dictionary, documentId: Buffer): boolean {
	const userEntry = encryption.string('/U');
	const ownerEntry = encryption.string('/O');
	const revision = encryption.integer('/R');
	const permissions = encryption.integer('/P');
	if (encryption.word('/Filter') !== '/Standard' || !userEntry || !ownerEntry) return false;
	if (revision === 5 || revision === 6)
		return opensByHash(
			revision,
			exactly(userEntry, HASHED_ENTRY_BYTES),
			exactly(ownerEntry, HASHED_ENTRY_BYTES),
		);
	if ((revision !== 2 && revision !== 3 && revision !== 4) || permissions === undefined)
		return false;
	return opensByKey(userEntry, {
		revision,
		keyBytes: keyBytesOf(encryption, revision),
		permissions,
		owner: exactly(ownerEntry, ENTRY_BYTES),
		documentId,
		metadataIsEncrypted: encryption.word('/EncryptMetadata') !== 'false',
	});
}

/** The inputs of a document's key, except the password. */
interface KeyParts {
	revision: 2 | 3 | 4;
	keyBytes: number;
	permissions: number;
	owner: Buffer;
	documentId: Buffer;
	metadataIsEncrypted: boolean;
}

function keyBytesOf(encryption: Dictionary, revision: number): number {
	const version = encryption.integer('/V');
	if (version === 1 || revision === 2) return 5;
	if (version === 4) return 16;
	const length = encryption.integer('/Length') ?? 40;
	// Some writers give the length in bytes.
	const bits = length < 40 ? length * 8 : length;
	return bits % 8 === 0 && bits >= 40 && bits <= 128 ? bits / 8 : 5;
}

/** Algorithms 6 and 7. */
function opensByKey(userEntry: Buffer, parts: KeyParts): boolean {
	const isUserPassword = (padded: Buffer) => {
		const key = documentKey(padded, parts);
		const expected =
			parts.revision === 2 ? rc4(key, PADDING) : rc4Rounds(key, md5(PADDING, parts.documentId));
		return exactly(userEntry, expected.length).equals(expected);
	};
	return isUserPassword(PADDING) || isUserPassword(userPasswordOfEmptyOwner(parts));
}

/** Algorithm 2. */
function documentKey(padded: Buffer, parts: KeyParts): Buffer {
	const { owner, permissions, documentId, revision, keyBytes, metadataIsEncrypted } = parts;
	const permissionBytes = Buffer.alloc(4);
	permissionBytes.writeUInt32LE(permissions >>> 0);
	const metadataBytes = Buffer.alloc(revision >= 4 && !metadataIsEncrypted ? 4 : 0, 0xff);
	let key = md5(padded, owner, permissionBytes, documentId, metadataBytes).subarray(0, keyBytes);
	if (revision >= 3) for (let time = 0; time < 50; time++) key = md5(key).subarray(0, keyBytes);
	return key;
}

/** The padded user password that an empty owner password decrypts. */
function userPasswordOfEmptyOwner(parts: KeyParts): Buffer {
	const { owner, revision, keyBytes } = parts;
	let hash = md5(PADDING);
	if (revision >= 3) for (let time = 0; time < 50; time++) hash = md5(hash);
	const key = hash.subarray(0, keyBytes);
	return revision === 2 ? rc4(key, owner) : rc4Rounds(key, owner);
}

/** Twenty rounds of RC4 with changed keys. They may run in any order. */
function rc4Rounds(key: Buffer, input: Buffer): Buffer {
	let output = input;
	for (let round = 0; round < 20; round++)
		output = rc4(
			key.map((byte) => byte ^ round),
			output,
		);
	return output;
}

/** Algorithms 11 and 12. */
function opensByHash(revision: 5 | 6, userEntry: Buffer, ownerEntry: Buffer): boolean {
	const verifies = (entry: Buffer, others: Buffer) => {
		const salt = entry.subarray(HASH_BYTES, HASH_BYTES + SALT_BYTES);
		const first = sha(256, salt, others);
		return entry.subarray(0, HASH_BYTES).equals(revision === 5 ? first : hardened(first, others));
	};
	return verifies(userEntry, Buffer.alloc(0)) || verifies(ownerEntry, userEntry);
}

/** Algorithm 2.B, for an empty password. */
function hardened(first: Buffer, others: Buffer): Buffer {
	let key = first;
	let last = 0;
	for (let round = 0; round < 64 || last > round - 32; round++) {
		const cipher = createCipheriv(
			'aes-128-cbc',
			key.subarray(0, 16),
			key.subarray(16, 32),
		).setAutoPadding(false);
		const encrypted = cipher.update(
			Buffer.concat(Array.from({ length: 64 }, () => [key, others]).flat()),
		);
		// 256 mod 3 is 1, so the sum of the bytes has the same remainder as the number that they encode.
		const remainder = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
		key = sha(remainder === 0 ? 256 : remainder === 1 ? 384 : 512, encrypted);
		last = encrypted.at(-1) ?? 0;
	}
	return key.subarray(0, HASH_BYTES);
}

function md5(...parts: Buffer[]): Buffer {
	return createHash('md5').update(Buffer.concat(parts)).digest();
}

function sha(bits: 256 | 384 | 512, ...parts: Buffer[]): Buffer {
	return createHash(`sha${bits}`).update(Buffer.concat(parts)).digest();
}

/** Truncates, or pads with zeros. */
function exactly(bytes: Buffer, length: number): Buffer {
	const exact = Buffer.alloc(length);
	exact.set(bytes.subarray(0, length));
	return exact;
}

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
