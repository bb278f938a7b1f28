import fc from 'fast-check';

import {
	firstMistake,
	lineAndColumn,
} from '../../../../nodes/DocumentWorkflow/documents/jsonPosition';

describe('the place where a text stops being JSON', () => {
	it.each([
		['', 0],
		['  ', 2],
		['{"a": 1,}', 8],
		['{"a" 1}', 5],
		['{a: 1}', 1],
		["{'a': 1}", 1],
		['{"a": }', 6],
		['[1, 2', 5],
		['[1 2]', 3],
		['[,]', 1],
		['{"a": 1} x', 9],
		['{"a": tru}', 6],
		['{"a": 01}', 7],
		['{"a": "line\nbreak"}', 6],
		['{"a": "bad \\x"}', 6],
		['{"a": "open}', 6],
		['{"a": "\\u00E9\\/\\t"}', 19],
		['{"a": "\\u00g9"}', 6],
		['{"b": {"a"}}', 10],
		['{"a": undefined}', 6],
		['{"a": NaN}', 6],
		['{"a": 1 "b": 2}', 8],
		['{"a": [1, {"b": }]}', 16],
		['\ufeff{}', 0],
		['{}\u00a0', 2],
		['{{ $json }}', 1],
		['{]', 1],
		['[}', 1],
	])('in %j is %i', (text, offset) => expect(firstMistake(text)).toBe(offset));

	it('is the length of any text that is JSON', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.constantFrom('', '\t', '  '), (value, indent) => {
				const text = ` ${JSON.stringify(value, null, indent)}\r\n`;
				expect(firstMistake(text)).toBe(text.length);
			}),
		);
	});

	it('has JSON, or the beginning of some, before it, and behind it what cannot stand there', () => {
		const almost = fc.string({
			unit: fc.constantFrom(
				'{',
				'}',
				'[',
				']',
				',',
				':',
				'"',
				'\\',
				'u',
				'0',
				'1',
				'-',
				'.',
				' ',
				'\n',
				'null',
				'"a"',
				'"a":',
			),
			maxLength: 10,
		});
		fc.assert(
			fc.property(almost, (text) => {
				const before = text.slice(0, firstMistake(text));
				const [next] =
					/^(?:"(?:[^"\\]|\\.)*"|[^\s",:{}[\]]+|[^])/.exec(text.slice(before.length)) ?? [];
				expect(canGoOn(before)).toBe(true);
				if (next !== undefined) expect(canGoOn(before + next)).toBe(false);
			}),
			{ numRuns: 5000 },
		);
	});

	it('is where a part was replaced by something that JSON does not know', () => {
		fc.assert(
			fc.property(
				fc.jsonValue(),
				fc.nat(),
				fc.constantFrom('§', "'", 'undefined', '\u0000', '\u00a0'),
				(value, number, foreign) => {
					const text = JSON.stringify(value, null, '\t');
					const parts = partsOf(text);
					const [at = 0, length = 0] = parts[number % parts.length] ?? [];
					expect(firstMistake(text.slice(0, at) + foreign + text.slice(at + length))).toBe(at);
				},
			),
		);
	});

	it('is the end of a text that was cut off between two of its parts, and the beginning of a text or word that was cut', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.nat(), (value, number) => {
				const text = `[${JSON.stringify(value, null, '  ')}]`;
				const parts = partsOf(text);
				const [at = 0, length = 0] = parts[number % parts.length] ?? [];
				expect(firstMistake(text.slice(0, at))).toBe(at);
				if (length > 1 && /["tfn]/.test(text[at] ?? ''))
					expect(firstMistake(text.slice(0, at + length - 1))).toBe(at);
			}),
		);
	});

	it('is found behind a text of many megabytes', () => {
		for (const filling of ['a'.repeat(20_000_000), '\\n'.repeat(1_000_000)]) {
			const text = `{"file": "${filling}", }`;
			expect(firstMistake(text)).toBe(text.length - 1);
		}
	});

	it('is found in lists within lists, however deep', () =>
		expect(firstMistake('['.repeat(200_000))).toBe(200_000));
});

it('a place is counted in lines and columns, both from 1', () => {
	expect(['a', 'ab\ncd', '\n\n'].map((text) => lineAndColumn(text, text.length))).toEqual([
		{ line: 1, column: 2 },
		{ line: 2, column: 3 },
		{ line: 3, column: 1 },
	]);
	expect(lineAndColumn('ab\ncd', 0)).toEqual({ line: 1, column: 1 });
	expect(lineAndColumn('ab\r\ncd', 4)).toEqual({ line: 2, column: 1 });
});

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/** Whether a text becomes JSON by what may come next and by closing what is open. */
function canGoOn(text: string): boolean {
	const open: string[] = [];
	for (const [at] of partsOf(text)) {
		if (text[at] === '{') open.unshift('}');
		else if (text[at] === '[') open.unshift(']');
		else if (text[at] === '}' || text[at] === ']') open.shift();
	}
	return ['', ' 0', ' "":0', ' :0'].some((next) => isJson(text + next + open.join('')));
}

/** Where the parts of a JSON text begin, with their lengths: texts, numbers, words, signs. */
function partsOf(text: string): Array<[number, number]> {
	return [...text.matchAll(/"(?:[^"\\]|\\.)*"|[^\s",:{}[\]]+|[{}[\],:]/g)].map(
		({ 0: part, index }) => [index, part.length],
	);
}
