import {
	bare,
	IMAGE,
	isContainer,
	type Kind,
	kindNamed,
	kindOfType,
	kindWithin,
	leftOut,
	type LeftOut,
	OFFICE,
	PDF,
	TEXT,
} from './kinds';

/** For files of unknown type. */
const ANY = 'application/octet-stream';

/** Registered and private types, but not "unknown/unknown" or "pdf". */
const MEDIA_TYPE =
	/^(?:application|audio|chemical|font|image|message|model|multipart|text|video|x-[a-z0-9-]+)\/[a-z0-9][\w.+-]*$/;

/** Used by programs for files of unknown type. */
const SOME_FILE =
	/\/(?:x-)?(?:octet(?:-?stream)?|binary|unknown|unknown-content-type|(?:force-?)?download|file|save|data)$/;

/**
 * The media type to send: that of the first bytes if they tell it; that of the extension if its kind may have such content; otherwise
 * the stated one. One that says little gives way to the extension of an Office file.
 */
export function mediaTypeOf(given: string | undefined, fileName: string, head: Buffer): string {
	const found = kindWithin(head);
	if (found !== undefined && !isContainer(found) && !leftOut(found)) return typeIn(found);
	const stated = bare(given ?? '');
	// n8n gives text/plain to every file of unknown type.
	const isGuess = stated === 'text/plain' && found !== undefined;
	const isStated = MEDIA_TYPE.test(stated) && !SOME_FILE.test(stated) && !isGuess;
	const named = kindNamed(fileName);
	if (named === undefined) return isStated ? stated : ANY;
	if (!isStated || mayBe(named, found, head)) return typeIn(named, stated);
	const other = kindOfType(stated);
	const saysLittle = other === undefined || isContainer(other);
	return saysLittle && named.is === OFFICE ? typeIn(named) : stated;
}

/** Whether a file may be of the kind that its name says. */
function mayBe(named: Kind, found: Kind | undefined, head: Buffer): boolean {
	if (found !== undefined) return named.is === OFFICE || named === found;
	if (named.is === TEXT) return !head.includes(0) || UTF_16.test(head.toString('latin1', 0, 2));
	return named.is !== OFFICE && !isContainer(named);
}

const UTF_16 = /^(?:\xff\xfe|\xfe\xff)/;

/** The stated name of a kind's type, if it is a registered one; otherwise its usual name. */
function typeIn({ types, extensions }: Kind, stated = ''): string {
	const isRegistered = types.includes(stated) && !stated.includes('/x-');
	return isRegistered || stated.endsWith(`+${extensions[0]}`) ? stated : (types[0] ?? ANY);
}

/** Why a file is not sent, by its first bytes, its name, or the stated type; undefined for a document. */
export function leftOutAs(
	given: string | undefined,
	fileName: string,
	head: Buffer,
): LeftOut | undefined {
	const found = kindWithin(head);
	const stated = found === undefined ? kindOfType(given ?? '') : undefined;
	return leftOut([found, kindNamed(fileName), stated].find(leftOut));
}

/** PDF readers search for the header in the first 1,024 bytes, because servers and scanners may add lines before it. */
const PDF_HEADER = /%PDF-\d\.\d\s/;
const PDF_HEADER_WITHIN_BYTES = 1024;

/**
 * Why a file is not what its name says; undefined if it may be. Only PDFs and images are known by their first bytes. An
 * image may have the extension of another image format, because image readers accept that.
 */
export function contradiction(fileName: string, head: Buffer): string | undefined {
	const claimed = kindNamed(fileName)?.is;
	if (claimed !== PDF && claimed !== IMAGE) return undefined;
	const found = kindWithin(head)?.is;
	if (found === claimed) return undefined;
	const begin = head.toString('latin1', 0, PDF_HEADER_WITHIN_BYTES);
	if (claimed === PDF && PDF_HEADER.test(begin)) return undefined;
	return `its name says ${claimed}, but its content is ${typeof found === 'string' ? found : 'not'}`;
}

/** The usual extension of a media type, without a dot; undefined when it is not known. */
export function extensionOf(mediaType: string): string | undefined {
	return kindOfType(mediaType)?.extensions[0];
}

/** Types that are used for documents of many extensions, more than are known here. */
const GENERAL = ['txt', 'zip', 'xml', 'json', 'pgp', 'sig'];

export function isGeneral(mediaType: string): boolean {
	return GENERAL.includes(extensionOf(mediaType) ?? '');
}
