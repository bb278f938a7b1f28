import { isInlineImage } from '../../../../nodes/DocumentWorkflow/documents/inlineImages';
import { gif, jpeg, png, withChunk } from '../../../fixtures/images';
import { growthOf, LINEAR } from '../../support/growth';

const HEAD_BYTES = 4100;

const file = (fileName: string, content: Buffer) => ({
	fileName,
	bytes: content.length,
	head: content.subarray(0, HEAD_BYTES),
});

const svg = (text: string) => Buffer.from(text, 'utf8');
const LOGO = png(180, 60);
const SVG_LOGO = svg(
	'\ufeff<?xml version="1.0"?><!-- logo --><svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><path d="M0 0h40"/></svg>',
);
const PHOTO = jpeg(4032, 3024, { exif: true, bytes: 3_000_000 });

/** A mail with an image in its text, as output by Email Trigger (IMAP) with the format Resolved, and by Gmail. */
const shown = (content: Buffer, type = 'image/png') => ({
	html: `<p>Please see attached.</p><img width="180" src="data:${type};base64,${content.toString('base64')}" alt="">`,
	text: 'Please see attached.',
	subject: 'Claim',
	attributes: { uid: 7 },
});

/** As output by Microsoft Outlook with the output Raw. */
const outlook = (content: string) => ({
	id: 'AAMk',
	subject: 'Claim',
	bodyPreview: 'Please see',
	body: { contentType: 'html', content },
	hasAttachments: true,
});

/** As output by Microsoft Outlook with the output Simplified. */
const SIMPLIFIED = {
	id: 'AAMk',
	conversationId: 'AAQk',
	subject: 'Claim',
	bodyPreview: 'Please see',
	from: 'a@example.com',
	hasAttachments: true,
};

const OUTLOOK_HTML =
	'<body><p>Please see</p><img width="180" src="cid:image001.png@01DB2F4C.5B1D7E30"></body>';

describe('a file is an inline image', () => {
	it.each([
		['a PNG that the mail shows', 'logo.png', LOGO, shown(LOGO)],
		[
			'an image whose beginning alone is known',
			'logo.png',
			png(220, 220, { noise: true }),
			undefined,
		],
		['a GIF', 'icon.gif', gif(16, 16), undefined],
		['a GIF of 1987', 'icon.gif', Buffer.from(gif(16, 16)).fill('7', 4, 5), undefined],
		['a JPEG', 'banner.jpg', jpeg(400, 125, { profile: 560, bytes: 9000 }), undefined],
		['a plain JPEG', 'banner.jpg', jpeg(400, 125, { marker: 0xc0 }), undefined],
		['a JPEG of the rarest compression', 'banner.jpg', jpeg(400, 125, { marker: 0xcf }), undefined],
		['an image of exactly 50 kB', 'banner.jpg', jpeg(400, 125, { bytes: 50_000 }), undefined],
		['an image without a name', 'attachment_0', LOGO, undefined],
	])('when it is %s in a data: address', (_, name, content, json) => {
		expect(isInlineImage(file(name, content), json ?? shown(content))).toBe(true);
	});

	it('when its size is in its first bytes, even in the last of them', () => {
		const content = jpeg(180, 60);
		const bytes = content.indexOf(Buffer.from([0xff, 0xc2])) + 9;
		const known = {
			...file('logo.jpg', content),
			head: content.subarray(0, bytes),
		};
		const unknown = { ...known, head: content.subarray(0, bytes - 1) };
		expect(isInlineImage(known, shown(content))).toBe(true);
		expect(isInlineImage(unknown, shown(content))).toBe(false);
	});

	it('when its name is in a cid: link of Outlook, in any case', () => {
		expect(isInlineImage(file('image001.png', LOGO), outlook(OUTLOOK_HTML))).toBe(true);
		expect(isInlineImage(file('Logo.PNG', LOGO), outlook('<img src="cid:logo.png">'))).toBe(true);
		expect(
			isInlineImage(file('Logo.PNG', LOGO), outlook('<img src="cid:logo.png@01DB2F4C.5B1D7E30">')),
		).toBe(true);
	});

	it('only among the first thousand images: anyone may send a mail with millions', () => {
		const html = Array.from({ length: 1_001 }, (_, n) => `<img src="cid:${n}.png">`).join('');
		const isInline = (name: string) => isInlineImage(file(name, LOGO), { html });
		expect(['0.png', '999.png', '1000.png'].map(isInline)).toEqual([true, true, false]);
	});

	it('when its name is the alternative text of a cid: link, as in Gmail', () => {
		const html = `<div><img src="cid:ii_m3q1xk2b0" alt="Logo.png" width="180"></div>`;
		expect(isInlineImage(file('Logo.png', LOGO), { textHtml: html })).toBe(true);
		expect(isInlineImage(file('Logo.png', LOGO), { textHtml: html.replaceAll('"', "'") })).toBe(
			true,
		);
		expect(
			isInlineImage(file('Logo.png', LOGO), {
				textHtml: '<img alt="Logo.png" src=cid:ii_m3q1xk2b0>',
			}),
		).toBe(true);
	});

	it('when it is an SVG that the text shows, which has no size in pixels', () => {
		expect(isInlineImage(file('logo.svg', SVG_LOGO), { html: '<img src="cid:logo.svg">' })).toBe(
			true,
		);
		expect(
			isInlineImage(file('logo.svg', svg('<svg viewBox="0 0 9 9"/>')), {
				html: '<img src="cid:logo.svg">',
			}),
		).toBe(true);
	});

	it.each(['image001.png', 'Outlook-pwxxv2xa.png'])(
		'when Outlook named it %s, and the mail has cid: links or no HTML',
		(name) => {
			expect(
				isInlineImage(
					file(name, LOGO),
					outlook('<img src="cid:0b7c2b6e-6a5e-4b0c-9f0a-000000000000">'),
				),
			).toBe(true);
			expect(isInlineImage(file(name, LOGO), SIMPLIFIED)).toBe(true);
		},
	);
});

