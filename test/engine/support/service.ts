/** The simulated service of a test file, and its credential. */
import { createHash } from 'node:crypto';
import type {
	ICredentialDataDecryptedObject,
	INodeCredentialsDetails,
	INodeExecutionData,
	INodeParameters,
} from 'n8n-workflow';
import { startSimulator, type Simulator, type SimulatorConfiguration } from '../../../simulator';
import type { Execution } from '../../../simulator/state/executions';
import type { RequestEntry, Route } from '../../../simulator/state/requests';
import { CredentialsStore } from './credentials-store';
import { serviceClock } from './time';

export const CLIENT_SECRET = 'engine-secret-7f3c9a1b5d';
/** A second client of the same service; it may not use the workflows of these tests. */
export const OTHER_CLIENT_ID = 'other-client';
export const OTHER_CLIENT_SECRET = 'other-secret-0a8e6d4c2b';
export const WORKFLOW_ID = 'intake';

/** The package shares tokens by client within a process, so each test has its own client. */
const MOST_TESTS = 100;

const CONFIGURATION: SimulatorConfiguration = {
	clients: [
		...Array.from({ length: MOST_TESTS }, (_, index) => ({
			clientId: `engine-client-${index + 1}`,
			clientSecret: CLIENT_SECRET,
		})),
		{
			clientId: OTHER_CLIENT_ID,
			clientSecret: OTHER_CLIENT_SECRET,
			workflows: ['reserved-for-nobody'],
		},
	],
	workflows: [
		{
			workflowId: WORKFLOW_ID,
			duration: { fixedSeconds: 0 },
			steps: [
				{
					stepName: 'policy',
					fields: [
						{ name: 'policy_number', labels: ['Policy Number'] },
						{ name: 'premium', labels: ['Premium'], type: 'amount' },
					],
				},
			],
		},
		{ workflowId: 'never-ending', duration: { fixedSeconds: 10_000_000 } },
		{
			workflowId: 'failing',
			duration: { fixedSeconds: 0 },
			failWith: { error: { message: 'The scan is not readable' } },
		},
		{ workflowId: 'by-address', fileAccess: 'publicUrls', duration: { fixedSeconds: 0 } },
		{ workflowId: 'by-protected-address', fileAccess: 'oauth2Urls', duration: { fixedSeconds: 0 } },
		{ workflowId: 'by-box-link', fileAccess: 'boxLinks', duration: { fixedSeconds: 0 } },
	],
};

export interface Service {
	readonly simulator: Simulator;
	readonly state: Simulator['state'];
	store: CredentialsStore;
	/** The fields that a user enters for the production environment of this service. */
	entered: ICredentialDataDecryptedObject;
	/** The stored credential: a new one for each test, without a token. */
	credential: INodeCredentialsDetails;
	/** Requests so far, of one route or of all. */
	requests(route?: Route): RequestEntry[];
	/** The executions of output items, in order. */
	executionsOf(items: INodeExecutionData[] | undefined): Execution[];
	/** Stores the credential again with some fields changed. */
	enter(changed: ICredentialDataDecryptedObject): Promise<void>;
}

/** Starts the service on free ports of this machine before the tests of a file, and resets it before each test. */
export function useService(): Service {
	const store = new CredentialsStore();
	let simulator: Simulator | undefined;
	let number = 0;
	const running = (): Simulator => {
		if (simulator === undefined) throw new Error('The service is not started yet');
		return simulator;
	};
	const service: Service = {
		store,
		entered: {},
		credential: { id: null, name: '' },
		get simulator() {
			return running();
		},
		get state() {
			return running().state;
		},
		requests: (route) =>
			running()
				.state.requests.all()
				.filter((entry) => route === undefined || entry.route === route),
		executionsOf: (items = []) =>
			items.flatMap(({ json: { executionId } }) =>
				typeof executionId === 'string' ? (running().state.executions.find(executionId) ?? []) : [],
			),
		enter: async (changed) =>
			void (await store.save(String(service.credential.id), { ...service.entered, ...changed })),
	};
	beforeAll(async () => {
		simulator = await startSimulator({ configuration: CONFIGURATION, clock: serviceClock });
	});
	beforeEach(async () => {
		const { productionUrl, stagingUrl, state } = running();
		state.reset();
		number++;
		const clientId = `engine-client-${number}`;
		service.entered = {
			environment: 'production',
			productionUrl,
			stagingUrl,
			clientId,
			clientSecret: CLIENT_SECRET,
		};
		service.credential = await store.save(`credential-${number}`, service.entered);
		store.updates = 0;
	});
	afterAll(async () => simulator?.stop());
	return service;
}

/** A Workflow parameter by ID. */
export function workflowById(workflowId: string): INodeParameters[string] {
	return { __rl: true, mode: 'id', value: workflowId };
}

/** Parameters of an operation, by default on the workflow that ends at once. */
export function operation(name: string, more: INodeParameters = {}): INodeParameters {
	return { operation: name, workflowId: workflowById(WORKFLOW_ID), ...more };
}

export function sha256(bytes: Buffer): string {
	return createHash('sha256').update(bytes).digest('hex');
}

export const POLICY: Buffer = Buffer.from('Policy Number: CPP-1001\nPremium: $1,250.00\n');

/** An input item with one text document in the field "data". */
export function policyItem(fieldName = 'data'): {
	files: Record<string, { bytes: Buffer; fileName: string; mimeType: string }>;
} {
	return {
		files: { [fieldName]: { bytes: POLICY, fileName: 'policy.txt', mimeType: 'text/plain' } },
	};
}
