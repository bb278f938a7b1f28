/** Control characters other than tabs, line ends and form feeds. In older encodings, those above 127 are letters. */
const CONTROLS = /[^\P{Cc}\t\n\f\r]/u;
const CONTROLS_OF_ASCII = /[^\P{Cc}\t\n\f\r\x80-\x9f]/u;

const WEB_PAGE =
	/^(?:\s|<\?xml[^>]*>|<!--(?:(?!-->).)*-->)*<(?:!doctype\s+html|html|head|body|script|meta|div)\b/is;
const XML = /^<\?xml\s/;
const JSON_OBJECT = /^\[?\s*\{\s*"(?:[^"\\]|\\.)*"\s*:/;

const MAIL_LINE = /^(?:[\x21-\x39\x3b-\x7e]+:|[ \t])/;
const WRITTEN_BY_PEOPLE = /^(?:from|to|subject|date|sender):/im;
/** Written notes may begin with From and To too. */
const WRITTEN_BY_MAIL_PROGRAMS =
	/^(?:received|return-path|delivered-to|message-id|mime-version|content-type|dkim-signature):/im;

/**
 * The media type of a text; undefined when it may not be text. Text in an older encoding (not UTF-8, no byte order mark) is recognized
 * only as mail, HTML or XML.
 * @param isCut whether the document is longer than the head
 */
export function textFormat(head: Buffer, isCut: boolean): string | undefined {
	if (head.length === 0) return undefined;
	const decoded = decode(head, isCut);
	const text = decoded ?? head.toString('latin1');
	if ((decoded === undefined ? CONTROLS_OF_ASCII : CONTROLS).test(text)) return undefined;
	const start = text.trimStart();
	if (isMail(start)) return 'message/rfc822';
	if (WEB_PAGE.test(start)) return 'text/html';
	if (XML.test(start)) return 'application/xml';
	if (decoded === undefined) return undefined;
	return JSON_OBJECT.test(start) ? 'application/json' : 'text/plain';
}

function decode(head: Buffer, isCut: boolean): string | undefined {
	const mark = head.toString('latin1', 0, 2);
	const encoding = mark === '\xff\xfe' ? 'utf-16le' : mark === '\xfe\xff' ? 'utf-16be' : 'utf-8';
	try {
		return new TextDecoder(encoding, { fatal: true }).decode(head, { stream: isCut });
	} catch {
		return undefined;
	}
}

function isMail(text: string): boolean {
	const [header = '', ...body] = text.replace(/^From .*\r?\n/, '').split(/\r?\n\r?\n/, 2);
	const lines = header.split(/\r?\n/);
	const wholeLines = body.length === 0 ? lines.slice(0, -1) : lines;
	return (
		wholeLines.every((line) => MAIL_LINE.test(line)) &&
		WRITTEN_BY_PEOPLE.test(header) &&
		WRITTEN_BY_MAIL_PROGRAMS.test(header)
	);
}
