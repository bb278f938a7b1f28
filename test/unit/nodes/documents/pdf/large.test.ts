import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { needsPassword } from '../../../../../nodes/DocumentWorkflow/documents/pdf/needsPassword';
import { bytesOf, encrypted, encryptionOf, filler, FIRST, isLocked, KB, pdf } from './files';

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
});

/** Bytes in use after a garbage collection. */
function held(): number {
	setFlagsFromString('--expose-gc');
	(runInNewContext('gc') as () => void)();
	const { heapUsed, arrayBuffers } = process.memoryUsage();
	return heapUsed + arrayBuffers;
}
