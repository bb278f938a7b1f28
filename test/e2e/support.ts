import axios from 'axios';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CREDENTIAL_TYPE, EXAMPLES } from '../../harness/example-workflows';
import type { Line } from '../../harness/install';
import type { N8n, N8nOptions } from '../../harness/n8n';
import type { QueuedN8n } from '../../harness/n8n-queue';
import type { RestartableProcess } from '../../harness/n8n-restartable';
import { connect, type CredentialInput, type N8nClient } from '../../harness/n8n-rest';
import { packPackage, ROOT } from '../../harness/pack';
import { startSimulator, type Simulator, type SimulatorConfiguration } from '../../simulator';
import type { Execution as ServiceExecution } from '../../simulator/state/executions';
import { WEBHOOK_KEY } from '../leaks/secrets';
import { startSharePoint, type SharePoint } from './sharepoint/server';
import WORKFLOWS from './workflows.json';

export { WEBHOOK_KEY };

export const DOCUMENTS = join(EXAMPLES, 'documents');

/** A real n8n with the packed package and the simulated service, started once for a test file. */
export interface World {
	n8n: N8n;
	client: N8nClient;
	simulator: Simulator;
	/** Stands in for a SharePoint tenant; n8n trusts its certificate. */
	sharePoint: SharePoint;
	/** As a user enters it; stored as `credential.id`. Calls of the service to a trigger have WEBHOOK_KEY in the header x-api-key. */
	credential: CredentialInput & { id: string };
	/** A folder that n8n may read documents from, besides the folder of the examples. */
	folder: string;
	/** The clock of n8n. It can be moved on; timers keep their own time. The service has the real one. */
	clock: {
		now: () => number;
		move: (milliseconds: number) => Promise<void>;
		/** Makes n8n look for pauses that are over, as it does once a minute. */
		look: () => Promise<void>;
	};
	stop: N8n['stop'];
}

/** A World whose n8n is in queue mode. */
export interface QueueWorld extends World {
	n8n: QueuedN8n;
}

/** The configuration of the examples, with further workflows for the tests. */
function configuration(): SimulatorConfiguration {
	const examples = JSON.parse(
		readFileSync(join(EXAMPLES, 'simulator.json'), 'utf8'),
	) as SimulatorConfiguration;
	return { ...examples, workflows: [...(examples.workflows ?? []), ...WORKFLOWS] };
}

/** The simulated service with the workflows of the tests. */
export async function startService(): Promise<Simulator> {
	return startSimulator({ configuration: configuration() });
}

