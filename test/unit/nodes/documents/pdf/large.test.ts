import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { needsPassword } from '../../../../../nodes/DocumentWorkflow/documents/pdf/needsPassword';
import { bytesOf, encrypted, encryptionOf, FIRST, isLocked, pdf, stream } from './files';

const KB = 1024;
const filler = (size: number) => stream('\x93 obj'.repeat(size / 5).padEnd(size, '\x93'));

// A file is read in parts of 256 kB, each with the last 64 kB of the one before.
describe('a large PDF', () => {
	it.each([
		['the beginning of the second part', 192 * KB],
		['the end of the first part', 256 * KB],
	])('is inspected correctly with its encryption at %s', async (_, border) => {
		const around = pdf({ objects: ['null', filler(border)] }).length - border;
		for (let place = border - 400; place < border + 20; place += 60) {
			for (const passwords of ['both', 'owner'] as const) {
				const before = pdf({ objects: ['null', filler(place - around)] });
				const text = encrypted(encryptionOf(passwords), { objects: [filler(200 * KB)], before });
				expect(text.lastIndexOf(`${FIRST} 0 obj`)).toBe(place);
				expect(await isLocked(text, 100 * KB)).toBe(passwords === 'both');
			}
		}
	});

	it.each([400, 5000])(
		'is inspected correctly with %d kB between its encryption and its trailer',
		async (size) => {
			for (const form of ['table', 'stream'] as const) {
				const objects = [filler(size * KB)];
				expect(await isLocked(encrypted(encryptionOf('both'), { objects, form }))).toBe(true);
				expect(await isLocked(encrypted(encryptionOf('owner'), { objects, form }))).toBe(false);
			}
		},
	);

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

	it('is inspected within two seconds when it has 10 MB', async () => {
		const text = bytesOf(encrypted(encryptionOf('owner'), { objects: [filler(10_000 * KB)] }));
		const start = process.cpuUsage();
		expect(await isLocked(text)).toBe(false);
		expect(process.cpuUsage(start).user).toBeLessThan(2_000_000);
	});

	it('is inspected to its end with less than 2 MB in memory', async () => {
		const head = bytesOf(
			encrypted(encryptionOf('both')).replace(
				/xref\n0 1[^]*$/,
				`9 0 obj\n<< /Length ${12 * KB * KB} >>\nstream\n`,
			),
		);
		const block = bytesOf('some 1 0 obj <<'.padEnd(1000, '\x80').repeat(1049)).subarray(0, KB * KB);
		const tail = bytesOf(`\nendstream\nendobj\ntrailer\n<< /Root 1 0 R /Encrypt ${FIRST} 0 R >>\n`);
		const before = held();
		let most = 0;
		const open = async function* () {
			yield head;
			for (let count = 0; count < 12; count++) yield block;
			most = Math.max(most, held() - before);
			yield tail;
		};
		expect(await needsPassword(open)).toBe(true);
		expect(most).toBeLessThan(2 * KB * KB);
	});

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

	it('is read only at its beginning when it is no PDF', async () => {
		let given = 0;
		const open = async function* () {
			for (; given < 100; given++) yield Buffer.alloc(64 * KB, 'no PDF');
		};
		expect(await needsPassword(open)).toBe(false);
		expect(given).toBeLessThan(10);
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

/** Bytes in use after a garbage collection. */
function held(): number {
	setFlagsFromString('--expose-gc');
	(runInNewContext('gc') as () => void)();
	const { heapUsed, arrayBuffers } = process.memoryUsage();
	return heapUsed + arrayBuffers;
}
