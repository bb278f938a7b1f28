import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { output } from '../../../harness/n8n-execution';
import { chain, documentWorkflow, readFiles } from '../flows';
import type { World } from '../support';

const MEGABYTE = 1_000_000;
const SIZE = 200 * MEGABYTE;
/** Reading the file into n8n's own store and sending it each take some buffers; the file itself must not be among them. */
const ROOM = 160 * MEGABYTE;

/** A document that would not fit into memory a few times over. */
export function uploadSpec(world: () => World): void {
	it('a document of 200 MB is streamed: n8n grows by much less than its size', async () => {
		const { client, simulator, n8n, folder } = world();
		const file = join(folder, 'large.bin');
		const sha256 = await writeRandom(file);
		const flow = chain('Upload', readFiles(file), documentWorkflow(world(), 'create', 'any-document'));

		const before = n8n.memory();
		let peak = before;
		const sampler = setInterval(() => (peak = Math.max(peak, n8n.memory())), 20);
		const execution = await client.runToEnd(flow).finally(() => clearInterval(sampler));

		expect(execution.status).toBe('success');
		const [item] = output(execution, 'Document Workflow');
		expect(simulator.state.executions.find(String(item?.json.executionId))?.files).toEqual([
			expect.objectContaining({ fileName: 'large.bin', bytes: SIZE, sha256 }),
		]);
		const create = simulator.state.requests.all().find(({ route }) => route === 'create');
		expect(create).toMatchObject({ transferEncoding: null, contentLength: create?.bodyBytes });
		console.log(`${n8n.line}: a document of ${SIZE / MEGABYTE} MB added ${Math.round((peak - before) / MEGABYTE)} MB to n8n's ${Math.round(before / MEGABYTE)} MB.`);
		expect(peak - before).toBeLessThan(ROOM);
	});
}

/** Writes SIZE random bytes and returns their SHA-256. */
async function writeRandom(file: string): Promise<string> {
	const hash = createHash('sha256');
	const block = randomBytes(MEGABYTE);
	async function* blocks() {
		for (let written = 0; written < SIZE; written += block.length) {
			block.writeUInt32BE(written, 0);
			hash.update(block);
			yield Buffer.from(block);
		}
	}
	await pipeline(Readable.from(blocks()), createWriteStream(file));
	return hash.digest('hex');
}
