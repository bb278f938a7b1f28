import { needsPassword } from '../../../../../nodes/DocumentWorkflow/documents/pdf/needsPassword';
import { bytesOf, encrypted, encryptionOf, FIRST, isLocked, pdf, stream } from './files';

const KB = 1024;
const filler = (size: number) => stream('\x93 obj'.repeat(size / 5).padEnd(size, '\x93'));

describe('a long document', () => {
	// A file is searched in parts: the first one is 257 kB long, and is searched with 128 kB more at hand.
	it.each([
		['the end of a part', 257 * KB - 12, 257 * KB + 6, 1],
		['the end of what is at hand', 385 * KB - 1000, 385 * KB + 100, 50],
	])('is read right with its encryption at %s', async (_, first, last, step) => {
		const around = pdf({ objects: ['null', filler(first)] }).length - first;
		for (let place = first; place < last; place += step) {
			for (const passwords of ['both', 'owner'] as const) {
				const before = pdf({ objects: ['null', filler(place - around)] });
				const text = encrypted(encryptionOf(passwords), { objects: [filler(200 * KB)], before });
				expect(text.lastIndexOf(`${FIRST} 0 obj`)).toBe(place);
				expect(await isLocked(text, 100 * KB)).toBe(passwords === 'both');
			}
		}
	});

	it.each([400, 2000, 5000])(
		'is read right with %d kB between its encryption and its trailer',
		async (size) => {
			for (const form of ['table', 'stream'] as const) {
				expect(
					await isLocked(encrypted(encryptionOf('both'), { objects: [filler(size * KB)], form })),
				).toBe(true);
				expect(
					await isLocked(encrypted(encryptionOf('owner'), { objects: [filler(size * KB)], form })),
				).toBe(false);
			}
		},
	);

	it('is read right with the section that counts at its start, as in a linearized one', async () => {
		const text = encrypted(encryptionOf('both'));
		const section = /startxref\n(\d+)/.exec(text)?.[1];
		const updates = pdf({ objects: ['null'] })
			.replace(/^%PDF-1.7\n/, '')
			.repeat(300);
		expect(
			await isLocked(`${text}${filler(1000 * KB)}${updates}startxref\n${section}\n%%EOF\n`),
		).toBe(true);
	});

	it('is read right when a dictionary is longer than what is held', async () => {
		const names = `<< /Names [${'(a name) 7 0 R '.repeat(30 * KB)}] >>`;
		expect(await isLocked(encrypted(encryptionOf('both'), { objects: [names] }))).toBe(true);
		expect(await isLocked(encrypted(encryptionOf('owner'), { objects: [names] }))).toBe(false);
	});

	it('does not take what is attached to it for its own, wherever the attachment ends', async () => {
		const attached = encrypted(encryptionOf('both'));
		for (let size = 256 * KB - 2000; size < 256 * KB + 500; size += 85) {
			const content = `${' '.repeat(size)}${attached}`;
			expect(
				await isLocked(
					pdf({ objects: [stream(content)], pointer: () => 'none' }).replace(
						/trailer\n(?![^]*trailer)[^]*/,
						'',
					),
				),
			).toBe(false);
		}
	});

	it('is read to its end, with little memory', async () => {
		const head = bytesOf(
			encrypted(encryptionOf('both')).replace(
				/xref\n0 1[^]*$/,
				`9 0 obj\n<< /Length ${128 * KB * KB} >>\nstream\n`,
			),
		);
		const block = bytesOf('some 1 0 obj <<'.padEnd(1000, '\x80').repeat(1049)).subarray(0, KB * KB);
		const tail = bytesOf(`\nendstream\nendobj\ntrailer\n<< /Root 1 0 R /Encrypt ${FIRST} 0 R >>\n`);
		const held = () => process.memoryUsage().arrayBuffers;
		const before = held();
		let most = 0;
		const file = async function* () {
			yield head;
			for (let count = 0; count < 128; count++) {
				yield block;
				most = Math.max(most, held() - before);
			}
			yield tail;
		};
		expect(await needsPassword(file())).toBe(true);
		expect(most).toBeLessThan(600 * KB);
	});

	it('is read no further than its start when it is no PDF', async () => {
		let given = 0;
		const file = async function* () {
			for (; given < 100; given++) yield Buffer.alloc(64 * KB, 'no PDF');
		};
		expect(await needsPassword(file())).toBe(false);
		expect(given).toBeLessThan(10);
	});

	it('passes on what its source throws', async () => {
		const file = async function* () {
			yield bytesOf('%PDF-1.7');
			throw new Error('the disk is gone');
		};
		await expect(needsPassword(file())).rejects.toThrow('the disk is gone');
	});
});
