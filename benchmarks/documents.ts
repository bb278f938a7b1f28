/**
 * Many documents that the service works on for a while: through this package, by a hand-written client, and through a flow of n8n's own
 * nodes; then through the first and third while the service is busy for a moment.
 */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chain, documentWorkflow, node, readFiles } from '../harness/flows';
import { output, type Execution } from '../harness/n8n-execution';
import type { WorkflowJson } from '../harness/n8n-rest';
import type { Report } from '../harness/report';
import { startSimulator, type Simulator } from '../simulator';
import { figureOf, type Figure } from './figures';
import { API } from './measuring';
import { byHand, inTurns, LOGIN, withN8n, type Run } from './surroundings';

const DOCUMENTS = 500;
const BYTES = 100_000;
const SECONDS_AT_SERVICE = 3;
const CREATES_AT_ONCE = 25;
/** The package's default. */
const FIRST_CHECK_SECONDS = 5;
const ROUNDS = 5;
const WORKFLOW_ID = 'w';
const NODE = 'Document Workflow';

/** What one way of sending all documents took. */
interface Sent {
	milliseconds: number;
	cpuMilliseconds: number;
	completed: number;
}

export async function documents(report: Report): Promise<Figure[]> {
	const simulator = await startSimulator({
		configuration: {
			clients: [LOGIN],
			workflows: [{ workflowId: WORKFLOW_ID, duration: { fixedSeconds: SECONDS_AT_SERVICE } }],
		},
	});
	const url = simulator.productionUrl;
	try {
		const wanted = { serviceUrl: url, report };
		return await withN8n(wanted, async ({ run, credential, folder }) => {
			const files = await writeDocuments(folder);
			const pattern = join(folder, '*.pdf');
			const own = chain(
				'This package',
				readFiles(pattern),
				documentWorkflow({ credential }, 'createAndWait', WORKFLOW_ID, {
					inputDataFieldName: '*',
					maximumInParallel: CREATES_AT_ONCE,
				}),
			);
			const flow = ownNodes(url, pattern);
			const byPackage = async () => sentIn(await run(own), NODE);
			const byFlow = async () => sentIn(await run(flow), COMPLETED);
			const byClient = async (): Promise<Sent> => {
				const given = { url, workflowId: WORKFLOW_ID, files };
				const how = { parallel: CREATES_AT_ONCE, firstCheckSeconds: FIRST_CHECK_SECONDS };
				const { completed = 0, ...took } = await byHand('documents', { ...given, ...how }, report);
				return { completed, ...took };
			};
			await byPackage(); // Node compiles what runs often
			await byFlow();
			const ways = { byClient, byPackage, byFlow };
			const sent = await inTurns(ROUNDS, ways, report);
			for (const each of Object.values(sent).flat())
				if (each.completed !== DOCUMENTS)
					throw new Error(`Of ${DOCUMENTS} documents only ${each.completed} came back.`);
			busyForAMoment(simulator);
			const ownWhenBusy = await byPackage();
			simulator.state.faults.clear();
			busyForAMoment(simulator);
			const flowWhenBusy = await byFlow();
			const perDocument = (of: Sent[]) => of.map((each) => each.cpuMilliseconds / DOCUMENTS);
			const seconds = (of: Sent[]) => of.map((each) => each.milliseconds / 1_000);
			const { byClient: client, byPackage: byOwn, byFlow: nodes } = sent;
			const title = `${DOCUMENTS} documents of ${BYTES / 1_000} kB`;
			return [
				figureOf({
					name: `${title}: time`,
					beside: 'a hand-written client',
					unit: 's',
					own: seconds(byOwn),
					other: seconds(client),
					target: { of: 'ratio', atMost: 1.1 },
				}),
				figureOf({
					name: `${title}: time`,
					beside: "n8n's own nodes",
					unit: 's',
					own: seconds(byOwn),
					other: seconds(nodes),
				}),
				figureOf({
					name: `${title}: CPU of each`,
					beside: "n8n's own nodes",
					unit: 'ms',
					own: perDocument(byOwn),
					other: perDocument(nodes),
					target: { of: 'ratio', atMost: 1 },
				}),
				figureOf({
					name: `${title}, one 503 and one 429: results`,
					beside: "n8n's own nodes",
					unit: '',
					own: [ownWhenBusy.completed],
					other: [flowWhenBusy.completed],
					target: { of: 'own', atLeast: DOCUMENTS },
				}),
			];
		});
	} finally {
		await simulator.stop();
	}
}

