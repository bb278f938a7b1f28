import { Readable } from 'node:stream';
import type { IBinaryData } from 'n8n-workflow';

import { openDocument } from '../../../../nodes/DocumentWorkflow/documents/open';
import { HEAD_BYTES } from '../../../../nodes/DocumentWorkflow/documents/types';
import { contextOf } from '../../support/context';
import { bytesOf, sha256 } from '../../support/documents';

const PDF = Buffer.from('%PDF-1.7\npolicy');

/** Opens a file with n8n's functions. The engine tests use n8n's real stores. */
async function open(
	binary: IBinaryData,
	content: Buffer,
	opened: unknown[] = [],
	signal?: AbortSignal,
	isCompared = false,
	isWanted = true,
) {
	const context = contextOf({
		getExecutionCancelSignal: () => signal,
		helpers: {
			getBinaryMetadata: () => Promise.resolve({ fileSize: content.length }),
			getBinaryStream: (id, chunkSize) => {
				const stream = Readable.from([
					content.subarray(0, 5),
					content.subarray(5, HEAD_BYTES).toString('latin1'),
					content.subarray(HEAD_BYTES),
				]);
				opened.push([id, chunkSize, stream]);
				return Promise.resolve(stream);
			},
		},
	});
	const file = binary.id === undefined ? { ...binary, data: content.toString('base64') } : binary;
	return openDocument({ context, itemIndex: 2 }, 'data', file, isCompared, () => isWanted);
}

const stored: IBinaryData = {
	id: 'filesystem-v2:1',
	data: 'filesystem-v2',
	mimeType: 'application/pdf',
	fileName: 'policy.pdf',
};

describe('a document that n8n keeps outside the item', () => {
	it('is measured once, and opened again each time it is read', async () => {
		const opened: unknown[] = [];
		const { document, head } = await open(stored, PDF, opened);
		expect(document).toMatchObject({
			itemIndex: 2,
			fieldName: 'data',
			fileName: 'policy.pdf',
			mediaType: 'application/pdf',
			bytes: PDF.length,
			reference: 'filesystem-v2:1',
		});
		expect(head).toEqual(PDF);
		expect(opened).toHaveLength(1);
		expect([await bytesOf(document.open()), await bytesOf(document.open())]).toEqual([PDF, PDF]);
		expect(opened.map((each) => (each as unknown[])[0])).toEqual(Array(3).fill('filesystem-v2:1'));
		// A read takes as much memory as it asks for, whatever the file has.
		expect(opened.map((each) => (each as unknown[])[1])).toEqual([
			HEAD_BYTES,
			PDF.length,
			PDF.length,
		]);
	});

	it('is read no further when n8n is stopped', async () => {
		const opened: Array<[string, number, Readable]> = [];
		const stop = new AbortController();
		const content = Buffer.alloc(3 * HEAD_BYTES, 'x');
		const { document } = await open(stored, content, opened, stop.signal);
		const reading = document.open()[Symbol.asyncIterator]();
		await reading.next();
		stop.abort();
		await expect(reading.next()).rejects.toThrow('The n8n execution was stopped');
		expect(opened[1]?.[2].destroyed).toBe(true);
	});

	it('is closed after its beginning was read', async () => {
		const opened: Array<[string, number, Readable]> = [];
		const { head } = await open(stored, Buffer.alloc(2 * HEAD_BYTES, 'x'), opened);
		expect(head).toHaveLength(HEAD_BYTES);
		expect(opened.map(([, , stream]) => [stream.destroyed, stream.readableEnded])).toEqual([
			[true, false],
		]);
	});
});

describe('a document that the item holds', () => {
	const held: IBinaryData = { data: '', mimeType: 'application/octet-stream' };

	it('is read from the item, and has a hash of its content as reference', async () => {
		const { document } = await open(held, PDF);
		expect(document).toMatchObject({ bytes: PDF.length, reference: sha256(PDF) });
		expect([await bytesOf(document.open()), await bytesOf(document.open())]).toEqual([PDF, PDF]);
	});

	it('may be empty', async () => {
		const { document, head } = await open(held, Buffer.alloc(0));
		expect([document.bytes, head.length]).toEqual([0, 0]);
	});

	it.each<[string, Partial<IBinaryData>, string]>([
		['of its field, with the extension that n8n knows', { fileExtension: 'docx' }, 'data.docx'],
		[
			'of its field, with the extension of its content, where n8n knows none',
			{ fileExtension: 'bin' },
			'data.pdf',
		],
		['of its field, with the extension of its content', {}, 'data.pdf'],
		['of its field, where n8n knows an empty extension', { fileExtension: '' }, 'data.pdf'],
		['that it came with, repaired', { fileName: '../a\u0000b.pdf ' }, 'ab.pdf'],
		[
			'that it came with, of which n8n keeps a part as a folder',
			{ fileName: '2026.pdf', directory: 'COI 01/02' },
			'COI 01_02_2026.pdf',
		],
		[
			'that it came with, without a folder of a disk',
			{ fileName: '02.pdf', directory: '/data/claims 2026/01' },
			'02.pdf',
		],
		['of its field, where only a folder came', { directory: 'COI' }, 'data.pdf'],
	])('gets the name %s', async (_, given, fileName) => {
		const { document } = await open({ ...held, ...given }, PDF);
		expect(document).toMatchObject({ fileName, mediaType: 'application/pdf' });
	});
});

it.each<[string, IBinaryData]>([
	['stored', stored],
	['held', { data: '', mimeType: '' }],
])('the hash of a document covers its whole content, and is made once: %s', async (_, binary) => {
	const openings = [];
	for (const isCompared of [false, true]) {
		const opened: unknown[] = [];
		const { document, head } = await open(binary, PDF, opened, undefined, isCompared);
		const hashes = [await document.hash(), await document.hash()];
		expect([head, ...hashes]).toEqual([PDF, sha256(PDF), sha256(PDF)]);
		openings.push(opened.length);
	}
	expect(openings).toEqual(binary.id === undefined ? [0, 0] : [2, 1]);
});

it.each([
	['policy.pdf', 'policy.pdf', 0],
	['scan', 'scan.pdf', 1],
])(
	'a file that is not wanted is read only where its name may get an extension: %s',
	async (given, fileName, openings) => {
		const opened: unknown[] = [];
		const binary = { ...stored, mimeType: '', fileName: given };
		const { document } = await open(binary, PDF, opened, undefined, false, false);
		expect([document.fileName, opened.length]).toEqual([fileName, openings]);
	},
);
