import { createHash, randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { peakWhile } from '../../../harness/memory';
import { output } from '../../../harness/n8n-execution';
import { chain, documentWorkflow, readFiles } from '../flows';
import type { Scope } from '../lines';
import type { World } from '../support';

const NODE = 'Document Workflow';
const MEGABYTE = 1_000_000;
const MINUTE = 60_000;

/**
 * Large documents. The idle peak is the most memory that n8n takes without sending: its code is loaded, it has rested,
 * and it reads the same files into its store of binary data.
 */
export function bulkSpec(world: () => World, { long }: Scope): void {
	const large = long
		? { documents: 20, megabytes: 100, growth: 150 }
		: { documents: 4, megabytes: 100, growth: 150 };
	const total = large.documents * large.megabytes;

	it(
		`streams ${total} MB in ${large.documents} documents, so that n8n grows by less than ${large.growth} MB`,
		async () => {
			const { client, simulator, n8n, folder } = world();
			const create = documentWorkflow(world(), 'create', 'any-document', {
				maximumInParallel: 8,
			});
			await writeFile(join(folder, 'bulk-small.txt'), 'Policy Number: CPP-1');
			const small = chain('Small', readFiles(join(folder, 'bulk-small.txt')), create);
			for (let run = 0; run < 3; run++)
				expect((await client.runToEnd(small)).status).toBe('success');

			// While they are written, n8n rests and frees what its start took.
			const names = Array.from(
				{ length: large.documents },
				(_, index) => `bulk-${String(index).padStart(2, '0')}.bin`,
			);
			const sha256 = new Map<string, string>();
			for (const name of names) {
				const content = randomBytes(large.megabytes * MEGABYTE);
				sha256.set(name, createHash('sha256').update(content).digest('hex'));
				await writeFile(join(folder, name), content);
			}
			const read = readFiles(join(folder, 'bulk-*.bin'));
			try {
				const rest = n8n.memory();
				const idle = await peakWhile(n8n.main.pid(), async () =>
					client.runToEnd(chain('Read only', read), 5 * MINUTE),
				);
				expect(idle.result.status).toBe('success');
				const sending = await peakWhile(n8n.main.pid(), async () =>
					client.runToEnd(chain('Read and send', read, create), 5 * MINUTE),
				);
				expect(sending.result.status).toBe('success');
				const sent = output(sending.result, NODE).map(({ json: { executionId, documents } }) => ({
					executionId,
					documents,
				}));
				expect(sent).toHaveLength(large.documents);
				for (const { executionId, documents } of sent) {
					const [file] = simulator.state.executions.find(String(executionId))?.files ?? [];
					expect(file).toMatchObject({
						bytes: large.megabytes * MEGABYTE,
						sha256: sha256.get(file?.fileName ?? ''),
					});
					expect(documents).toEqual([
						expect.objectContaining({ fileName: file?.fileName, sha256: file?.sha256 }),
					]);
					sha256.delete(file?.fileName ?? '');
				}
				expect([...sha256]).toEqual([]);
				for (const { transferEncoding, contentLength, bodyBytes } of simulator.state.requests
					.all()
					.filter(({ route }) => route === 'create')) {
					expect({ transferEncoding, contentLength }).toEqual({
						transferEncoding: null,
						contentLength: bodyBytes,
					});
				}
				const added = sending.bytes - idle.bytes;
				console.log(
					`${n8n.line}: sending ${total} MB in ${large.documents} documents added ${megabytes(added)} MB to the idle peak of ${megabytes(idle.bytes)} MB (${megabytes(rest)} MB at rest).`,
				);
				expect(added).toBeLessThan(large.growth * MEGABYTE);
			} finally {
				await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
			}
		},
		12 * MINUTE,
	);
}

function megabytes(bytes: number): number {
	return Math.round(bytes / MEGABYTE);
}
