import { Readable } from 'node:stream';
import type { IBinaryData, IExecuteFunctions, INode } from 'n8n-workflow';

import { documentsOf, readFieldNames } from '../../../nodes/DocumentWorkflow/documents/inputDocuments';
import { createBody } from '../../../nodes/DocumentWorkflow/documents/multipart';
import type { FilePart } from '../../../service/http';

async function bytesOf(part: FilePart): Promise<string> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of part.stream()) chunks.push(chunk);
	return Buffer.concat(chunks).toString('utf8');
}

const part = (text: string): FilePart => ({
	name: 'a.txt',
	type: 'text/plain',
	size: text.length,
	stream: async function* () {
		yield Buffer.from(text);
	},
});

describe('the names of input fields', () => {
	it.each([
		['data', ['data']],
		[' data , attachment_0,', ['data', 'attachment_0']],
		['a,a, b', ['a', 'b']],
		['', []],
		[' , ', []],
		[['a', 'b, c'], ['a', 'b', 'c']],
		[null, []],
	])('in %j are %j', (given, names) => expect(readFieldNames(contextOf(given), 0)).toEqual(names));

	it.each([[{ id: 'filesystem-v2:1', mimeType: 'application/pdf' }], [7], [['data', 7]]])('are not in %j', (given) => {
		expect(() => readFieldNames(contextOf(given), 0)).toThrow("'Input Data Field Name' must be the name of a field");
	});

	function contextOf(given: unknown): IExecuteFunctions {
		const node: INode = { id: '1', name: 'N', type: 't', typeVersion: 1, position: [0, 0], parameters: {} };
		const context = { getNode: () => node, getNodeParameter: () => given } as Partial<IExecuteFunctions>;
		return context as IExecuteFunctions;
	}
});

describe('the body of a create', () => {
	it('gives the same parts each time it is sent', async () => {
		const body = createBody([part('one'), part('two')], { number: 1 });
		for (let time = 0; time < 2; time++) {
			const entries = [...body];
			expect(entries.map(([name]) => name)).toEqual(['files', 'files', 'user_inputs']);
			const texts = await Promise.all(entries.map(async ([, entry]) => (typeof entry === 'string' ? entry : bytesOf(entry))));
			expect(texts).toEqual(['one', 'two', '{"number":1}']);
		}
		expect([...body.entries()]).toEqual([...body]);
	});

	it('has no part for text inputs where there are none', () => {
		expect([...createBody([part('one')], {})].map(([name]) => name)).toEqual(['files']);
	});

	it('is taken for a form by n8n', () => {
		expect(Object.prototype.toString.call(createBody([], { a: 'b' }))).toBe('[object FormData]');
	});
});

describe('a document that n8n keeps outside the item', () => {
	/** Of n8n only what a stored file needs: the store of files itself is n8n's in the engine tests. */
	function contextWith(binary: IBinaryData, chunks: Array<string | Buffer>, opened: Array<number | undefined>): IExecuteFunctions {
		const helpers: Partial<IExecuteFunctions['helpers']> = {
			assertBinaryData: () => binary,
			getBinaryMetadata: () => Promise.resolve({ fileSize: chunks.join('').length }),
			getBinaryStream: (_id, chunkSize) => {
				opened.push(chunkSize);
				return Promise.resolve(Readable.from(chunks));
			},
		};
		const context: Partial<IExecuteFunctions> = {
			getInputData: () => [{ json: {}, binary: { data: binary } }],
			helpers: helpers as IExecuteFunctions['helpers'],
		};
		return context as IExecuteFunctions;
	}

	it('is opened anew every time it is sent, and never before', async () => {
		const opened: Array<number | undefined> = [];
		const context = contextWith({ id: 'filesystem-v2:1', data: 'filesystem-v2', mimeType: '' }, ['text ', Buffer.from('bytes')], opened);
		const [document] = await documentsOf(context, 0, ['data']);
		expect(document).toMatchObject({ name: 'data', type: 'application/octet-stream', size: 10 });
		expect(opened).toEqual([]);
		if (document === undefined) return;
		expect([await bytesOf(document), await bytesOf(document)]).toEqual(['text bytes', 'text bytes']);
		expect(opened).toEqual([1024 * 1024, 1024 * 1024]);
	});
});
