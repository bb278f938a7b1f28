import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
	CREDENTIAL_TYPE,
	EXAMPLES,
	WEBHOOK_CREDENTIAL_TYPE,
} from '../../harness/example-workflows';
import type { Line } from '../../harness/install';
import { startN8n, type N8n, type N8nOptions } from '../../harness/n8n';
import { startQueue, type QueuedN8n } from '../../harness/n8n-queue';
import { connect, type CredentialInput, type N8nClient } from '../../harness/n8n-rest';
import { packPackage } from '../../harness/pack';
import { startSimulator, type Simulator, type SimulatorConfiguration } from '../../simulator';
import { startSharePoint, type SharePoint } from './sharepoint/server';

export const WEBHOOK_KEY = 'key-of-the-tests';
const START_TIMEOUT = 240_000; // milliseconds; on a busy machine each of n8n's processes may take its time

export const DOCUMENTS = join(EXAMPLES, 'documents');

/** A real n8n with the packed package, and the simulated service, started once for a test file. */
export interface World {
	n8n: N8n;
	client: N8nClient;
	simulator: Simulator;
	/** Stands in for a SharePoint tenant; n8n trusts its certificate. */
	sharePoint: SharePoint;
	/** As a user enters it; stored as `credential.id`. */
	credential: CredentialInput & { id: string };
	/** How the service proves itself to a trigger: with WEBHOOK_KEY in the header x-api-key. */
	webhookCredential: CredentialInput & { id: string };
	/** A folder that n8n may read documents from; the examples are another. */
	folder: string;
	stop: () => Promise<void>;
}

/** A World whose n8n is in queue mode. */
export interface QueueWorld extends World {
	n8n: QueuedN8n;
}

const CASE = { stepName: 'case', fields: [{ name: 'case_number', labels: ['Case Number'] }] };

/** The example configuration, and workflows that the examples do not need. */
function configuration(): SimulatorConfiguration {
	const examples = JSON.parse(
		readFileSync(join(EXAMPLES, 'simulator.json'), 'utf8'),
	) as SimulatorConfiguration;
	const extra: NonNullable<SimulatorConfiguration['workflows']> = [
		{ workflowId: 'quick', duration: { fixedSeconds: 0.5 } },
		{ workflowId: 'twelve-seconds', duration: { fixedSeconds: 12 } },
		{ workflowId: 'never-ending', duration: { fixedSeconds: 3600 } },
		{
			workflowId: 'failing',
			duration: { fixedSeconds: 0.5 },
			failWith: { error: 'The document has no pages.' },
		},
		{ workflowId: 'by-address', fileAccess: 'publicUrls', duration: { fixedSeconds: 0.5 } },
		{ workflowId: 'by-box-link', fileAccess: 'boxLinks', duration: { fixedSeconds: 0.5 } },
		{ workflowId: 'never-ending-cases', duration: { fixedSeconds: 3600 }, steps: [CASE] },
		{
			workflowId: 'never-ending-cases-told-twice',
			duration: { fixedSeconds: 3600 },
			steps: [CASE],
		},
		{
			workflowId: 'cases',
			duration: {
				medianSeconds: 15,
				sigma: 0.4,
				tail: { share: 0.05, fromSeconds: 40, toSeconds: 50 },
			},
			steps: [CASE],
		},
	];
	return { ...examples, workflows: [...(examples.workflows ?? []), ...extra] };
}

