import { MOST_READ_BYTES } from '../../../../nodes/DocumentWorkflow/documents/open';
import { describeSent, SentDocument } from '../../../../nodes/DocumentWorkflow/documents/sent';
import { time } from '../../../../nodes/DocumentWorkflow/connection/time';
import { bytesOf, documentOf, sha256 } from '../../support/documents';
import { settled } from '../../support/fakeClock';

describe('a document in a request', () => {
	it('has the hash of the sent bytes after all are sent, and a new one when it is sent again', async () => {
		const contents = ['policy', 'claims'];
		const document = documentOf('policy', {
			open: async function* () {
				yield Buffer.from(contents.shift() ?? '');
			},
		});
		const sent = new SentDocument(document);
		expect(sent.sha256).toBeUndefined();
		const first = sent.stream()[Symbol.asyncIterator]();
		expect(await first.next()).toEqual({ done: false, value: Buffer.from('policy') });
		expect(sent.sha256).toBeUndefined();
		await first.next();
		expect(sent.sha256).toBe(sha256('policy'));
		const second = sent.stream()[Symbol.asyncIterator]();
		await second.next();
		expect(sent.sha256).toBeUndefined();
		await second.next();
		expect(sent.sha256).toBe(sha256('claims'));
	});

	it('closes its file when it is closed, and when it is sent again', async () => {
		const open = new Set<number>();
		let number = 0;
		const document = documentOf('policy', {
			open: async function* () {
				const mine = number++;
				open.add(mine);
				try {
					yield Buffer.from('pol');
					yield Buffer.from('icy');
				} finally {
					open.delete(mine);
				}
			},
		});
		const sent = new SentDocument(document);
		sent.close();
		await sent.stream()[Symbol.asyncIterator]().next();
		expect([...open]).toEqual([0]);
		await sent.stream()[Symbol.asyncIterator]().next();
		expect([...open]).toEqual([1]);
		sent.close();
		await settled();
		expect([...open]).toEqual([]);
		expect(sent.sha256).toBeUndefined();
		expect(await bytesOf(sent.stream())).toEqual(Buffer.from('policy'));
	});

	it('closes its file when it is read no further, or has the wrong size', async () => {
		let closed = 0;
		const open = async function* () {
			try {
				yield Buffer.from('policy');
				yield Buffer.from('!');
			} finally {
				closed++;
			}
		};
		for await (const chunk of new SentDocument(documentOf('policy', { bytes: 7, open })).stream())
			if (chunk.length > 0) break;
		expect(closed).toBe(1);
		const longer = new SentDocument(documentOf('policy', { bytes: 6, open }));
		await expect(bytesOf(longer.stream())).rejects.toMatchObject({ code: 'EIO' });
		expect(closed).toBe(2);
	});

	it('is read to its end when it is sent again while an ended request still reads it', async () => {
		const sent = new SentDocument(documentOf('policy'));
		const first = sent.stream()[Symbol.asyncIterator]();
		await first.next();
		const second = sent.stream();
		await expect(first.next()).rejects.toThrow('The request has ended');
		expect(await bytesOf(second)).toEqual(Buffer.from('policy'));
	});

	it('can be closed when its file needs no closing', async () => {
		const sent = new SentDocument(
			documentOf('policy', {
				open: () => ({
					[Symbol.asyncIterator]: () => ({
						next: async () => Promise.resolve({ done: false, value: Buffer.from('p') }),
					}),
				}),
			}),
		);
		await sent.stream()[Symbol.asyncIterator]().next();
		expect(() => sent.close()).not.toThrow();
	});

	it('is handed over in pieces, of which only the last is held back for a moment', async () => {
		const [most, rest] = [MOST_READ_BYTES, 100];
		const bytes = 3 * most + rest;
		const document = documentOf('policy', {
			bytes,
			open: async function* () {
				yield Buffer.alloc(most + rest);
				yield Buffer.alloc(2 * most);
			},
		});
		const seen: Array<number | string> = [];
		const sleep = jest.spyOn(time, 'sleep').mockImplementation(async (milliseconds) => {
			seen.push(`${milliseconds} ms`);
			return Promise.resolve();
		});
		try {
			const sent = new SentDocument(document);
			sent.begin(() => seen.push('read'));
			for await (const piece of sent.stream()) seen.push(piece.length);
		} finally {
			sleep.mockRestore();
		}
		expect(seen).toEqual([most, rest, most, '20 ms', most, 'read']);
	});

	it('counts as read once its last byte was handed over, and no longer when an attempt begins', async () => {
		const sent = new SentDocument(documentOf('policy'));
		expect(sent.isRead).toBe(false);
		await bytesOf(sent.stream());
		expect(sent.isRead).toBe(true);
		sent.begin(() => undefined);
		expect(sent.isRead).toBe(false);
	});

	it('can be closed even if closing its file fails', async () => {
		const document = documentOf('policy', {
			open: () => ({
				[Symbol.asyncIterator]: () => ({
					next: async () => Promise.resolve({ done: false, value: Buffer.from('p') }),
					return: async () => Promise.reject(new Error('EIO')),
				}),
			}),
		});
		const sent = new SentDocument(document);
		await sent.stream()[Symbol.asyncIterator]().next();
		expect(() => sent.close()).not.toThrow();
		await settled();
	});

	it.each([
		['shorter', 7],
		['longer', 5],
		['longer by far', 0],
	])('fails as an unreadable file when it is %s than n8n said', async (_, bytes) => {
		const sent = new SentDocument(documentOf('policy', { bytes }));
		await expect(bytesOf(sent.stream())).rejects.toMatchObject({
			code: 'EIO',
			message: 'The document does not have the size that n8n reported',
		});
		expect(sent.sha256).toBeUndefined();
	});

	it.each(['ENOENT', 'ECONNRESET', ''])(
		'fails as one that n8n could not read: %s',
		async (code) => {
			const next = async () => Promise.reject(Object.assign(new Error('gone'), { code }));
			const open = () => ({ [Symbol.asyncIterator]: () => ({ next }) });
			const read = bytesOf(new SentDocument(documentOf('policy', { open })).stream());
			await expect(read).rejects.toMatchObject({ code: code === 'ENOENT' ? code : 'EIO' });
		},
	);

	it('never sends more bytes than announced, because they would complete the request', async () => {
		const sent = new SentDocument(documentOf('policy', { bytes: 4 }));
		let given = 0;
		const read = async () => {
			for await (const chunk of sent.stream()) given += chunk.length;
		};
		await expect(read()).rejects.toMatchObject({ code: 'EIO' });
		expect(given).toBe(3);
	});
});

