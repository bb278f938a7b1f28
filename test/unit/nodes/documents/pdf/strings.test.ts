import { stringAt } from '../../../../../nodes/DocumentWorkflow/documents/pdf/strings';
import { bytesOf } from './files';

const read = (text: string) => stringAt(bytesOf(text), 0)?.toString('latin1');

describe('a string of a PDF', () => {
	it.each([
		['(plain) rest', 'plain'],
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
		['(no end', 'no end'],
		['<48656C6c6f>', 'Hello'],
		['<4 8\n6\t5>', 'He'],
		['<485>', 'HP'],
		['<48zz65>', 'He'],
		['<>', ''],
		['<48', 'H'],
	])('%j means %j', (written, meant) => expect(read(written)).toBe(meant));

	it.each(['<< /Key 1 >>', '/Name', '[(a)]', '7', ''])('is not %j', (written) =>
		expect(read(written)).toBeUndefined(),
	);

	it('is cut when no encryption could use it', () => {
		expect(read(`(${'a'.repeat(5000)})`)).toHaveLength(1024);
		expect(read(`<${'61'.repeat(5000)}>`)).toHaveLength(1024);
	});
});
