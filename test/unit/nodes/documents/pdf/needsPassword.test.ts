import { encryptionOf, encrypted, fixture, fixtures, isLocked } from './files';
import { certain, decoys, others } from './decoys';
import { writings } from './writings';

/** Whether a fixture has an empty user password or, since revision 5, an empty owner password. */
const opens = (name: string) =>
	/-(owner|emptyowner|none)-/.test(name) || name.startsWith('r6-user-');

describe('a PDF that another program encrypted', () => {
	it('exists in each revision, with and without a user password', () => {
		expect(fixtures.filter((name) => opens(name))).toHaveLength(39);
		expect(fixtures.filter((name) => !opens(name))).toHaveLength(32);
	});

	it.each(fixtures.filter((name) => !opens(name)))('%s is locked', async (name) => {
		expect(await isLocked(fixture(name))).toBe(true);
	});

	it.each(fixtures.filter(opens))('%s opens without a password', async (name) => {
		expect(await isLocked(fixture(name))).toBe(false);
	});

	it.each(fixtures.filter((name) => /^r[36]-both-/.test(name)))(
		'%s gives the same result when it is read byte by byte',
		async (name) => {
			expect(await isLocked(fixture(name), 1)).toBe(!opens(name));
		},
	);
});

describe('a linearized PDF with a wrong pointer', () => {
	it.each(fixtures.filter((name) => name.endsWith('linearized')))(
		'%s gives the same result as with the right one',
		async (name) => {
			const text = fixture(name).toString('latin1');
			const at = text.lastIndexOf('startxref');
			for (const offset of [5, text.lastIndexOf('\nxref') + 1]) {
				const other = `${text.slice(0, at)}startxref\n${offset}\n%%EOF\n`;
				expect(await isLocked(other)).toBe(!opens(name));
			}
		},
	);
});

describe('a document that needs no password', () => {
	it.each(['table', 'stream'] as const)(
		'is one without encryption, with a cross-reference %s',
		async (form) => {
			expect(await isLocked(encrypted({ entries: {}, id: '()' }, { form }))).toBe(false);
			expect(await isLocked(fixture('form'))).toBe(false);
		},
	);

	it.each(Object.entries(decoys))('may have %s', async (_, file) =>
		expect(await isLocked(file)).toBe(false),
	);

	it.each(Object.entries(others))('is %s', async (_, file) =>
		expect(await isLocked(file)).toBe(false),
	);

	it('is one whose attached files alone are encrypted', async () => {
		const { entries, id } = encryptionOf('both', 'r4-aes');
		const filters = (stream: string, text: string) => ({
			entries: { ...entries, '/EFF': '/StdCF', '/StmF': stream, '/StrF': text },
			id,
		});
		expect(await isLocked(encrypted(filters('/Identity', '/Identity')))).toBe(false);
		expect(await isLocked(encrypted(filters('/StdCF', '/Identity')))).toBe(true);
		expect(await isLocked(encrypted(filters('/Identity', '/StdCF')))).toBe(true);
		const named = Object.entries(entries).filter(([key]) => !['/StmF', '/StrF'].includes(key));
		expect(await isLocked(encrypted({ entries: Object.fromEntries(named), id }))).toBe(false);
		expect(
			await isLocked(encrypted({ entries: { ...entries, '/StmF': 'null', '/StrF': 'null' }, id })),
		).toBe(false);
		expect(
			await isLocked(
				encrypted({
					entries: {
						...encryptionOf('both', 'r3').entries,
						'/StmF': '/Identity',
						'/StrF': '/Identity',
					},
					id,
				}),
			),
		).toBe(true);
	});
});

describe('an encrypted PDF', () => {
	it.each(Object.entries(writings))('%s is locked by a user password only', async (_, write) => {
		expect(await isLocked(write(encryptionOf('both')))).toBe(true);
		expect(await isLocked(write(encryptionOf('owner')))).toBe(false);
	});
});

describe('a document with unusable encryption entries', () => {
	it.each(Object.entries(certain))('is locked when it is encrypted %s', async (_, file) =>
		expect(await isLocked(file)).toBe(true),
	);
});