describe('a file that the text of the mail shows is a document when it is', () => {
	it.each([
		['a photo of a camera', 'IMG_1234.jpg', PHOTO],
		[
			'a very small photo with the data of its camera',
			'image001.jpg',
			jpeg(200, 150, { exif: true, bytes: 9000 }),
		],
		['a PNG with the data of a camera', 'image001.png', withChunk(LOGO, 'eXIf')],
		['a scan of a bank card at 100 dpi', 'image001.png', png(337, 213)],
		['a snip of a table', 'image.png', png(600, 140)],
		['a tall and narrow snip', 'image.png', png(60, 401)],
		['a picture with a small area but many bytes', 'image001.png', png(224, 223, { noise: true })],
		[
			'a JPEG whose size is not in its first bytes',
			'image001.jpg',
			jpeg(100, 50, { profile: 4200 }),
		],
		['a picture of one byte more than 50 kB', 'image001.jpg', jpeg(400, 125, { bytes: 50_001 })],
		['a JPEG that gives its height at its end', 'image001.jpg', jpeg(100, 0)],
		['a JPEG without a width', 'image001.jpg', jpeg(0, 100)],
		[
			'a JPEG without its first marker',
			'image001.jpg',
			Buffer.concat([Buffer.from('??'), jpeg(180, 60).subarray(2)]),
		],
		['a truncated JPEG', 'image001.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
		[
			'a JPEG that is damaged',
			'image001.jpg',
			Buffer.from([0xff, 0xd8, 0x00, 0xc0, 0, 11, 8, 0, 50, 0, 90, 1, 1, 0x11, 0]),
		],
		['a truncated PNG', 'image001.png', LOGO.subarray(0, 20)],
		['a truncated GIF', 'image001.gif', gif(16, 16).subarray(0, 8)],
		['an empty file', 'image001.png', Buffer.alloc(0)],
		['a TIFF', 'image001.png', Buffer.from('II*\0\x08\0\0\0', 'latin1')],
		['a PDF with the name of a logo', 'image001.png', Buffer.from('%PDF-1.7\n<svg >')],
		[
			'a table as XML',
			'image001.svg',
			svg('<?xml version="1.0"?><losses><loss>1,200.00</loss></losses>'),
		],
		[
			'an HTML page with a drawing in it',
			'image001.svg',
			svg('<!doctype html><html><svg ></svg></html>'),
		],
	])('%s', (_, name, content) => {
		const json = {
			...shown(content, 'image/jpeg'),
			textHtml: `<img src="cid:${name}@01DB2F4C.5B1D7E30" alt="${name}">`,
		};
		expect(isInlineImage(file(name, content), json)).toBe(false);
	});
});

describe('a file as small as a logo is a document', () => {
	it('when the mail shows no image', () => {
		expect(
			isInlineImage(file('stamp.png', LOGO), {
				html: '<p>Please see <b>stamp.png</b></p>',
				subject: 'Claim',
			}),
		).toBe(false);
		expect(
			isInlineImage(file('image001.png', LOGO), {
				html: false,
				textAsHtml: '<p>Hello</p>',
				subject: 'Claim',
			}),
		).toBe(false);
	});

	it.each([
		['another image', png(181, 60)],
		['a shorter file with which it begins', LOGO.subarray(0, 60)],
	])('when the mail shows only %s', (_, content) => {
		expect(isInlineImage(file('stamp.png', LOGO), shown(content))).toBe(false);
	});

	it('when an image of the same length is shown that differs in one of the known bytes', () => {
		for (const [content, at] of [
			[jpeg(180, 60, { bytes: 1000 }), 999],
			[jpeg(180, 60, { bytes: 1001 }), 1000],
			[jpeg(180, 60, { bytes: 9000 }), HEAD_BYTES - 3],
		] as const) {
			const other = Buffer.from(content);
			other.writeUInt8(255 - other.readUInt8(at), at);
			expect(isInlineImage(file('stamp.jpg', content), shown(content))).toBe(true);
			expect(isInlineImage(file('stamp.jpg', content), shown(other))).toBe(false);
		}
	});

	it('when a cid: link has another name', () => {
		const html =
			'<img src="cid:ii_m3q1xk2b0" alt="logo.png"><a title="stamp.png">stamp.png</a><img src="https://example.com/x.png" alt="stamp.png">';
		expect(isInlineImage(file('stamp.png', LOGO), { html })).toBe(false);
		expect(
			isInlineImage(file('stamp.png', LOGO), {
				html: '<img src="cid:big-stamp.png@x"><img src="cid:stamp.png.old@x">',
			}),
		).toBe(false);
	});

	it.each([
		[{ fileName: 'stamp.png', id: 'b!1' }],
		[{}],
		[{ a: { b: { c: { d: { html: shown(LOGO).html } } } } }],
	])('when the item is no mail: %j', (json) =>
		expect(isInlineImage(file('image001.png', LOGO), json)).toBe(false),
	);

	it("when Outlook's mail has no text and the name is not one of Outlook's", () => {
		expect(isInlineImage(file('stamp.png', LOGO), SIMPLIFIED)).toBe(false);
		expect(isInlineImage(file('image1234.png', LOGO), SIMPLIFIED)).toBe(false);
		expect(isInlineImage(file('image001.png', LOGO), outlook('Please see'))).toBe(false);
	});
});

it('an image is searched in time in proportion to the length of a text that is crafted to be slow', async () => {
	const make = (size: number) =>
		`${'<img '.repeat(size / 10)}${'cid:'.repeat(size / 8)}${`<img src=cid:a ${'alt="a '.repeat(300)}>`.repeat(size / 10_000)}`;
	const search = (html: string) => isInlineImage(file('stamp.png', LOGO), { html });
	expect(search(make(1_000_000))).toBe(false);
	expect(await growthOf(make, search, 1_000_000)).toBeLessThan(LINEAR);
});
