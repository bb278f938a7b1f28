import { encryptedIn, encryptionSearch } from '../../../../nodes/DocumentWorkflow/documents/sent';
import { fc } from '../../../properties';

const TRAILER = 'trailer\n<</Root 1 0 R/Encrypt 2 0 R>>';

/** What the search says after each chunk. */
const search = (...chunks: string[]) =>
	chunks.map((chunk) => Buffer.from(chunk)).map(encryptionSearch());

describe('the search for encryption in a PDF', () => {
	it('finds the key wherever the chunks begin and end', () => {
		fc.assert(
			fc.property(
				fc
					.array(fc.nat(TRAILER.length), { maxLength: 12 })
					.map((cuts) => cuts.sort((a, b) => a - b)),
				(cuts) => {
					const chunks = [0, ...cuts].map((from, index) => TRAILER.slice(from, cuts[index]));
					expect(search(...chunks).at(-1)).toBe(true);
				},
			),
		);
	});

	it('remembers what an earlier chunk had', () =>
		expect(search('%PDF-1.7 /Encr', 'ypt 2 0 R', 'startxref')).toEqual([false, true, true]));

	it('finds nothing in a PDF without the key, or with its letters apart', () =>
		expect(search('%PDF-1.7 /Enc', ' ', 'rypt /Encryp', '%%EOF', '')).toEqual(
			Array(5).fill(false),
		));

	it('searches only the bytes of a chunk, not those around it in memory', () =>
		expect(encryptionSearch()(new Uint8Array(Buffer.from(TRAILER)).subarray(0, 20))).toBe(false));
});

describe('the encrypted documents of an output', () => {
	it.each([
		[undefined, ''],
		[[], ''],
		[[{ fileName: 'a.pdf' }, { address: 'https://a.example.com/b.pdf' }], ''],
		[
			[{ fileName: 'a.pdf', encrypted: true }, { fileName: 'b.pdf' }],
			'a.pdf is encrypted. If it needs a password, ask the sender for a copy without one',
		],
		[
			[
				{ fileName: 'a.pdf', encrypted: true },
				{ fileName: 'b\n.pdf', encrypted: true },
			],
			'a.pdf, b .pdf are encrypted. If they need a password, ask the sender for copies without one',
		],
	])('are named in a sentence: %j', (documents, sentence) =>
		expect(encryptedIn(documents)).toBe(sentence),
	);

	it('are named in short where there are many', () => {
		const many = ['a', 'b', 'c', 'd', 'e'].map((fileName) => ({ fileName, encrypted: true }));
		expect(encryptedIn(many)).toMatch(/^a, b, c and 2 more are encrypted/);
	});
});