/** Starts n8n and the service, and stores credentials for it. Takes about 10 seconds, in queue mode 30. */
export async function startWorld<T extends N8n>(
	line: Line,
	env: NodeJS.ProcessEnv,
	start: (options: N8nOptions) => Promise<T>,
): Promise<World & { n8n: T }> {
	const folder = await mkdtemp(join(tmpdir(), 'document-workflow-files-'));
	const simulator = await startService();
	const sharePoint = await startSharePoint(folder);
	const clockFile = join(folder, 'clock');
	const stopServices = async () => {
		await simulator.stop();
		await sharePoint.stop();
		await rm(folder, { recursive: true, force: true });
	};
	const n8n = await start({
		line,
		packageTarball: await packPackage(),
		env: {
			N8N_RESTRICT_FILE_ACCESS_TO: `${DOCUMENTS};${folder}`,
			N8N_LOG_LEVEL: 'debug',
			NODE_EXTRA_CA_CERTS: sharePoint.certificateFile,
			NODE_OPTIONS: `--require=${join(ROOT, 'harness', 'clock.cjs')}`,
			CLOCK_FILE: clockFile,
			...env,
		},
	}).catch(async (error: unknown) => {
		await stopServices();
		throw error;
	});
	const stop: World['stop'] = async (inspect) => {
		try {
			await n8n.stop(inspect);
		} finally {
			await stopServices();
		}
	};
	try {
		const client = await connect(n8n);
		return {
			n8n,
			client,
			simulator,
			sharePoint,
			credential: await storeCredential(client, simulator),
			folder,
			clock: clockOf(n8n, clockFile),
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

/** All processes of n8n that run from the beginning. */
export function processesOf(n8n: N8n | QueuedN8n): RestartableProcess[] {
	return 'processes' in n8n ? n8n.processes : [n8n.main];
}

/** The clock of all processes of n8n (harness/clock.cjs). */
export function clockOf(n8n: N8n | QueuedN8n, file: string): World['clock'] {
	const processes = processesOf(n8n);
	let ahead = 0;
	const tell = async (text: string) => {
		await writeFile(file, text);
		for (const each of processes) {
			try {
				process.kill(each.pid(), 'SIGUSR2');
			} catch {
				// One that was killed reads the file when it starts again.
			}
		}
		await sleep(500);
	};
	return {
		now: () => Date.now() + ahead,
		move: async (milliseconds) => {
			ahead += milliseconds;
			await tell(String(ahead));
		},
		look: async () => tell(`${ahead} look`),
	};
}

/** Stores a credential for a service, at these addresses. */
export async function storeCredential(
	client: N8nClient,
	{ productionUrl, stagingUrl, state }: Pick<Simulator, 'productionUrl' | 'stagingUrl' | 'state'>,
): Promise<World['credential']> {
	const { clientId = '', clientSecret = '' } = state.clients[0] ?? {};
	const credential = {
		name: 'Document Workflow account',
		type: CREDENTIAL_TYPE,
		data: {
			...{ environment: 'production', productionUrl, stagingUrl, clientId, clientSecret },
			...{ triggerAuthentication: 'apiKey', headerName: 'x-api-key', apiKey: WEBHOOK_KEY },
		},
	};
	return { ...credential, id: await client.createCredential(credential) };
}

/** Works in the same n8n with a separate service, so that other tests may run at the same time. */
export async function withOwnService<T>(
	world: World,
	work: (world: World) => Promise<T>,
): Promise<T> {
	const simulator = await startService();
	try {
		const credential = await storeCredential(world.client, simulator);
		return await work({ ...world, simulator, credential });
	} finally {
		await simulator.stop();
	}
}

/** Starts an execution directly in the service and completes it, which notifies the webhooks of its workflow. */
export async function completeOutsideN8n(
	{ simulator: { productionUrl, state }, credential: { data } }: World,
	workflowId: string,
	document: string,
): Promise<ServiceExecution> {
	const { data: token } = await axios.post<{ access_token: string }>(
		`${productionUrl}/api/v1/oauth2/access_token`,
		{ client_id: data.clientId, client_secret: data.clientSecret },
		{ proxy: false },
	);
	const form = new FormData();
	form.append('files', new Blob([readFileSync(join(DOCUMENTS, document))]), document);
	const { data: started } = await axios.post<{ workflow_execution_id: string }>(
		`${productionUrl}/api/v1/workflow-builder/workflows/${workflowId}/executions`,
		form,
		{ headers: { authorization: `Bearer ${token.access_token}` }, proxy: false },
	);
	const executionId = started.workflow_execution_id;
	await state.executions.finish(executionId, { status: 'completed' });
	const execution = state.executions.find(executionId);
	if (execution === undefined) throw new Error(`The service does not know ${executionId}.`);
	return execution;
}

/** The data that the service extracts from a sample document, by step. */
export function expectedOf(document: string): {
	workflowId: string;
	steps: Record<string, Array<Record<string, unknown>>>;
} {
	const file = join(DOCUMENTS, `${document}.expected.json`);
	return JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof expectedOf>;
}

/** What n8n logs from now on. The log of a long run loses its oldest part, so a position in it does not last. */
export function logFromNow(log: () => string): () => string {
	const last = log().slice(-1_000);
	return () => {
		const now = log();
		return now.slice(now.lastIndexOf(last) + last.length);
	};
}

/** Checks a condition every `interval` milliseconds until it holds; fails after `timeout` milliseconds. */
export async function until(
	condition: () => boolean | Promise<boolean>,
	timeout = 180_000, // milliseconds; much more than seen, for busy machines
	interval = 100,
): Promise<void> {
	const deadline = Date.now() + timeout;
	while (!(await condition())) {
		if (Date.now() > deadline)
			throw new Error(`Not true after ${timeout / 1000} s: ${condition.toString()}`);
		await sleep(interval);
	}
}
