import type { Skip } from '../about';

/** A kind of file: how it is known, and whether it is sent. */
interface Kind {
	/** What it is, as people call it, or why it is not sent. */
	is: string | Skip;
	/** Names of its media type, the one to send first. */
	types: string[];
	/** The usual one first. */
	extensions: string[];
	/** Its first bytes as Latin-1, where they tell it from other kinds. */
	begins?: RegExp;
}

/** How many bytes of a document's beginning are inspected. */
export const HEAD_BYTES = 4100;

const ZIP = 'application/zip';
const OLE = 'application/vnd.ms-office';
const TNEF = 'application/ms-tnef';
const OOXML = 'application/vnd.openxmlformats-officedocument';
const ODF = 'application/vnd.oasis.opendocument';
const MACROS = 'macroenabled.12';

const PDF = 'a PDF';
const IMAGE = 'an image';
const OFFICE = 'an Office file';
const ARCHIVE = 'a ZIP archive';
const TEXT = 'text';

const OUTLOOK: Skip = { reason: 'outlook' };
const PROTECTED: Skip = { reason: 'protectedMail' };
const SIGNATURE: Skip = { reason: 'signature' };
const CALENDAR: Skip = { reason: 'calendar' };
const CONTACT: Skip = { reason: 'contact' };
const REPORT: Skip = { reason: 'deliveryReport' };

const starting = (...signatures: string[]) => new RegExp(`^(?:${signatures.join('|')})`, 's');

const PK = starting('PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08');
/** Encrypted: as text, or from its first packet on, which has the session key for a recipient or for a password. */
const PGP_MESSAGE = starting(
	'\\s*-----BEGIN PGP MESSAGE',
	'[\x84\x85\xc1]..?\x03.{8}[\x01\x02\x10\x12\x19\x1a]',
	'[\x8c\xc3].\x04[\x01-\r]\x03[\x01-\x0e]',
);
const PGP_SIGNATURE = /^\s*-----BEGIN PGP (?:SIGNATURE|PUBLIC KEY)/;
const REPORTING = /^\s*(?:Original-Envelope-Id|Reporting-(?:MTA|UA)):/i;

/** S/MIME, encrypted or signed together with its content. A signature alone has no content behind the name of its type. */
const PKCS7 = '\x06\t\\*\x86H\x86\xf7\r\x01\x07';
const GCM = '\x06\v\\*\x86H\x86\xf7\r\x01\t\x10\x01\x17';
const SIGNED = `${PKCS7}\x02(?!.{0,99}?0\v${PKCS7}\x01)(?=.{0,99}?${PKCS7}\x01\xa0)`;
const SMIME = new RegExp(`^0.{1,5}?(?:${PKCS7}\x03|${GCM}|${SIGNED})`, 's');