async function writeDocuments(folder: string): Promise<string[]> {
	const files = Array.from({ length: DOCUMENTS }, (_, index) => join(folder, `${index}.pdf`));
	for (const file of files)
		await writeFile(file, Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(BYTES - 9)]));
	return files;
}

function busyForAMoment({ state }: Simulator): void {
	for (const [from, status] of [
		[100, 503],
		[200, 429],
	])
		state.faults.add({
			route: 'create',
			requests: { from },
			times: 1,
			action: { type: 'status', status: status ?? 0, retryAfter: 1 },
		});
}

/** The time of the nodes that talk to the service: reading the files is not part of it. */
function sentIn({ execution, cpuMilliseconds }: Run, lastNode: string): Sent {
	const runs = Object.entries(execution.runs).filter(([name]) => !['Start', 'Read'].includes(name));
	const times = runs.flatMap(([, each]) => each);
	const begin = Math.min(...times.map(({ startTime }) => startTime));
	const end = Math.max(...times.map(({ startTime, executionTime }) => startTime + executionTime));
	return {
		milliseconds: end - begin,
		cpuMilliseconds,
		completed: completedIn(execution, lastNode),
	};
}

function completedIn(execution: Execution, lastNode: string): number {
	const items = execution.runs[lastNode] === undefined ? [] : output(execution, lastNode);
	return items.filter(({ json }) => json.status === 'completed').length;
}

const COMPLETED = 'Completed?';

/** What a user would build: a token, a create for each file, a wait, a check, and back to the wait until all are completed. */
function ownNodes(url: string, pattern: string): WorkflowJson {
	const api = url + API;
	const executions = `${api}/workflow-builder/workflows/${WORKFLOW_ID}/executions`;
	const authorization = {
		name: 'Authorization',
		value: "=Bearer {{ $('Token').first().json.access_token }}",
	};
	const http = (name: string, parameters: Record<string, unknown>) =>
		node(name, 'n8n-nodes-base.httpRequest', 4.2, parameters);
	const authorized = { sendHeaders: true, headerParameters: { parameters: [authorization] } };
	const batches = { batching: { batch: { batchSize: CREATES_AT_ONCE, batchInterval: 250 } } };
	const flow = chain(
		"n8n's own nodes",
		http('Token', {
			method: 'POST',
			url: `${api}/oauth2/access_token`,
			sendBody: true,
			bodyParameters: {
				parameters: [
					{ name: 'client_id', value: LOGIN.clientId },
					{ name: 'client_secret', value: LOGIN.clientSecret },
				],
			},
			options: {},
		}),
		readFiles(pattern),
		http('Create', {
			method: 'POST',
			url: executions,
			...authorized,
			sendBody: true,
			contentType: 'multipart-form-data',
			bodyParameters: {
				parameters: [
					{ parameterType: 'formBinaryData', name: 'files', inputDataFieldName: 'data' },
				],
			},
			options: batches,
		}),
		node('Wait', 'n8n-nodes-base.wait', 1.1, { amount: FIRST_CHECK_SECONDS, unit: 'seconds' }),
		http('Check', {
			url: `=${executions}/{{ $json.workflow_execution_id }}`,
			...authorized,
			options: batches,
		}),
		node(COMPLETED, 'n8n-nodes-base.if', 2.2, {
			conditions: {
				options: { caseSensitive: true, typeValidation: 'strict', version: 2 },
				combinator: 'and',
				conditions: [
					{
						id: 'completed',
						leftValue: '={{ $json.status }}',
						rightValue: 'completed',
						operator: { type: 'string', operation: 'equals' },
					},
				],
			},
			options: {},
		}),
	);
	const again = { main: [[], [{ node: 'Wait', type: 'main', index: 0 }]] };
	return { ...flow, connections: { ...flow.connections, [COMPLETED]: again } };
}
