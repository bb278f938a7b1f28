/** One n8n execution of a soak: it is started by a call, and what came of its documents is compared with the books of the service. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import type { Execution } from '../../harness/n8n-execution';
import type { Execution as ServiceExecution } from '../../simulator/state/executions';
import { judge, type Verdict } from '../chaos/books';
import { writeDocument, toldBy, type Document } from '../chaos/documents';
import { until, type World } from '../e2e/support';
import { KINDS, startedByCall, type Kind, type KindName } from './kinds';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** A stopped run has had its creates answered for this long. */
const STOP_AFTER = 3 * SECOND;
/** Longer than a pause. */
const ENDS_WITHIN = 10 * MINUTE;

export interface Run {
	name: KindName;
	documents: Document[];
	/** Of its n8n execution. */
	id: string;
}

/** How a run ended. */
export interface Outcome {
	verdicts: Verdict[];
	/** What n8n stores of it. */
	bytes: number;
	/** Whether the run has paused. */
	hasPaused: boolean;
	findings: string[];
}

/** Starts and judges the runs of one n8n. */
export interface Runs {
	start: (name: KindName, number: number, random: () => number) => Promise<Run>;
	/** Waits for the end of a run, and judges it. */
	end: (run: Run) => Promise<Outcome>;
	/** The executions of the service for the documents of a run. */
	executionsOf: (documents: Document[]) => ServiceExecution[];
}

/** Publishes an n8n workflow for each kind. */
export async function publish(world: World): Promise<Runs> {
	const { client, n8n, simulator, folder } = world;
	const paths = new Map<KindName, string>();
	for (const [name, kind] of Object.entries(KINDS) as Array<[KindName, Kind]>) {
		const path = randomUUID();
		const flow = startedByCall(kind.title, path, kind.nodes(world));
		await client.activate(await client.createWorkflow(flow));
		paths.set(name, path);
	}
	const executionsOf = (documents: Document[]) => {
		const names = new Set(documents.flatMap(({ files }) => Object.keys(files)));
		return simulator.state.executions
			.all()
			.filter(({ files }) => files.some(({ fileName }) => names.has(fileName)));
	};

	const start: Runs['start'] = async (name, number, random) => {
		const { documents: count, bytes }: Kind = KINDS[name];
		const documents = [];
		for (let index = 0; index < count; index++) {
			const size = bytes[Math.floor(random() * bytes.length)];
			documents.push(
				await writeDocument(join(folder, 'soak'), `r${number}-${index}`, 1, random, size),
			);
		}
		const body = {
			documents: documents.map(({ paths: [first] }) => ({ first })),
		};
		const { data } = await axios.post<{ id: string }>(
			`${n8n.webhookUrl}/webhook/${paths.get(name)}`,
			body,
			{ proxy: false },
		);
		return { name, documents, id: data.id };
	};

	const end: Runs['end'] = async (run) => {
		const { endedBy }: Kind = KINDS[run.name];
		const hasPaused = endedBy === 'service';
		if (hasPaused) {
			await until(async () => (await client.execution(run.id)).status === 'waiting', MINUTE);
			for (const { executionId } of executionsOf(run.documents))
				await simulator.state.executions.finish(executionId, { status: 'completed' });
		}
		if (endedBy === 'stop') {
			await until(() => executionsOf(run.documents).length === run.documents.length, MINUTE);
			await sleep(STOP_AFTER);
			await client.stopExecution(run.id);
		}
		const execution = await client.waitForExecution(run.id, ENDS_WITHIN);
		const outcome =
			endedBy === 'stop'
				? await stopped(world, run, executionsOf(run.documents))
				: judged(run, execution, executionsOf(run.documents));
		await Promise.all(run.documents.flatMap(({ paths: all }) => all.map(async (path) => rm(path))));
		return { ...outcome, bytes: execution.bytes, hasPaused };
	};
	return { start, end, executionsOf };
}

type Judged = Pick<Outcome, 'verdicts' | 'findings'>;

function judged(
	{ name, documents }: Run,
	execution: Execution,
	executions: ServiceExecution[],
): Judged {
	const { expected, title }: Kind = KINDS[name];
	const told = toldBy([execution], documents);
	const verdicts: Verdict[] = [];
	const findings: string[] = [];
	for (const document of documents) {
		const booked = executions
			.filter(({ files }) => files.some(({ fileName }) => fileName in document.files))
			.map(({ executionId, files }) => ({
				executionId,
				files: Object.fromEntries(files.map(({ fileName, sha256 }) => [fileName, sha256])),
			}));
		const said = told.get(document.id) ?? { items: [], error: '' };
		const verdict = judge(document, booked, said);
		verdicts.push(verdict);
		if (!expected.includes(verdict))
			findings.push(
				`${document.id} (${title}) is ${verdict}: the service has ${JSON.stringify(booked)}; n8n says ${JSON.stringify(said)}`,
			);
	}
	if (execution.status !== 'success')
		findings.push(`n8n execution ${execution.id} (${title}) has ended as ${execution.status}`);
	return { verdicts, findings };
}

/** A stopped n8n execution names what it has started, which n8n 1 stores a moment after the status. */
async function stopped(
	{ client }: World,
	{ id, documents }: Run,
	executions: ServiceExecution[],
): Promise<Judged> {
	const unnamed = async () => {
		const named = JSON.stringify((await client.execution(id)).customData);
		return executions.filter(({ executionId }) => !named.includes(executionId)).length;
	};
	await until(async () => (await unnamed()) === 0, 10 * SECOND).catch(() => undefined);
	const { status } = await client.execution(id);
	const lost = await unnamed();
	return {
		verdicts: documents.map((_, index): Verdict => (index < lost ? 'lost' : 'started')),
		findings:
			lost === 0 && status === 'canceled'
				? []
				: [`The stopped n8n execution ${id} is ${status} and does not name ${lost} executions`],
	};
}
