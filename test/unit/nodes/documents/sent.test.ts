import { describeSent } from '../../../../nodes/DocumentWorkflow/documents/sent';
import { SentDocument } from '../../../../nodes/DocumentWorkflow/documents/sent';
import { bytesOf, documentOf, sha256 } from '../../support/documents';
import { settled } from '../../support/fakeClock';

describe('a document in a request', () => {
	it('has the name, type and size of the document', () => {
		const { name, type, size } = new SentDocument(
			documentOf('policy', { fileName: 'a.docx', mediaType: 'text/plain' }),
		);
		expect({ name, type, size }).toEqual({ name: 'a.docx', type: 'text/plain', size: 6 });
	});

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

	it('has no hash when it was aborted', async () => {
		const sent = new SentDocument(documentOf('policy'));
		for await (const chunk of sent.stream()) if (chunk.length > 0) break;
		expect(sent.sha256).toBeUndefined();
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

	it('has only the address, without the signature, when the service fetches it', () => {
		expect(describeSent([], ['https://files.example.com/a.pdf?sig=secret'])).toEqual([
			{ address: 'https://files.example.com/a.pdf' },
		]);
	});
});
