import { Dictionary } from '../../../../../nodes/DocumentWorkflow/documents/pdf/dictionary';

const read = (written: string) => Dictionary.read(`<< /Key ${written} >> endobj`);

describe('a string of a PDF', () => {
	it.each([
		['(plain)', 'plain'],
		['(with (nested (brackets)) in it)', 'with (nested (brackets)) in it'],
		['(\\(one \\) open)', '(one ) open'],
		['()', ''],
		['(\\n\\r\\t\\b\\f\\\\)', '\n\r\t\b\f\\'],
		['(\\q\\8\\x)', 'q8x'],
		['(\\101\\0612\\7\\78)', 'A12\x07\x078'],
		['(\\0053)', '\x053'],
		['(\\501)', 'A'],
		['(go\\\non\\\r\non\\\ron)', 'goononon'],
		['(line\rline\r\nline\nline\n\rline)', 'line\nline\nline\nline\n\nline'],
		['(\\\\\r\n)', '\\\n'],
		['(% no comment >>)', '% no comment >>'],
		['<48656C6c6f>', 'Hello'],
		['<4 8\n6\t5>', 'He'],
		['<485>', 'HP'],
		['<48zz65>', 'He'],
		['<>', ''],
		['[(first) (second)]', 'first'],
	])('is read from %j as %j', (written, meant) =>
		expect(read(written)?.string('/Key')?.toString('latin1')).toBe(meant),
	);

	it.each(['<< /Key (a) >>', '/Name', '[[(a)]]', '7', ''])('is not read from %j', (written) =>
		expect(read(written)?.string('/Key')).toBeUndefined(),
	);
});

describe('a dictionary', () => {
	it.each([
		'',
		'(text)',
		'<< /Key 1',
		'<< /Key (open >>',
		'<< /Key [ >> endobj',
		'<< /Key 1 obj >>',
	])('is not read from %j', (text) => expect(Dictionary.read(text)).toBeUndefined());

	it('is read up to its end', () =>
		expect(Dictionary.read('<< /A 1 >> /B 2 >>')?.word('/B')).toBe(''));

	it('returns a value of the requested type, or none', () => {
		const values = Dictionary.read('<</A -4/B/Name/C 04 00 R/D<</A 7>>/E true/F[1 0 R]>>');
		expect(values?.integer('/A')).toBe(-4);
		expect(values?.integer('/B')).toBeUndefined();
		expect(values?.word('/B')).toBe('/Name');
		expect(values?.reference('/C')).toEqual(['4', '0']);
		expect(values?.reference('/F')).toBeUndefined();
		expect(values?.dictionary('/D')?.integer('/A')).toBe(7);
		expect(values?.dictionary('/E')).toBeUndefined();
		expect(values?.word('/E')).toBe('true');
	});
});
