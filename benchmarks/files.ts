/** A gigabyte of documents: how fast it is sent, and how much memory n8n takes for it. */
import { randomBytes } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { chain, documentWorkflow, node, readFiles } from '../harness/flows';
import { lastRun } from '../harness/n8n-execution';
import type { WorkflowJson } from '../harness/n8n-rest';
import type { Report } from '../harness/report';
import { figureOf, type Figure } from './figures';
import { API, startService } from './measuring';
import { byHand, inTurns, requireSuccess, withN8n, type Surroundings } from './surroundings';

const MEGABYTE = 1_000_000;
const GIGABYTE = 1_000 * MEGABYTE;
const ROUNDS = 5;
/** The node that sends. */
const PACKAGE = 'Document Workflow';
const HTTP = 'HTTP Request';

/** A folder of documents that are a gigabyte together. */
interface Load {
	name: string;
	documents: number;
}

const ONE: Load = { name: '1 GB in one document', documents: 1 };
const TWENTY: Load = { name: '1 GB in 20 documents', documents: 20 };

export async function files(report: Report): Promise<Figure[]> {
	// It drops what it gets, so that its own work does not hide differences.
	const service = await startService();
	try {
		const wanted = { serviceUrl: service.url, report };
		const memory: Figure[] = [];
		for (const load of [ONE, TWENTY]) {
			const { name } = load;
			const added = async (sender: string) => {
				report(`${sender}: memory, ${name}`);
				return withN8n(wanted, async (surroundings) =>
					memoryOf(sender, load, surroundings, service.url),
				);
			};
			memory.push(
				figureOf({
					name: `${name}: memory beyond reading it`,
					beside: "n8n's HTTP Request node",
					unit: 'MB',
					own: await added(PACKAGE),
					other: await added(HTTP),
					target: { of: 'own', atMost: 60 },
				}),
			);
		}
		const speed = await withN8n(wanted, async (surroundings) =>
			speeds(surroundings, service.url, report),
		);
		return [...speed, ...memory];
	} finally {
		service.stop();
	}
}

/** Megabytes a second of the node, of n8n's HTTP Request node and of the hand-written client. */
async function speeds(
	{ run, credential, folder }: Surroundings,
	url: string,
	report: Report,
): Promise<Figure[]> {
	await write(ONE, folder);
	const file = join(folder, String(ONE.documents), '0.pdf');
	const perSecond = (milliseconds: number) => (GIGABYTE / MEGABYTE / milliseconds) * 1_000;
	const speedOf = async (sender: string) => {
		const flow = sending(sender, ONE, { credential, folder, url });
		return perSecond(lastRun(requireSuccess(await run(flow)).execution, sender).executionTime);
	};
	const ways = {
		node: async () => speedOf(PACKAGE),
		http: async () => speedOf(HTTP),
		client: async () => {
			const given = { url, workflowId: 'w', files: [file] };
			return perSecond((await byHand('upload', given, report)).milliseconds);
		},
	};
	for (const way of Object.values(ways)) await way();
	const { node: own, http, client } = await inTurns(ROUNDS, ways, report);
	const shared = { name: `${ONE.name}: sent and hashed`, unit: 'MB/s', own };
	return [
		figureOf({
			...shared,
			beside: 'a hand-written client that hashes too',
			other: client,
			target: { of: 'ratio', atLeast: 0.6 },
		}),
		figureOf({ ...shared, beside: "n8n's HTTP Request node, which does not hash", other: http }),
	];
}

/**
 * How many megabytes n8n takes beyond the most that it takes for reading the same files into its own store. Reading comes first, in an n8n
 * that has sent nothing: n8n keeps memory that it once took.
 */
async function memoryOf(
	sender: string,
	load: Load,
	{ run, credential, folder }: Surroundings,
	url: string,
): Promise<number[]> {
	await write(load, folder);
	const read = chain('Read only', readFiles(patternOf(load, folder)));
	const send = sending(sender, load, { credential, folder, url });
	const peaks = async (flow: WorkflowJson) => {
		const found: number[] = [];
		for (let round = 0; round < ROUNDS; round++)
			found.push(requireSuccess(await run(flow)).peakBytes);
		return found;
	};
	const idle = Math.max(...(await peaks(read)));
	return (await peaks(send)).map((bytes) => (bytes - idle) / MEGABYTE);
}

function sending(
	sender: string,
	load: Load,
	{ credential, folder, url }: Pick<Surroundings, 'credential' | 'folder'> & { url: string },
): WorkflowJson {
	const read = readFiles(patternOf(load, folder));
	if (sender === PACKAGE) {
		const parameters = { inputDataFieldName: '*' };
		return chain(sender, read, documentWorkflow({ credential }, 'create', 'w', parameters));
	}
	const file = { parameterType: 'formBinaryData', name: 'files', inputDataFieldName: 'data' };
	return chain(
		sender,
		read,
		node(HTTP, 'n8n-nodes-base.httpRequest', 4.2, {
			method: 'POST',
			url: `${url}${API}/workflow-builder/workflows/w/executions`,
			sendBody: true,
			contentType: 'multipart-form-data',
			bodyParameters: { parameters: [file] },
			options: {},
		}),
	);
}

function patternOf({ documents }: Load, folder: string): string {
	return join(folder, String(documents), '*.pdf');
}

async function write({ documents }: Load, folder: string): Promise<void> {
	const content = randomBytes(50 * MEGABYTE);
	await mkdir(join(folder, String(documents)));
	for (let index = 0; index < documents; index++) {
		const file = await open(join(folder, String(documents), `${index}.pdf`), 'w');
		for (let left = GIGABYTE / documents; left > 0; left -= content.length)
			await file.write(content);
		await file.write('%PDF-1.7\n', 0);
		await file.close();
	}
}
