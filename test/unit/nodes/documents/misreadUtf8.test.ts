import { rereadUtf8 } from '../../../../nodes/DocumentWorkflow/documents/misreadUtf8';

describe('UTF-8 that was taken for Latin-1', () => {
	it.each([
		'Rechnung März.pdf',
		'Überschwemmung.txt',
		'Ålesund à la carte.pdf',
		'見積書.pdf',
		'🏠 damage.jpg',
	])('is read anew: %s', (name) => {
		expect(rereadUtf8(Buffer.from(name, 'utf8').toString('latin1'))).toBe(name);
	});

	it.each([
		'',
		'policy.pdf',
		'Rechnung März.pdf',
		'Überschwemmung.txt',
		'見積書.pdf',
		'MÃ¼ller – Söhne.pdf',
		'Ã.pdf',
	])('is not seen in %j', (name) => {
		expect(rereadUtf8(name)).toBe(name);
	});
});
