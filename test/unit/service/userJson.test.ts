import { mistakeInJson, readJsonObject } from '../../../service/userJson';
import { growthOf, LINEAR } from '../support/growth';
import { cases, fc } from '../../properties';

const messageFor = (text: string) => {
	const read = readJsonObject(text);
	return read.ok ? undefined : read.mistake.message;
};

describe('a JSON object in a text', () => {
	it.each<[string, object]>([
		[' {"a": 1, "b": [true, null, -0.5]}\n', { a: 1, b: [true, null, -0.5] }],
		['', {}],
		[' \n', {}],
		['{ }', {}],
		['{"a": {}, "b": [ ], "c": "\\u00e4\\"\\n\u0085\\\\"}', { a: {}, b: [], c: 'ä"\n\u0085\\' }],
	])('is read: %j', (text, value) => expect(readJsonObject(text)).toEqual({ ok: true, value }));

	it.each([
		['a name in double quotes is expected at line 1, column 9', '{"a": 1,}'],
		['a name in double quotes is expected at line 1, column 2', "{'a': 1}"],
		['a colon is expected at line 1, column 6', '{"a" 1}'],
		['a comma or } is expected at line 1, column 10', '{"a": "1"'],
		['a comma or ] is expected at line 1, column 10', '{"a": [1 2]}'],
		['a value is expected at line 1, column 2', '[,]'],
		['a comma or } is expected at line 2, column 5', '{"a":\n\t"b": CPP}'],
		['a value is expected at line 1, column 7', '{"a": CPP}'],
		['a comma or } is expected at line 1, column 8', '{"a": 01}'],
		[
			'a line break or tab in a text must be written as \\n or \\t at line 1, column 10',
			'{"a": "12\n34"}',
		],
		['a backslash must be written twice at line 1, column 8', '{"a": "\\x"}'],
		['a text has no closing quote at line 1, column 7', '{"a": "b}'],
		['there is text after the object at line 1, column 10', '{"a": 1} x'],
		['it has more than 100 levels at line 1, column 102', '['.repeat(100_000)],
		['it has more than 100 levels at line 1, column 405', '{"":'.repeat(200)],
	])('is refused: %s', (mistake, text) =>
		expect(messageFor(text)).toBe(`is not valid JSON: ${mistake}`),
	);

	it.each([
		['[{"a": 1}]', 'a list'],
		['null', 'null'],
		['"a"', 'a string'],
		['1', 'a number'],
		['true', 'a boolean'],
	])('is refused when it is something else: %s', (text, kind) =>
		expect(readJsonObject(text)).toEqual({
			ok: false,
			mistake: { message: `must be an object, but is ${kind}`, advice: 'Correct it' },
		}),
	);

	it('has up to 100 levels within it', () => {
		expect(mistakeInJson(`${'['.repeat(101)}${']'.repeat(101)}`)).toBeUndefined();
	});

	it('is refused when it has an integer that may have been rounded before, in an expression', () => {
		expect(messageFor('{"a": 9007199254740991, "b": -9007199254740991}')).toBeUndefined();
		for (const number of ['9007199254740992', '-9007199254740992', '12345678901234567000'])
			expect(messageFor(`{"a": ${number}}`)).toBe(
				'cannot be sent as it is: the number cannot be sent exactly as written at line 1, column 7',
			);
	});

	it.each([['12345678901234567890'], ['1.10'], ['1e400'], ['-0'], ['9007199254740993'], ['1E3']])(
		'is refused when it has the number %s, which JSON.parse alters',
		(number) => {
			expect(readJsonObject(`{"a": [${number}]}`)).toEqual({
				ok: false,
				mistake: {
					message:
						'cannot be sent as it is: the number cannot be sent exactly as written at line 1, column 8',
					advice: 'Write it in quotes',
				},
			});
		},
	);

	it('is refused when a name is there twice, also when it is written with an escape', () => {
		expect(readJsonObject('{"a": 1, "b": {"a": 2}, "\\u0061": 3}')).toEqual({
			ok: false,
			mistake: {
				message: 'cannot be sent as it is: a name appears twice at line 1, column 25',
				advice: 'Remove one of the two',
			},
		});
	});

	it('refuses escapes with a capital letter, which JSON does not have', () => {
		expect(mistakeInJson('["\\F"]')?.message).toContain('a backslash must be written twice');
		expect(mistakeInJson('["\\U0041"]')?.message).toContain('a backslash must be written twice');
		expect(mistakeInJson('["\\u00AF"]')).toBeUndefined();
	});

	it('is read as JSON.parse does, or refused', () => {
		const parsed = (text: string) => {
			try {
				return { value: JSON.parse(text) as unknown };
			} catch {
				return undefined;
			}
		};
		const json = fc.json({ maxDepth: 3 });
		const broken = fc
			.tuple(
				json,
				fc.nat(),
				fc.constantFrom('', '"', '\\', '{', '}', ',', ':', '1', '\n', '\u0000'),
			)
			.map(
				([text, at, sign]) =>
					text.slice(0, at % text.length) + sign + text.slice((at % text.length) + 1),
			);
		fc.assert(
			fc.property(fc.oneof(json, broken), (text) => {
				const reference = parsed(text);
				const mistake = mistakeInJson(text);
				if (reference === undefined) expect(mistake?.message).toMatch(/ at line \d+, column \d+$/);
				else if (mistake !== undefined) expect(mistake.message).toMatch(/^cannot be sent as it is/);
				else expect(JSON.parse(JSON.stringify(reference.value))).toEqual(reference.value);
			}),
			cases(1_000),
		);
	});

	it('is refused in time in proportion to the length of the text', async () => {
		const make = (size: number) => `{"file": "${'a'.repeat(size)}",\n}`;
		expect(messageFor(make(10))).toContain('line 2, column 1');
		expect(await growthOf(make, messageFor, 10_000_000)).toBeLessThan(LINEAR);
	});
});