describe('the description of a sent document', () => {
	it('has name, type, size, hash, item and field', async () => {
		const sent = new SentDocument(
			documentOf('policy', { itemIndex: 2, fieldName: 'attachment_1' }),
		);
		const description = {
			fileName: 'policy.pdf',
			mediaType: 'application/pdf',
			bytes: 6,
			itemIndex: 2,
			fieldName: 'attachment_1',
		};
		expect(describeSent([sent], [])).toEqual([{ ...description, sha256: null }]);
		await bytesOf(sent.stream());
		expect(describeSent([sent], [])).toEqual([{ ...description, sha256: sha256('policy') }]);
	});

	it('says of a PDF that it is encrypted, by the bytes of the last attempt', async () => {
		const encryptedOf = async (mediaType: string, ...contents: string[]) => {
			const open = async function* () {
				yield Buffer.from(contents.shift() ?? '');
			};
			const sent = new SentDocument(documentOf('', { mediaType, bytes: 8, open }));
			while (contents.length > 0) await bytesOf(sent.stream());
			return describeSent([sent], [])[0]?.encrypted;
		};
		expect(await encryptedOf('application/pdf', '/Encrypt')).toBe(true);
		expect(await encryptedOf('application/pdf', '/Encrypt', '/Encoded')).toBeUndefined();
		expect(await encryptedOf('text/plain', '/Encrypt')).toBeUndefined();
	});

	it('has only the address, without the signature, when the service fetches it', () => {
		expect(describeSent([], ['https://files.example.com/a.pdf?sig=secret'])).toEqual([
			{ address: 'https://files.example.com/a.pdf' },
		]);
	});
});
