import fc from 'fast-check';

import { needsPassword } from '../../../../../nodes/DocumentWorkflow/documents/pdf/needsPassword';
import { bytesOf, encrypted, encryptionOf, fixture, fixtures, inPieces, isLocked } from './files';
import { decoys } from './decoys';
import { writings } from './writings';

const documents = [
	...fixtures.map(fixture),
	...Object.values(decoys).map(bytesOf),
	...Object.entries(writings).flatMap(([name, write]) =>
		name.includes('hundred') ? [] : [bytesOf(write(encryptionOf('both')))],
	),
];
const document = fc.constantFrom(...documents);
const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const damage = fc.record({
	place,
	removed: fc.nat({ max: 12 }),
	added: fc.oneof(
		fc.uint8Array({ maxLength: 6 }),
		fc
			.constantFrom(
				'(',
				')',
				'<<',
				'>>',
				'<',
				'>',
				'[',
				']',
				'%',
				'/',
				'\\',
				'#',
				'obj',
				' 1 0 obj ',
				'stream\n',
				'endstream',
				'trailer',
				'xref',
				'startxref 9 ',
				'-',
				'9'.repeat(400),
			)
			.map(bytesOf),
	),
});

describe('whatever a file holds', () => {
	it('there is an answer for any bytes', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.uint8Array({ maxLength: 3000 }),
				fc.integer({ min: 1, max: 500 }),
				async (bytes, size) => {
					const file = Buffer.concat([bytesOf('%PDF-1.4\n'), bytes]);
					expect(await needsPassword(inPieces(new Uint8Array(file), size))).toBe(false);
				},
			),
			{ numRuns: 500 },
		);
	});

	it('there is an answer for any words of PDF', async () => {
		const words = [
			'1 0 obj',
			'endobj',
			'<<',
			'>>',
			'/Encrypt',
			'/Filter',
			'/Standard',
			'/R',
			'/V',
			'/O',
			'/U',
			'/P',
			'/ID',
			'/Type',
			'/XRef',
			'/Length',
			'/Root',
			'(',
			')',
			'<0a',
			'>',
			'[',
			']',
			'1 0 R',
			'3',
			'5',
			'stream\n',
			'\nendstream',
			'trailer',
			'xref',
			'startxref',
			'\n',
			' ',
			'%',
		];
		await fc.assert(
			fc.asyncProperty(fc.array(fc.constantFrom(...words), { maxLength: 80 }), async (given) => {
				expect(typeof (await isLocked(`%PDF-1.4\n${given.join(' ')}`))).toBe('boolean');
			}),
			{ numRuns: 1500 },
		);
	});

	it('there is an answer for any document that is cut off', async () => {
		await fc.assert(
			fc.asyncProperty(document, place, async (file, end) => {
				expect(typeof (await isLocked(file.subarray(0, Math.floor(end * file.length))))).toBe(
					'boolean',
				);
			}),
			{ numRuns: 1000 },
		);
	});

	it('there is an answer for any document that is damaged', async () => {
		await fc.assert(
			fc.asyncProperty(
				document,
				fc.array(damage, { minLength: 1, maxLength: 8 }),
				async (file, damages) => {
					let damaged = file;
					for (const { place: where, removed, added } of damages) {
						const at = Math.floor(where * damaged.length);
						damaged = Buffer.concat([
							damaged.subarray(0, at),
							added,
							damaged.subarray(at + removed),
						]);
					}
					expect(typeof (await isLocked(damaged))).toBe('boolean');
				},
			),
			{ numRuns: 1500 },
		);
	});

	it('no damage to a document without encryption makes it locked', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 30 }), async (damages) => {
				let file = fixture('form');
				for (const { place: where, removed, added } of damages) {
					const at = Math.floor(where * file.length);
					file = Buffer.concat([file.subarray(0, at), added, file.subarray(at + removed)]);
				}
				expect(await isLocked(file)).toBe(false);
			}),
			{ numRuns: 1000 },
		);
	});

	// Reading again what was read before would take minutes here.
	it.each(
		[
			'1 0 obj<<',
			'1 0 obj(',
			'1 0 obj<</A(',
			'1 0 obj[',
			' obj',
			'% obj',
			'%\n obj\n',
			'1 0 obj%',
			'trailer<</A(',
			'trailer%',
			'trailer ',
			'startxref%',
			'startxref 1 ',
			'xref\n',
			'1 0 obj<</Length 9>>stream\n',
			'1 0 obj<</Length 99999999>>stream\n1 0 obj(',
			'1 0 obj<</A 1%',
			'1 0 obj<</A<',
			'1 0 obj<<>>stream\n(',
			`${'%\n'.repeat(100_000)}obj`,
			`1 0 obj${' '.repeat(100_000)}`,
			`1 0 obj${'[<<'.repeat(50_000)}`,
		].map((words) => [JSON.stringify(words.slice(0, 45)), words]),
	)('four megabytes of %s take no longer than their length', async (_, words) => {
		const start = process.cpuUsage();
		expect(await isLocked(`%PDF-1.4\n${words.repeat((4 * 1024 * 1024) / words.length)}`)).toBe(
			false,
		);
		expect(process.cpuUsage(start).user).toBeLessThan(10_000_000);
	});

	it('thousands of encryptions and trailers are not kept', async () => {
		const { entries } = encryptionOf('both');
		const piece = bytesOf(
			encrypted({
				entries: { ...entries, '/O': `(${'o'.repeat(900)})` },
				id: `(${'i'.repeat(900)})`,
			})
				.slice(9)
				.repeat(300),
		);
		const held = () => process.memoryUsage().arrayBuffers;
		const before = held();
		let most = 0;
		const file = async function* () {
			yield bytesOf('%PDF-1.7\n');
			for (let count = 0; count < 10; count++) {
				yield piece;
				most = Math.max(most, held() - before);
			}
		};
		expect(await needsPassword(file())).toBe(true);
		expect(most).toBeLessThan(1024 * 1024);
	});
});
