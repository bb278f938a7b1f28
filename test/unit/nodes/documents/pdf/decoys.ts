/** Documents that need no password, although something in them looks like encryption. */
import { bytesOf, dictionary, encrypted, encryptionOf, FIRST, fixture, pdf, stream } from './files';

const both = encryptionOf('both');
const locked = encrypted(both);
const body = dictionary(both.entries);
const trailer = `trailer\n<< /Size 9 /Root 1 0 R /Encrypt ${FIRST} 0 R /ID [${both.id}] >>\n`;
/** The structure of an encrypted document, without offsets: only what a repair would find. */
const structure = `${FIRST} 0 obj\n${body}\nendobj\n${trailer}`;
const attachment = '/Type /EmbeddedFile /Subtype /application#2Fpdf ';
const fixtureText = fixture('r6-both-table').toString('latin1');

export const decoys: Record<string, string> = {
	'an entry Encrypt in a content stream': pdf({
		objects: [body, stream(`BT (/Encrypt ${FIRST} 0 R) Tj ET /Encrypt ${FIRST} 0 R`)],
	}),
	'a trailer with Encrypt in a content stream': pdf({ objects: [body, stream(trailer)] }),
	'a whole encrypted document in a stream': pdf({
		objects: [stream(locked, locked.length, attachment)],
	}),
	'a whole encrypted document in a stream, its own cross-references in a stream': pdf({
		objects: [stream(locked, locked.length, attachment)],
		form: 'stream',
	}),
	'a real encrypted document in a stream': pdf({
		objects: [stream(fixtureText, fixtureText.length, attachment)],
	}),
	'a whole encrypted document in a stream whose length stands in another object': pdf({
		objects: [stream(locked, `${FIRST + 1} 0 R`, attachment), String(locked.length)],
	}),
	'an encrypted document in a stream, and a wrong pointer': pdf({
		objects: [stream(locked, locked.length, attachment)],
		pointer: () => 7,
	}),
	'an encrypted document in a stream of white space and comments': pdf({
		objects: [stream(`\n%\n ${structure} `, structure.length + 4)],
		pointer: () => 'none',
	}),
	'a trailer with Encrypt in a stream after the trailer that counts': ((text) =>
		`${text}9 0 obj\n${stream(structure, '10 0 R')}\nendobj\n${text.slice(text.lastIndexOf('startxref'))}`)(
		pdf({}),
	),
	'a trailer with Encrypt in a comment': pdf({ objects: [body] }).replace(
		'trailer',
		`%${trailer.replaceAll('\n', ' ')}\ntrailer`,
	),
	'a table and a trailer in a comment after its end': `${pdf({ objects: [body] })}%xref ${trailer.replaceAll('\n', ' ')}\n%startxref 7\n`,
	'Encrypt below another entry of the trailer': pdf({
		objects: [body],
		trailer: `/Other << /Encrypt ${FIRST} 0 R >> /List [/Encrypt ${FIRST} 0 R]`,
	}),
	'an entry whose name begins with Encrypt': pdf({
		objects: [body],
		trailer: `/EncryptMetadata true /Encrypted ${FIRST} 0 R /Encryp ${FIRST} 0 R`,
	}),
	'the number of an encryption that is not there': pdf({ trailer: '/Encrypt 77 0 R' }),
	'the number of an older generation': pdf({ objects: [body], trailer: `/Encrypt ${FIRST} 1 R` }),
	'an encryption that is no dictionary': pdf({
		objects: ['(text)'],
		trailer: `/Encrypt ${FIRST} 0 R`,
	}),
	'an encryption that names no security handler': pdf({
		objects: ['<< /V 2 /R 3 >>'],
		trailer: `/Encrypt ${FIRST} 0 R`,
	}),
	'an encryption whose security handler is no name': pdf({
		objects: ['<< /Filter (Standard) /V 2 /R 3 >>'],
		trailer: `/Encrypt ${FIRST} 0 R`,
	}),
	'an encryption that is null': pdf({ trailer: '/Encrypt null' }),
	'an encryption that is an empty dictionary': pdf({ trailer: '/Encrypt << >>' }),
	'an encryption that is broken off': pdf({
		objects: [body.slice(0, -20)],
		trailer: `/Encrypt ${FIRST} 0 R`,
	}),
	'an encryption behind an array that does not end': pdf({
		objects: [body],
		trailer: `/A [ /Encrypt ${FIRST} 0 R`,
	}),
	'a trailer that is broken off': locked.replace(/ \/Encrypt[^]*$/, ' /Encrypt'),
	'an update that ends the encryption': pdf({ before: locked }),
	'an update that ends the encryption, its cross-references in a stream': pdf({
		before: encrypted(both, { form: 'stream' }),
		form: 'stream',
	}),
	'a signature': pdf({
		objects: [
			'<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /Contents <00> >>',
		],
		trailer: '',
	}),
	'nothing but the word for its end': '%PDF-1.7\nstartxref',
};

/** Files that are no PDF, although they contain or mention one. */
export const others: Record<string, string> = {
	'an empty file': '',
	'a text about encryption': `Trailers name it: ${trailer}`,
	'an archive with an encrypted PDF': `PK\x03\x04${'\0'.repeat(2000)}${locked}`,
	'a mail with an encrypted PDF in readable form': `Subject: policy\n${'Received: by a server\n'.repeat(100)}\n${bytesOf(locked).toString('base64')}`,
};

const handler = (entries: string, form?: 'table' | 'stream') =>
	pdf({ objects: [`<< ${entries} >>`], trailer: `/Encrypt ${FIRST} 0 R`, form });

/** An encryption that would open without a password if one entry were not missing or different. */
const without = (revision: string, key: string, value = 'null') => {
	const { entries, id } = encryptionOf('owner', revision);
	return { entries: { ...entries, [key]: value }, id };
};

/** Encrypted documents whose encryption cannot be read. */
export const certain: Record<string, string> = {
	'for the holders of certificates': handler(
		'/Filter /Adobe.PubSec /SubFilter /adbe.pkcs7.s4 /V 2 /Length 128 /Recipients [<3082><3083>]',
	),
	'for the holders of certificates, with crypt filters': handler(
		'/Filter /Adobe.PubSec /SubFilter /adbe.pkcs7.s5 /V 4 /CF << /DefaultCryptFilter << /CFM /AESV2 /Recipients [<3082>] >> >> /StmF /DefaultCryptFilter /StrF /DefaultCryptFilter',
		'stream',
	),
	'by another security handler': handler('/Filter /FOPN_fLock /V 1'),
	'by an algorithm that is not published': handler(
		'/Filter /Standard /V 3 /R 7 /O <00> /U <00> /P 0',
	),
	'by another security handler with the entries of the standard one': encrypted(
		without('r3', '/Filter', '/Other'),
	),
	'by a revision before the first': encrypted(without('r2', '/R', '1')),
	'by a revision after the last': encrypted(without('r4-rc4', '/R', '7')),
	'by a revision that is not there': encrypted(without('r3', '/R', 'null')),
	'without what verifies the user password': encrypted(without('r6', '/U')),
	'without what verifies the owner password': encrypted(without('r3', '/O')),
	'without permissions': encrypted(without('r3', '/P')),
	'with permissions in another object': encrypted(without('r3', '/P', '9 0 R')),
	'with strings that are no strings': encrypted(without('r3', '/U', '/Name')),
};
