/** The simulated service of a test file, and the credential that goes with it. */
import { createHash } from 'node:crypto';
import type { ICredentialDataDecryptedObject, INodeCredentialsDetails, INodeParameters } from 'n8n-workflow';
import { startSimulator, type Simulator, type SimulatorConfiguration } from '../../../simulator';
import type { RequestEntry, Route } from '../../../simulator/state/requests';
import { CredentialsStore } from './credentials-store';

export const CLIENT_ID = 'engine-client';
export const CLIENT_SECRET = 'engine-secret-7f3c9a1b5d';
/** A second pair for the same service. */
export const OTHER_CLIENT_ID = 'other-client';
export const OTHER_CLIENT_SECRET = 'other-secret-0a8e6d4c2b';
export const WORKFLOW_ID = 'intake';

const CONFIGURATION: SimulatorConfiguration = {
	clients: [
		{ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
		{ clientId: OTHER_CLIENT_ID, clientSecret: OTHER_CLIENT_SECRET, workflows: ['reserved-for-nobody'] },
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
		{ workflowId: 'never-ending', duration: { fixedSeconds: 3600 } },
		{ workflowId: 'failing', duration: { fixedSeconds: 0 }, failWith: { error: { message: 'The scan is not readable' } } },
		{ workflowId: 'by-address', fileAccess: 'publicUrls', duration: { fixedSeconds: 0 } },
	],
};

export interface Service {
	simulator: Simulator;
	store: CredentialsStore;
	/** What a user enters for the production environment of this service. */
	entered: ICredentialDataDecryptedObject;
	/** The stored credential, fresh for each test. */
	credential: INodeCredentialsDetails;
	/** Back to an untouched service and a credential without a token. */
	reset(): Promise<void>;
	/** Requests so far, of one route. */
	requests(route?: Route): RequestEntry[];
	stop(): Promise<void>;
}

/** Starts the service on free ports of this machine. */
export async function startService(): Promise<Service> {
	const simulator = await startSimulator({ configuration: CONFIGURATION });
	const store = new CredentialsStore();
	const entered = {
		environment: 'production',
		productionUrl: simulator.productionUrl,
		stagingUrl: simulator.stagingUrl,
		clientId: CLIENT_ID,
		clientSecret: CLIENT_SECRET,
	};
	let number = 0;
	const service: Service = {
		simulator,
		store,
		entered,
		credential: { id: null, name: '' },
		reset: async () => {
			simulator.state.reset();
			service.credential = await store.save(`credential-${++number}`, entered);
		},
		requests: (route) => simulator.state.requests.all().filter((entry) => route === undefined || entry.route === route),
		stop: async () => await simulator.stop(),
	};
	await service.reset();
	return service;
}

/** A Workflow parameter by ID. */
export function workflowById(workflowId: string): INodeParameters[string] {
	return { __rl: true, mode: 'id', value: workflowId };
}

/** Parameters of an operation, on the workflow that ends at once unless another one is given. */
export function operation(name: 'create' | 'get' | 'wait' | 'createAndWait', more: INodeParameters = {}): INodeParameters {
	return { resource: 'execution', operation: name, workflowId: workflowById(WORKFLOW_ID), ...more };
}

export function sha256(bytes: Buffer): string {
	return createHash('sha256').update(bytes).digest('hex');
}

export const POLICY: Buffer = Buffer.from('Policy Number: CPP-1001\nPremium: $1,250.00\n');

/** An input item with one text document in the field "data". */
export function policyItem(fieldName = 'data'): { files: Record<string, { bytes: Buffer; fileName: string; mimeType: string }> } {
	return { files: { [fieldName]: { bytes: POLICY, fileName: 'policy.txt', mimeType: 'text/plain' } } };
}
