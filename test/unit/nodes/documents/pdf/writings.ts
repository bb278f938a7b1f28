/** Different spellings of the same encrypted document. */
import type { Encrypted } from './files';
import { bytesOf, dictionary, encrypted, FIRST, hexadecimal, pdf, plain, stream } from './files';

type Writing = (encryption: Encrypted) => string;

/** Changes the spelling of the strings of an encryption. */
const withStrings =
	(write: (text: string) => string): Writing =>
	({ entries, id }) => {
		const written = Object.entries(entries).map(([key, value]) => [
			key,
			/^<[^<]/.test(value) ? write(plain(value)) : value,
		]);
		return encrypted({
			entries: Object.fromEntries(written) as Record<string, string>,
			id: write(plain(id)),
		});
	};

const octal = (character: string) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
const LETTERS: Record<string, string> = {
	'\n': '\\n',
	'\r': '\\r',
	'\t': '\\t',
	'\b': '\\b',
	'\f': '\\f',
};

/** Changes the white space within dictionaries, and between the tokens around them, where no comment is allowed. */
const withSpace =
	(space: string, after = space, outside = space): Writing =>
	({ entries, id }) => {
		const words = Object.entries(entries).map(
			([key, value]) => `${key}${space}${value.replaceAll(' ', space)}${after}`,
		);
		const body = `<<${space}${words.join('')}>>`;
		return pdf({
			objects: [body],
			trailer: `/Encrypt${space}${FIRST}${space}0${space}R${after}/ID${space}[${id}${space}${id}]`,
			head: (number) => `${number}${outside}0${outside}obj${outside}`,
		});
	};

/** A section without effect, and a document's pointer to repeat after it. */
const stray = 'xref\n0 0\ntrailer\n<< /Size 1 /Root 1 0 R >>\n';
const end = (text: string) => text.slice(text.lastIndexOf('startxref'));

/** Writes every letter of a name as its number. */
const numbered = (name: string) =>
	`/${[...name.slice(1)].map((letter) => `#${letter.charCodeAt(0).toString(16)}`).join('')}`;

