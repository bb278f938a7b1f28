/**
 * The memory of a worker that sends 8 documents of 50 MB, by n8n's store of files. The documents come as a form, so that the webhook process
 * has them in memory, and the worker has only what it reads.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { peakWhile, residentBytes } from '../../../harness/memory';
import type { RestartableProcess } from '../../../harness/n8n-restartable';
import { chain, documentWorkflow } from '../../e2e/flows';
import { publish } from '../../e2e/published';
import { until, type QueueWorld } from '../../e2e/support';
import { withService } from '../service';
import { MINUTE, SECOND, type Section } from '../print';

const DOCUMENTS = 8;
const MEGABYTE = 1_000_000;
const MEGABYTES = 50;
/** n8n frees what its start took. */
const RESTED = 15 * SECOND;
const SENT_WITHIN = 10 * MINUTE;
const WORKFLOW = 'large';
/** n8n's limit for all files of a form together, in MiB. */
const FORM_LIMIT = '600';
/** n8n starts with `s3` and `azure` only with a license. */
const STORES = ['filesystem', 'database'] as const;

/** Starts n8n with settings, and ends it after the work. */
export type WithQueue = <T>(
	env: NodeJS.ProcessEnv,
	work: (world: QueueWorld) => Promise<T>,
) => Promise<T>;

export async function memory(
	withQueue: WithQueue,
	report: (sentence: string) => void,
): Promise<Section> {
	const rows: Section['rows'] = [];
	for (const store of STORES) {
		// The processes have user folders of their own, but share this one.
		const shared = await mkdtemp(join(tmpdir(), 'document-workflow-store-'));
		const env = {
			N8N_DEFAULT_BINARY_DATA_MODE: store,
			N8N_STORAGE_PATH: shared,
			N8N_FORMDATA_FILE_SIZE_MAX: FORM_LIMIT,
		};
		try {
			await withQueue(env, async (world) => {
				// The smaller one comes first: n8n keeps memory that it once took.
				for (const inParallel of [1, 8]) {
					const { idle, peak } = await measure(world, inParallel);
					report(`${store}, ${inParallel} in parallel: ${peak} MB, ${idle} MB at rest`);
					rows.push([
						`${store}, ${inParallel} in parallel`,
						`${peak - idle} MB beyond ${idle} MB at rest`,
					]);
				}
			});
		} finally {
			await rm(shared, { recursive: true, force: true });
		}
	}
	return {
		title: `Memory of a worker that sends ${DOCUMENTS} documents of ${MEGABYTES} MB`,
		rows,
		findings: [],
	};
}

/** Memory of the worker that sends, in megabytes: before, and at most. */
async function measure(given: QueueWorld, maximumInParallel: number) {
	const workflows = [{ workflowId: WORKFLOW, duration: { fixedSeconds: 1 } }];
	return withService(given, { workflows }, async (world) => {
		const { n8n, client, simulator } = world;
		const sending = documentWorkflow(world, 'create', WORKFLOW, {
			groupBy: 'document',
			maximumInParallel,
		});
		const flow = await publish(world, chain('Large', sending), 'onReceived');
		const post = async (bytes: number) => {
			const before = (await flow.executionIds(0)).length;
			await flow.call(formOf(bytes));
			const id = (await flow.executionIds(before + 1)).at(-1) ?? '';
			const { status, error } = await client.waitForExecution(id, SENT_WITHIN);
			if (status !== 'success') throw new Error(`The n8n execution ended: ${error?.message}`);
			return id;
		};
		// Each worker has probably sent something after that.
		for (const round of [1, 2, 3, 4, 5, 6]) await post(100 * round);
		await sleep(RESTED);
		const before = n8n.workers.map(({ pid }) => residentBytes(pid()));
		const { id, peaks } = await peaksWhile(n8n.workers, async () => post(MEGABYTES * MEGABYTE));
		await until(() =>
			simulator.state.requests.all().every(({ finishedAt }) => finishedAt !== null),
		);
		const at = n8n.workers.findIndex(({ log }) =>
			log().includes(`Worker finished execution ${id} `),
		);
		const megabytes = (bytes = 0) => Math.round(bytes / MEGABYTE);
		return { idle: megabytes(before[at]), peak: megabytes(peaks[at]) };
	});
}

/** The most memory of each process meanwhile, in bytes. */
async function peaksWhile(
	[first, ...others]: RestartableProcess[],
	work: () => Promise<string>,
): Promise<{ id: string; peaks: number[] }> {
	if (first === undefined) return { id: await work(), peaks: [] };
	const { result, bytes } = await peakWhile(first.pid(), async () => peaksWhile(others, work));
	return { id: result.id, peaks: [bytes, ...result.peaks] };
}

function formOf(bytes: number): FormData {
	const form = new FormData();
	for (let index = 0; index < DOCUMENTS; index++) {
		const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(bytes)]);
		form.append(`document_${index}`, new Blob([content]), `large-${index}.pdf`);
	}
	return form;
}