/** Starts n8n and the service, and stores credentials for it. Takes about 10 seconds, in queue mode 30. */
async function startWorld<T extends N8n>(
	line: Line,
	env: NodeJS.ProcessEnv,
	start: (options: N8nOptions) => Promise<T>,
): Promise<World & { n8n: T }> {
	const folder = await mkdtemp(join(tmpdir(), 'document-workflow-files-'));
	const simulator = await startSimulator({ configuration: configuration() });
	const sharePoint = await startSharePoint(folder);
	const n8n = await start({
		line,
		packageTarball: await packPackage(),
		env: {
			N8N_RESTRICT_FILE_ACCESS_TO: `${DOCUMENTS};${folder}`,
			N8N_LOG_LEVEL: 'debug',
			NODE_EXTRA_CA_CERTS: sharePoint.certificateFile,
			...env,
		},
	});
	const stop = async () => {
		await n8n.stop();
		await simulator.stop();
		await sharePoint.stop();
		await rm(folder, { recursive: true, force: true });
	};
	try {
		const client = await connect(n8n);
		const [account] = simulator.state.clients;
		const credential = credentialOf(
			simulator,
			account?.clientId ?? '',
			account?.clientSecret ?? '',
		);
		const id = await client.createCredential(credential);
		const webhookCredential = {
			name: 'Document Workflow calls',
			type: WEBHOOK_CREDENTIAL_TYPE,
			data: { authentication: 'apiKey', headerName: 'x-api-key', apiKey: WEBHOOK_KEY },
		};
		const webhookId = await client.createCredential(webhookCredential);
		return {
			n8n,
			client,
			simulator,
			sharePoint,
			credential: { ...credential, id },
			webhookCredential: { ...webhookCredential, id: webhookId },
			folder,
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

function credentialOf(
	simulator: Simulator,
	clientId: string,
	clientSecret: string,
): CredentialInput {
	const { productionUrl, stagingUrl } = simulator;
	return {
		name: 'Document Workflow account',
		type: CREDENTIAL_TYPE,
		data: { environment: 'production', productionUrl, stagingUrl, clientId, clientSecret },
	};
}

/** What a sample document is expected to give, by step. */
export function expectedOf(document: string): {
	workflowId: string;
	steps: Record<string, Array<Record<string, unknown>>>;
} {
	const file = join(DOCUMENTS, `${document}.expected.json`);
	return JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof expectedOf>;
}

/** Settings as after the start, no requests, no faults; executions and tokens stay. */
function quiet({ simulator: { state } }: World): void {
	state.faults.clear();
	state.requests.clear();
	state.settings.change({ tokenLifetimeSeconds: 3600 });
}

/** Waits until something is so, looking ten times a second; fails after `timeout` milliseconds. */
export async function until(
	condition: () => boolean | Promise<boolean>,
	timeout = 20_000,
): Promise<void> {
	const deadline = Date.now() + timeout;
	while (!(await condition())) {
		if (Date.now() > deadline)
			throw new Error(`It is not so after ${timeout / 1000} s: ${condition.toString()}`);
		await sleep(100);
	}
}

/** By default n8n makes a place of its own for the expressions of each call and each n8n execution, some 15 a second on two cores. The docs name these settings. */
export const FOR_BURSTS: Record<Line, NodeJS.ProcessEnv> = {
	'n8n-1': { N8N_EXPRESSION_ENGINE: 'legacy' },
	'n8n-2': { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
};

/** Runs specs against one n8n of a line, which is started before the first and ended after the last. */
export function describeLine(
	line: Line,
	specs: Array<(world: () => World) => void>,
	env: NodeJS.ProcessEnv = {},
): void {
	describeWorld(`in ${line}`, async () => startWorld(line, env, startN8n), specs);
}

/** The same against an n8n in queue mode: Redis, main, a webhook process and two workers. */
export function describeQueue(line: Line, specs: Array<(world: () => QueueWorld) => void>): void {
	describeWorld(`in ${line} in queue mode`, async () => startWorld(line, {}, startQueue), specs);
}

function describeWorld<W extends World>(
	name: string,
	start: () => Promise<W>,
	specs: Array<(world: () => W) => void>,
): void {
	describe(name, () => {
		let current: W | undefined;
		const world = (): W => {
			if (!current) throw new Error('n8n has not been started');
			return current;
		};
		beforeAll(async () => {
			current = await start();
		}, START_TIMEOUT);
		beforeEach(() => quiet(world()));
		afterAll(async () => current?.stop());
		for (const spec of specs) spec(world);
	});
}