export const writings: Record<string, Writing> = {
	'with a cross-reference table': (encryption) => encrypted(encryption),
	'with a cross-reference stream': (encryption) => encrypted(encryption, { form: 'stream' }),
	'with the encryption in the trailer itself': ({ entries, id }) =>
		pdf({ trailer: `/Encrypt ${dictionary(entries)} /ID [${id} ${id}]` }),
	'with the encryption in the dictionary of a cross-reference stream': ({ entries, id }) =>
		pdf({ form: 'stream', trailer: `/Encrypt ${dictionary(entries)} /ID [${id} ${id}]` }),
	'with names that are written in numbers': ({ entries, id }) => {
		const written = Object.entries(entries).map(([key, value]) => [
			numbered(key),
			value.startsWith('/') ? numbered(value) : value,
		]);
		return pdf({
			objects: [dictionary(Object.fromEntries(written) as Record<string, string>)],
			trailer: `/#45ncryp#74 ${FIRST} 0 R /I#44 [${id} ${id}]`,
		});
	},
	'with the type of its cross-reference stream in numbers': (encryption) =>
		encrypted(encryption, { form: 'stream' }).replace('/Type /XRef', '/#54ype /X#52ef'),
	'with octal numbers in its strings': withStrings((text) => `(${[...text].map(octal).join('')})`),
	'with short octal numbers in its strings': withStrings(
		(text) =>
			`(${[...text].map((character, at) => (/[0-7]/.test(text[at + 1] ?? '') ? octal(character) : `\\${character.charCodeAt(0).toString(8)}`)).join('')})`,
	),
	'with letters and backslashes in its strings': withStrings(
		(text) =>
			`(${text.replace(/[\n\r\t\b\f()\\]/g, (character) => LETTERS[character] ?? `\\${character}`)})`,
	),
	'with strings that go on in the next line': withStrings(
		(text) =>
			`(\\\r\n${[...text].map((character, at) => octal(character) + ['\\\n', '\\\r', '\\\r\n', ''][at % 4]).join('')})`,
	),
	'with escapes that mean nothing in its strings': withStrings(
		(text) =>
			`(${[...text].map((character) => (/[A-Zac-eg-mo-qsu-z]/.test(character) ? `\\${character}` : octal(character))).join('')})`,
	),
	'with capital letters and white space in its hexadecimal strings': withStrings(
		(text) =>
			`<\n ${(
				bytesOf(text)
					.toString('hex')
					.toUpperCase()
					.match(/.{1,3}/g) ?? []
			).join(' \t\r\n\0\f')} >`,
	),
	'with tabs': withSpace('\t'),
	'with zeros and form feeds as white space': withSpace('\0\f'),
	'with carriage returns as the ends of lines': withSpace('\r'),
	'with comments between the words of its dictionaries': withSpace(
		' % 7 0 obj << /Filter /Other >> (\n',
		undefined,
		' ',
	),
	'with comments that end where old systems end a line': withSpace(
		' % /Filter /Other (\r',
		undefined,
		' ',
	),
	'with a comment at the end of each line': withSpace('\t', '% )>> endobj 0\r\n', ' '),
	'without white space where there may be none': ({ entries, id }) => {
		const body = dictionary(entries).replace(/ ?(<<|>>|[</>]) ?/g, '$1');
		return pdf({
			objects: [body],
			trailer: `/Encrypt ${FIRST} 0 R/ID[${id}${id}]`,
			head: (number) => `${number} 0 obj`,
		}).replace('trailer\n<< ', 'trailer<<');
	},
	'with entries that are there twice, of which the last one counts': ({ entries, id }) => {
		const body = dictionary(entries).replace('<<', '<< /Filter /Other /O (other) /U (other) /P 7');
		return pdf({
			objects: [body],
			trailer: `/Encrypt 99 0 R /Encrypt ${FIRST} 0 R /ID [(other)] /ID [${id} ${id}]`,
		});
	},
	'with permissions that are written without a sign': ({ entries, id }) =>
		encrypted({ entries: { ...entries, '/P': String(Number(entries['/P']) >>> 0) }, id }),
	'with the length of its key in bytes': ({ entries, id }) =>
		encrypted({ entries: { ...entries, '/Length': '16' }, id }),
	'with a number that has many zeros': (encryption) =>
		encrypted(encryption).replace(`${FIRST} 0 R`, `000${FIRST} 00 R`),
	'with a nested dictionary and arrays before the encryption': ({ entries, id }) =>
		pdf({
			objects: [dictionary(entries)],
			trailer: `/Other << /Encrypt null /List [[(a (b) \\) ])] [<3e> << /ID [(b)] >> true null 1.5 -2 /Name]] >> /Empty << >> /Encrypt ${FIRST} 0 R /ID [${id} ${id}]`,
		}),
	'with a key without a value at the end of its trailer': (encryption) =>
		encrypted(encryption, { trailer: '/Key' }),
	'with arrays and dictionaries in one another, a hundred deep': (encryption) =>
		encrypted(encryption, {
			trailer: `/Arrays ${'['.repeat(100)}${']'.repeat(100)} /Dictionaries ${'<< /A '.repeat(100)}1${'>>'.repeat(100)}`,
		}),
	'with a stray word in the encryption': (encryption) =>
		encrypted(encryption).replace('/Filter /Standard', '7 stray /Filter /Standard'),
	'with something before its header': (encryption) =>
		`${'mail header\n'.repeat(40)}${encrypted(encryption)}`,
	'with something after its end': (encryption) => `${encrypted(encryption)}${'\0'.repeat(3000)}`,
	'with a pointer to the white space before its cross-references': (encryption) =>
		encrypted(encryption, { pointer: (offset) => offset - 1 }),
	'with a wrong pointer': (encryption) =>
		encrypted(encryption, { pointer: (offset) => offset - 40 }),
	'without a pointer': (encryption) => encrypted(encryption).replace(/startxref[^]*$/, ''),
	'with a pointer that is no number': (encryption) =>
		encrypted(encryption, { pointer: () => 'none' }),
	'with a stream whose length is too great': (encryption) =>
		encrypted(encryption, { before: pdf({ objects: ['null', stream('text', 100_000)] }) }),
	'with a stream whose length ends in a later one': (encryption) =>
		encrypted(encryption, {
			objects: [stream('x'.repeat(5000))],
			before: pdf({ objects: ['null', stream('text', 3000)] }),
		}),
	'with a stream that seems to open a string': (encryption) =>
		encrypted(encryption, {
			objects: [stream(')')],
			before: pdf({ objects: ['null', stream('9 0 obj (')] }),
		}),
	'with a string that does not end, before': (encryption) =>
		encrypted(encryption, { before: pdf({ objects: ['null', '<< /A (open >>'] }) }),
	'with a dictionary that does not end, before': (encryption) =>
		encrypted(encryption, { objects: ['1 >>'], before: pdf({ objects: ['null', '<< /A 1'] }) }),
	'with its encryption on the line on which the document before it ends': (encryption) =>
		encrypted(encryption, { before: pdf({}) }).replace(
			`%%EOF\n${FIRST} 0 obj`,
			`%%EOF ${FIRST} 0 obj`,
		),
	'with a section that no pointer names': (encryption) =>
		((text) => `${text}${stray}${end(text)}`)(encrypted(encryption)),
	'with a section that no pointer names, and a pointer to the white space before the right one': (
		encryption,
	) =>
		((text) => `${text}${stray}${end(text)}`)(
			encrypted(encryption, { pointer: (offset) => offset - 1 }),
		),
	'with a section that no pointer names, and something before its header': (encryption) =>
		((text) => `mail\n${text}${stray}${end(text)}`)(encrypted(encryption)),
	'with a section that no pointer names, and offsets that count what is before its header': (
		encryption,
	) => {
		const text = encrypted(encryption);
		const offset = Number(/startxref\n(\d+)/.exec(text)?.[1]);
		return `mail\n${text}${stray}startxref\n${offset + 'mail\n'.length}\n%%EOF\n`;
	},
	'with another object whose number ends in the same digit': (encryption) =>
		encrypted(encryption, {
			objects: [...Array.from({ length: 9 }, () => 'null'), '<< /Filter /Other /V 1 >>'],
		}),
	'with the word for a pointer after its end': (encryption) =>
		`${encrypted(encryption)}${stray}startxref nowhere\n`,
	'with a stream whose length stands in another object': (encryption) =>
		encrypted(encryption, { objects: [stream('text', `${FIRST + 2} 0 R`), '4'] }),
	'with an older encryption that an update has replaced': (encryption) =>
		encrypted(encryption, {
			before: encrypted({ entries: { '/Filter': '/Other', '/V': '1' }, id: '(other)' }),
		}),
	'with an update that keeps the encryption': ({ entries, id }) =>
		pdf({
			objects: [dictionary(entries), 'null'],
			trailer: `/Encrypt ${FIRST} 0 R /ID [${id} (new)]`,
			before: encrypted({ entries, id }),
		}),
	'with an update whose cross-references are a stream': ({ entries, id }) =>
		encrypted({ entries, id }, { form: 'stream', before: encrypted({ entries, id }) }),
	'with an update that encrypts it for the first time': (encryption) =>
		encrypted(encryption, { before: pdf({}) }),
	'with hundreds of updates': ({ entries, id }) => {
		let text = encrypted({ entries, id });
		for (let update = 0; update < 300; update++) {
			text = pdf({
				objects: [dictionary(entries), `(${update})`],
				trailer: `/Encrypt ${FIRST} 0 R /ID [${id} ${hexadecimal(String(update))}]`,
				before: text,
			});
		}
		return text;
	},
	'with two hundred encrypted documents attached behind its cross-references': (encryption) => {
		const attached = encrypted({
			entries: { '/Filter': '/Other', '/V': '1' },
			id: '(other)',
		}).replaceAll('4 0', '9 0');
		const first = encrypted(encryption);
		return `${first}${attached.repeat(200)}${end(first)}`;
	},
};
