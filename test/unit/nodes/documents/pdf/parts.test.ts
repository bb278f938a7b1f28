import { needsPassword } from '../../../../../nodes/DocumentWorkflow/documents/pdf/needsPassword';
import type { Passwords } from './files';
import { bytesOf, encrypted, encryptionOf, filler, FIRST, isLocked, KB, pdf } from './files';

/** An encrypted document whose cross-references are at an offset, with so many bytes up to its end, and a later trailer without effect. */
function withSectionAt(offset: number, bytesToEnd: number, passwords: Passwords): string {
	const text = encrypted(encryptionOf(passwords));
	const at = text.lastIndexOf('\nxref') + 1;
	const section = text.slice(at, text.lastIndexOf('startxref'));
	const end = `xref\n0 0\ntrailer\n<< /Size 1 /Root 1 0 R >>\nstartxref\n${offset}\n%%EOF\n`;
	return text.slice(0, at).padEnd(offset, '\n') + section.padEnd(bytesToEnd - end.length) + end;
}

// A file is searched in parts of 256 kB, each with the last 64 kB of the one before. Its trailer is searched in the first part and in the last 768 kB.
describe('a PDF that is longer than one part', () => {
	it.each([
		['at the beginning of the second part', 192 * KB],
		['across the end of the first part', 256 * KB - 100],
		['at the end of the first part', 256 * KB],
		['across the end of the second part', 448 * KB - 100],
	])('is inspected correctly with its encryption %s', async (_, place) => {
		const before = pdf({}).padEnd(place, '\n');
		for (const passwords of ['both', 'owner'] as const) {
			const text = encrypted(encryptionOf(passwords), { objects: [filler(200 * KB)], before });
			expect(text.lastIndexOf(`${FIRST} 0 obj`)).toBe(place);
			expect(await isLocked(text, 100 * KB)).toBe(passwords === 'both');
		}
	});

	it.each([
		['in the first part', 100 * KB, 1280 * KB],
		['in its last 768 kB', 512 * KB, 700 * KB],
		['exactly 768 kB before its end', 512 * KB, 768 * KB],
	])(
		'is inspected by the cross-references that its pointer names, %s',
		async (_, offset, bytesToEnd) => {
			for (const passwords of ['both', 'owner'] as const) {
				const text = withSectionAt(offset, bytesToEnd, passwords);
				expect(text).toHaveLength(offset + bytesToEnd);
				expect(await isLocked(text)).toBe(passwords === 'both');
				expect(await isLocked(text, text.length)).toBe(passwords === 'both');
			}
		},
	);

	it('becomes text only at its ends, because text of all of it would keep the garbage collector busy', async () => {
		const text = pdf({ objects: [filler(10_000 * KB)] });
		const toText = jest.spyOn(Buffer.prototype, 'toString');
		try {
			expect(await isLocked(text)).toBe(false);
			const lengths = toText.mock.results.map(({ value }) => String(value).length);
			expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(2_000 * KB);
		} finally {
			toText.mockRestore();
		}
	});

	it('is inspected correctly with a cross-reference table longer than what is kept in memory', async () => {
		const table = `xref\n0 100000\n${'0000000016 00000 n\r\n'.repeat(100_000)}`;
		for (const passwords of ['both', 'owner'] as const) {
			const text = encrypted(encryptionOf(passwords)).replace('xref\n', table);
			expect(await isLocked(text)).toBe(passwords === 'both');
		}
	});

	it('is inspected by the trailer at its beginning when the pointer leads there, as in a linearized PDF', async () => {
		const text = encrypted(encryptionOf('both'));
		const section = /startxref\n(\d+)/.exec(text)?.[1];
		const updates = pdf({ objects: ['null'] })
			.replace(/^%PDF-1.7\n/, '')
			.repeat(300);
		expect(
			await isLocked(`${text}${filler(2000 * KB)}${updates}startxref\n${section}\n%%EOF\n`),
		).toBe(true);
	});

	it('is inspected correctly with a dictionary longer than a part', async () => {
		const names = `<< /Names [${'(a name) 7 0 R '.repeat(30 * KB)}] >>`;
		expect(await isLocked(encrypted(encryptionOf('both'), { objects: [names] }))).toBe(true);
		expect(await isLocked(encrypted(encryptionOf('owner'), { objects: [names] }))).toBe(false);
	});

	it('is read only in its first part when it is no PDF', async () => {
		for (const size of [60 * KB, 64 * KB]) {
			let given = 0;
			const open = async function* () {
				for (; given < 100; given++) yield Buffer.alloc(size, 'no PDF');
			};
			expect(await needsPassword(open)).toBe(false);
			expect(given).toBeLessThan(5);
		}
	});

	it('is read once, or twice when it is encrypted', async () => {
		for (const [passwords, times] of [
			[undefined, 1],
			['owner', 2],
		] as const) {
			let opened = 0;
			const text = passwords === undefined ? pdf({}) : encrypted(encryptionOf(passwords));
			const open = async function* () {
				opened++;
				yield bytesOf(text);
			};
			expect(await needsPassword(open)).toBe(false);
			expect(opened).toBe(times);
		}
	});

	it('passes on the errors of reading it', async () => {
		const open = async function* () {
			yield bytesOf('%PDF-1.7');
			throw new Error('the disk is gone');
		};
		await expect(needsPassword(open)).rejects.toThrow('the disk is gone');
	});
});