/** The same as text: the first line of PEM, if any, and base64 of DER. */
const BASE64 = /^\s*(?:-----BEGIN [\w #]+-----\s+)?(MI[\w+/\s]+)/;

/** All that is known of files. A type in two rows belongs to the later one. Many kinds are ZIP or OLE within. */
const KINDS: Kind[] = (
	[
		[PDF, 'application/pdf application/x-pdf', 'pdf', /^\s*%PDF-/],
		[IMAGE, 'image/jpeg image/jpg image/pjpeg', 'jpg jpeg jpe jfif pjpeg pjp', /^\xff\xd8\xff/],
		[IMAGE, 'image/png image/x-png', 'png', starting('\x89PNG\r\n\x1a\n')],
		[IMAGE, 'image/gif', 'gif', /^GIF8[79]a/],
		[IMAGE, 'image/tiff image/x-tiff', 'tif tiff', /^(?:II[*+]\0|MM\0[*+])/],
		// Text may begin with "BM" too. The size of a header follows.
		[IMAGE, 'image/bmp image/x-ms-bmp', 'bmp dib', /^BM.{12}[\f(48@l|]\0{3}/s],
		[IMAGE, 'image/webp', 'webp', /^RIFF.{4}WEBP/s],
		// Brands in the first box of a phone's photo distinguish it from a video.
		[IMAGE, 'image/avif', 'avif', /^.{4}ftyp(?:.{4})*?avi[fs]/s],
		[IMAGE, 'image/heic', 'heic hif', /^.{4}ftyp(?:.{4})*?he(?:i[cmsx]|v[cx])/s],
		[IMAGE, 'image/heif', 'heif', /^.{4}ftyp(?:.{4})*?m[is]f1/s],
		[OFFICE, OLE, '', starting('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')],
		[ARCHIVE, `${ZIP} application/x-zip application/x-zip-compressed`, 'zip', PK],
		[OFFICE, `${OOXML}.wordprocessingml.document`, 'docx'],
		[OFFICE, `${OOXML}.wordprocessingml.template`, 'dotx'],
		[OFFICE, `${OOXML}.spreadsheetml.sheet`, 'xlsx'],
		[OFFICE, `${OOXML}.spreadsheetml.template`, 'xltx'],
		[OFFICE, `${OOXML}.presentationml.presentation`, 'pptx'],
		[OFFICE, `${OOXML}.presentationml.slideshow`, 'ppsx'],
		[OFFICE, `${OOXML}.presentationml.template`, 'potx'],
		[OFFICE, `application/vnd.ms-word.document.${MACROS}`, 'docm'],
		[OFFICE, `application/vnd.ms-word.template.${MACROS}`, 'dotm'],
		[OFFICE, `application/vnd.ms-excel.sheet.${MACROS}`, 'xlsm'],
		[OFFICE, `application/vnd.ms-excel.template.${MACROS}`, 'xltm'],
		[OFFICE, `application/vnd.ms-excel.sheet.binary.${MACROS}`, 'xlsb'],
		[OFFICE, `application/vnd.ms-excel.addin.${MACROS}`, 'xlam'],
		[OFFICE, `application/vnd.ms-powerpoint.presentation.${MACROS}`, 'pptm'],
		[OFFICE, `application/vnd.ms-powerpoint.slideshow.${MACROS}`, 'ppsm'],
		[OFFICE, `application/vnd.ms-powerpoint.template.${MACROS}`, 'potm'],
		[OFFICE, 'application/msword', 'doc dot wbk'],
		[OFFICE, 'application/vnd.ms-excel', 'xls xlt xla xlc xlm xlw'],
		[OFFICE, 'application/vnd.ms-powerpoint', 'ppt pot pps ppa'],
		[OFFICE, 'application/vnd.ms-outlook', 'msg oft'],
		[OFFICE, 'application/vnd.ms-visio.drawing', 'vsdx'],
		[OFFICE, 'application/vnd.visio', 'vsd'],
		[OFFICE, 'application/x-mspublisher application/vnd.ms-publisher', 'pub'],
		[OFFICE, `${ODF}.text`, 'odt'],
		[OFFICE, `${ODF}.spreadsheet`, 'ods'],
		[OFFICE, `${ODF}.presentation`, 'odp'],
		[OFFICE, `${ODF}.graphics`, 'odg'],
		[TEXT, 'application/rtf text/rtf', 'rtf'],
		[TEXT, 'message/rfc822 multipart/related', 'mht mhtml'],
		[TEXT, 'message/rfc822', 'eml'],
		[TEXT, 'image/svg+xml', 'svg'],
		[TEXT, 'text/html application/xhtml+xml', 'html htm shtml xhtml xht'],
		[TEXT, 'application/xml text/xml', 'xml'],
		[TEXT, 'application/json text/json', 'json'],
		[TEXT, 'text/csv', 'csv'],
		[TEXT, 'text/tab-separated-values', 'tsv tab'],
		[TEXT, 'text/plain', 'txt text log'],
		[OUTLOOK, `${TNEF} application/vnd.ms-tnef application/x-ms-tnef`, '', /^x\x9f>"/],
		[PROTECTED, 'application/x-microsoft-rpmsg-message', 'rpmsg', starting('v\xe8\x04`\xc4\x11')],
		[PROTECTED, 'application/pkcs7-mime application/x-pkcs7-mime', 'p7m p7c p7z', SMIME],
		[PROTECTED, 'application/pgp-encrypted application/pgp', 'pgp gpg', PGP_MESSAGE],
		[SIGNATURE, 'application/pkcs7-signature application/x-pkcs7-signature', 'p7s'],
		[SIGNATURE, 'application/pgp-signature application/pgp-keys', 'sig', PGP_SIGNATURE],
		[CALENDAR, 'text/calendar application/ics text/x-vcalendar', 'ics vcs', /^\s*BEGIN:VCALENDAR/i],
		[CONTACT, 'text/vcard text/x-vcard text/directory', 'vcf vcard', /^\s*BEGIN:VCARD/i],
		[REPORT, 'message/delivery-status message/disposition-notification', '', REPORTING],
		[REPORT, 'message/feedback-report text/rfc822-headers', ''],
	] satisfies Array<[is: Kind['is'], types: string, extensions: string, begins?: RegExp]>
).map(([is, types, extensions, begins]) => ({
	is,
	types: types.split(' '),
	extensions: extensions.split(' ').filter(Boolean),
	begins,
}));

const byType = new Map(KINDS.flatMap((kind) => kind.types.map((type) => [type, kind])));
const byExtension = new Map(KINDS.flatMap((kind) => kind.extensions.map((each) => [each, kind])));

/** The kind that the first bytes show; undefined for most texts, and for what is not known. */
export function kindWithin(head: Buffer): Kind | undefined {
	const all = head.toString('latin1').replace(/^\xef\xbb\xbf/, '');
	// Behind its first box, a photo may contain anything.
	const begin = all.startsWith('ftyp', 4) ? all.slice(0, head.readUInt32BE(0)) : all;
	const der = Buffer.from(BASE64.exec(all)?.[1] ?? '', 'base64').toString('latin1');
	return KINDS.find(({ begins }) => (begins === SMIME && SMIME.test(der)) || begins?.test(begin));
}

export function kindNamed(fileName: string): Kind | undefined {
	const isWinmail = /^winmail.*\.dat$/i.test(fileName);
	return isWinmail ? byType.get(TNEF) : byExtension.get(extensionIn(fileName));
}

const CONTAINERS = new Set([byType.get(ZIP), byType.get(OLE)]);

function skipOf(kind: Kind | undefined): Skip | undefined {
	return typeof kind?.is === 'object' ? kind.is : undefined;
}

/** The text after the last dot of a file name, in lower case; empty without a dot. */
export function extensionIn(fileName: string): string {
	return (/\.([^.]*)$/.exec(fileName)?.[1] ?? '').trimEnd().toLowerCase();
}

/** In lower case, without parameters. Takes the first when a header was sent twice. */
function bare(mediaType: unknown): string {
	const [type = ''] = String(mediaType).split(/[;,]/, 1);
	return type.trim().toLowerCase();
}

/** For files of unknown type. */
const ANY = 'application/octet-stream';

/** Registered and private types, but not "unknown/unknown" or "pdf". */
const MEDIA_TYPE =
	/^(?:application|audio|chemical|font|image|message|model|multipart|text|video|x-[a-z0-9-]+)\/[a-z0-9][\w.+-]*$/;

/** Used by programs for files of unknown type. */
const SOME_FILE =
	/\/(?:x-)?(?:octet(?:-?stream)?|binary|unknown|unknown-content-type|(?:force-?)?download|file|save|data)$/;

/** The media type to send: that of the first bytes, else that of the extension if its kind may have such content, else the stated one. */
export function mediaTypeOf(given: string | undefined, fileName: string, head: Buffer): string {
	const found = kindWithin(head);
	if (found !== undefined && !CONTAINERS.has(found) && !skipOf(found)) return typeToSend(found);
	const stated = bare(given);
	// n8n gives text/plain to every file of unknown type.
	const isGuess = stated === 'text/plain' && found !== undefined;
	const isStated = MEDIA_TYPE.test(stated) && !SOME_FILE.test(stated) && !isGuess;
	const named = kindNamed(fileName);
	if (named === undefined) return isStated ? stated : ANY;
	if (!isStated || mayBe(named, found, head)) return typeToSend(named, stated);
	const other = byType.get(stated);
	const saysLittle = other === undefined || CONTAINERS.has(other);
	return saysLittle && named.is === OFFICE ? typeToSend(named) : stated;
}

/** Whether a file may be of the kind that its name says. */
function mayBe(named: Kind, found: Kind | undefined, head: Buffer): boolean {
	if (found !== undefined) return named.is === OFFICE || named === found;
	if (named.is === TEXT)
		return !head.includes(0) || ['fffe', 'feff'].includes(head.toString('hex', 0, 2));
	return named.is !== OFFICE && !CONTAINERS.has(named);
}

/** The stated name of a kind's type, if it is a registered one; otherwise its usual name. */
function typeToSend({ types, extensions }: Kind, stated = ''): string {
	const [usual = ANY] = types;
	const isRegistered = types.includes(stated) && !stated.includes('/x-');
	return isRegistered || stated.endsWith(`+${extensions[0]}`) ? stated : usual;
}

/** Why a file is not sent, by its first bytes, its name, or the stated type; undefined for a document. */
export function skipByKind(given: string | undefined, fileName: string, head: Buffer) {
	const found = kindWithin(head);
	const stated = found === undefined ? byType.get(bare(given)) : undefined;
	return skipOf([found, kindNamed(fileName), stated].find(skipOf));
}

/** PDF readers search for the header in the first 1,024 bytes, because servers and scanners may add lines before it. */
const PDF_HEADER = /%PDF-\d\.\d\s/;

/** Why a PDF or an image is not what its name says. An image may be named as one of another format: image readers accept that. */
export function contradiction(fileName: string, head: Buffer): string | undefined {
	const claimed = kindNamed(fileName)?.is;
	if (claimed !== PDF && claimed !== IMAGE) return undefined;
	const found = kindWithin(head)?.is;
	if (found === claimed) return undefined;
	const begin = head.toString('latin1', 0, 1024);
	if (claimed === PDF && PDF_HEADER.test(begin)) return undefined;
	return `it is named as ${claimed}, but is ${typeof found === 'string' ? found : 'not one'}`;
}

/** The usual extension of a media type, without a dot; undefined when it is not known. */
export function extensionOf(mediaType: string): string | undefined {
	return byType.get(bare(mediaType))?.extensions[0];
}

/** Types that are used for documents of many extensions, more than are known here. */
export function isGeneral(mediaType: string): boolean {
	return ['txt', 'zip', 'xml', 'json', 'pgp', 'sig'].includes(extensionOf(mediaType) ?? '');
}
