import { createHash, randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { peakWhile } from '../../../harness/memory';
import { output } from '../../../harness/n8n-execution';
import { chain, documentWorkflow, node, readFiles, split, type NodeJson } from '../flows';
import type { Scope } from '../lines';
import type { World } from '../support';

const NODE = 'Document Workflow';
const MEGABYTE = 1_000_000;
const MINUTE = 60_000;

/**
 * Large and many documents. The idle peak is the most memory that n8n takes without sending: its code is loaded, it has rested,
 * and it reads the same files into its store of binary data.
 */
export function bulkSpec(world: () => World, { differencesOnly, long }: Scope): void {
	const large = long
		? { documents: 20, megabytes: 100, growth: 150 }
		: { documents: 4, megabytes: 100, growth: 150 };
	const total = large.documents * large.megabytes;
	const many = long ? 5000 : 240;

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

	if (differencesOnly) return;

	it(
		`starts one execution for each of ${many} small documents while one create in twenty fails`,
		async () => {
			const { client, simulator, n8n } = world();
			const before = simulator.state.executions.all().length;
			// Of every 60 creates one gets 429, one meets a service that is down for a moment, and one loses its token.
			simulator.state.faults.add({
				route: 'create',
				requests: { from: 20, every: 60 },
				action: { type: 'status', status: 429, retryAfter: 0 },
			});
			simulator.state.faults.add({
				route: 'create',
				requests: { from: 40, every: 60 },
				action: { type: 'status', status: 503, retryAfter: 0 },
			});
			simulator.state.faults.add({
				route: 'create',
				requests: { from: 60, every: 60 },
				action: { type: 'status', status: 401 },
			});
			const flow = chain(
				'Many',
				texts(many),
				split(),
				node('Files', 'n8n-nodes-base.convertToFile', 1.1, {
					operation: 'toText',
					sourceProperty: 'text',
					options: { fileName: '={{ $json.name }}' },
				}),
				documentWorkflow(world(), 'create', 'any-document', { inputDataFieldName: '*' }),
			);
			const began = Date.now();
			const execution = await client.runToEnd(flow, 8 * MINUTE);
			const seconds = (Date.now() - began) / 1000;
			expect(execution.error?.message).toBeUndefined();
			const items = output(execution, NODE).map(({ json }) => json);
			const started = simulator.state.executions.all().slice(before);
			const creates = simulator.state.requests.all().filter(({ route }) => route === 'create');
			const failed = creates.filter(({ status }) => status !== 200).length;
			expect(failed / creates.length).toBeCloseTo(1 / 20, 2);
			expect(started).toHaveLength(many);
			expect(new Set(started.map(({ files }) => files[0]?.sha256)).size).toBe(many);
			expect(
				items.map(
					({ executionId }) =>
						simulator.state.executions.find(String(executionId))?.files[0]?.fileName,
				),
			).toEqual(Array.from({ length: many }, (_, index) => `small-${index}.txt`));
			console.log(
				`${n8n.line}: ${many} documents in ${seconds.toFixed(0)} s, ${creates.length} creates, of which ${failed} failed.`,
			);
		},
		10 * MINUTE,
	);
}

/** One item with the names and texts of all documents. */
function texts(count: number): NodeJson {
	const entries = Array.from({ length: count }, (_, index) => ({
		name: `small-${index}.txt`,
		text: `Policy Number: CPP-${index}`,
	}));
	return node('Texts', 'n8n-nodes-base.set', 3.4, {
		mode: 'raw',
		jsonOutput: JSON.stringify({ numbers: entries }),
		options: {},
	});
}

function megabytes(bytes: number): number {
	return Math.round(bytes / MEGABYTE);
}