describe('the check of the empty password', () => {
	const revisions = ['r2', 'r3', 'r4-rc4', 'r4-aes', 'r5', 'r6'];

	it.each(revisions)('accepts only the right entries in %s', async (revision) => {
		const { entries, id } = encryptionOf('owner', revision);
		expect(await isLocked(encrypted({ entries, id }))).toBe(false);
		expect(
			await isLocked(
				encrypted({
					entries: { ...entries, '/U': entries['/U']?.replace(/^<../, '<00') ?? '' },
					id,
				}),
			),
		).toBe(true);
	});

	it.each(revisions.slice(0, 4))(
		'uses the ID, the permissions and the owner entry in %s',
		async (revision) => {
			const { entries, id } = encryptionOf('owner', revision);
			expect(await isLocked(encrypted({ entries, id: '<00>' }))).toBe(true);
			expect(await isLocked(encrypted({ entries: { ...entries, '/P': '-1' }, id }))).toBe(true);
			expect(
				await isLocked(
					encrypted({
						entries: { ...entries, '/O': entries['/O']?.replace(/^<../, '<00') ?? '' },
						id,
					}),
				),
			).toBe(true);
		},
	);

	it.each(revisions.slice(4))('needs no ID in %s', async (revision) => {
		expect(await isLocked(encrypted({ ...encryptionOf('owner', revision), id: '<00>' }))).toBe(
			false,
		);
	});

	it.each(['r4-rc4', 'r4-aes'])(
		'considers in %s whether the metadata is encrypted',
		async (revision) => {
			const { entries, id } = encryptionOf('owner', revision);
			const cleartext = encryptionOf('owner', `${revision}-cleartext`);
			expect(cleartext.entries['/EncryptMetadata']).toBe('false');
			expect(await isLocked(encrypted(cleartext))).toBe(false);
			expect(
				await isLocked(
					encrypted({
						...cleartext,
						entries: { ...cleartext.entries, '/EncryptMetadata': 'true' },
					}),
				),
			).toBe(true);
			expect(
				await isLocked(encrypted({ entries: { ...entries, '/EncryptMetadata': 'false' }, id })),
			).toBe(true);
			expect(
				await isLocked(encrypted({ entries: { ...entries, '/EncryptMetadata': 'true' }, id })),
			).toBe(false);
		},
	);

	it.each(['r2', 'r3'])('ignores in %s whether the metadata is encrypted', async (revision) => {
		const { entries, id } = encryptionOf('owner', revision);
		expect(
			await isLocked(encrypted({ entries: { ...entries, '/EncryptMetadata': 'false' }, id })),
		).toBe(false);
	});

	it('uses a key of five bytes where the length is missing or impossible', async () => {
		const { entries, id } = encryptionOf('owner', 'r3');
		for (const length of ['null', '40', '41', '136', '-8']) {
			expect(await isLocked(encrypted({ entries: { ...entries, '/Length': length }, id }))).toBe(
				true,
			);
		}
	});

	it('ignores the given key length when the algorithm has only one', async () => {
		const first = fixture('r3-40bit-owner-table').toString('latin1');
		expect(first).toContain('/V 1 /Length 40');
		expect(await isLocked(first.replace('/Length 40', '/Length 99'))).toBe(false);
		for (const revision of ['r2', 'r4-rc4', 'r4-aes', 'r5', 'r6']) {
			const { entries, id } = encryptionOf('owner', revision);
			expect(await isLocked(encrypted({ entries: { ...entries, '/Length': '48' }, id }))).toBe(
				false,
			);
		}
	});

	it('accepts entries that are padded to a greater length', async () => {
		for (const revision of revisions) {
			const { entries, id } = encryptionOf('owner', revision);
			const longer = (key: string) => entries[key]?.replace('>', `${'00'.repeat(79)}>`) ?? '';
			expect(
				await isLocked(
					encrypted({ entries: { ...entries, '/U': longer('/U'), '/O': longer('/O') }, id }),
				),
			).toBe(false);
		}
	});
});
