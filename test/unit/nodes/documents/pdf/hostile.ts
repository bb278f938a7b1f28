import { bytesOf, encryptionOf, fixture, fixtures, isLocked } from './files';
import { decoys } from './decoys';
import { writings } from './writings';
import { fc } from '../../../../properties';

const documents = [
	...fixtures.map(fixture),
	...Object.values(decoys).map(bytesOf),
	...Object.entries(writings).flatMap(([name, write]) =>
		name.includes('hundred') ? [] : [bytesOf(write(encryptionOf('both')))],
	),
];
const document = fc.constantFrom(...documents);
/** A share of a file's length, uniformly distributed. */
const place = fc.integer({ min: 0, max: 9999 }).map((number) => number / 10_000);
const SIGNS = ['(', ')', '<<', '>>', '<', '>', '[', ']', '%', '/', '\\', '#', '-', '9'.repeat(400)];
const STRUCTURE = ['obj', ' 1 0 obj ', 'stream\n', 'endstream', 'trailer', 'xref', 'startxref 9 '];
const damage = fc.record({
	place,
	removed: fc.nat({ max: 12 }),
	added: fc.oneof(
		fc.uint8Array({ maxLength: 6 }),
		fc.constantFrom(...SIGNS, ...STRUCTURE).map(bytesOf),
	),
});
type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

function damaged(file: Uint8Array, damages: Damage[]): Buffer {
	let result = Buffer.from(file);
	for (const { place: where, removed, added } of damages) {
		const at = Math.floor(where * result.length);
		result = Buffer.concat([result.subarray(0, at), added, result.subarray(at + removed)]);
	}
	return result;
}

/** Tokens that would take very long if the text before were read again for each of them. */
const REPEATED = [
	'1 0 obj<<',
	'1 0 obj(',
	'1 0 obj<</A(',
	'1 0 obj[',
	' obj',
	'% obj',
	'4 0 obj<</A(',
	'4 0 ',
	'1 0 obj%',
	'trailer<</A(',
	'trailer<</Root(',
	'trailer<</Root<',
	'trailer%',
	'trailer ',
	'\nstartxref%',
	'\nstartxref 9 ',
	'xref\n',
	'xref ',
	'1 0 obj<</Length 99999999>>stream\n1 0 obj(',
	'1 0 obj<</A<',
	'(\\(',
	`${'%\n'.repeat(100_000)}obj`,
	`4 0 ${' '.repeat(100_000)}`,
	`1 0 obj${'[<<'.repeat(50_000)}`,
	`trailer<</Root${'[<<'.repeat(50_000)}`,
];

/**
 * Tests damaged and malicious files.
 * @param runs files per property
 * @param megabytes length of the files that repeat a few tokens
 */
export function testHostileFiles({ runs, megabytes }: { runs: number; megabytes: number }): void {
	const times = { numRuns: runs };

	it('any bytes after a header mean that no password is needed', () =>
		fc.assert(
			fc.asyncProperty(
				fc.uint8Array({ maxLength: 3000 }),
				fc.integer({ min: 1, max: 500 }),
				async (bytes, size) =>
					expect(await isLocked(Buffer.concat([bytesOf('%PDF-1.4\n'), bytes]), size)).toBe(false),
			),
			times,
		));

	it('any tokens of PDF are inspected without an error', () => {
		const entries =
			'/Encrypt /Filter /Standard /R /V /O /U /P /ID /Type /XRef /Length /Root 1|0|R 3 5';
		const words = [
			...entries.split(' ').map((word) => word.replaceAll('|', ' ')),
			...['1 0 obj', 'endobj', '<<', '>>', '(', ')', '<0a', '>', '[', ']', '\n', ' ', '%'],
			...['stream\n', '\nendstream', 'trailer', 'xref', 'startxref'],
		];
		return fc.assert(
			fc.asyncProperty(fc.array(fc.constantFrom(...words), { maxLength: 80 }), async (given) =>
				expect(typeof (await isLocked(`%PDF-1.4\n${given.join(' ')}`))).toBe('boolean'),
			),
			times,
		);
	});

	it('a truncated PDF is inspected without an error', () =>
		fc.assert(
			fc.asyncProperty(document, place, async (file, end) =>
				expect(typeof (await isLocked(file.subarray(0, Math.floor(end * file.length))))).toBe(
					'boolean',
				),
			),
			times,
		));

	it('a damaged PDF is inspected without an error', () =>
		fc.assert(
			fc.asyncProperty(
				document,
				fc.array(damage, { minLength: 1, maxLength: 8 }),
				async (file, damages) =>
					expect(typeof (await isLocked(damaged(file, damages)))).toBe('boolean'),
			),
			times,
		));

	it('a PDF without encryption needs no password, however it is damaged', () =>
		fc.assert(
			fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 30 }), async (damages) =>
				expect(await isLocked(damaged(fixture('form'), damages))).toBe(false),
			),
			times,
		));

	// The last tokens refer to an object that has to be searched: 4 0 obj.
	it.each(REPEATED.map((words) => [JSON.stringify(words.slice(0, 45)), words]))(
		`${megabytes} MB of %s take time in proportion to their length`,
		async (_, words) => {
			const text = words.repeat((megabytes * 1024 * 1024) / words.length);
			const file = bytesOf(
				`%PDF-1.4\n${text}\ntrailer\n<< /Root 1 0 R /Encrypt 4 0 R >>\nstartxref\n${text.length + 10}\n`,
			);
			const start = process.cpuUsage();
			expect(await isLocked(file)).toBe(false);
			expect(process.cpuUsage(start).user).toBeLessThan(1_000_000 * megabytes);
		},
	);
}
