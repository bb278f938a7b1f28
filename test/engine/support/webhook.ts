/** An active workflow that starts with the trigger of the built package. */
import type {
	ICredentialDataDecryptedObject,
	INode,
	INodeCredentialsDetails,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';
import * as n8nWorkflow from 'n8n-workflow';
import type { DocumentWorkflowWebhookApi } from '../../../credentials/DocumentWorkflowWebhookApi.credentials';
import { recordLogs } from './around';
import type { CredentialsStore } from './credentials-store';
import { CREDENTIAL_TYPE } from './package';
import { startHandler } from '../../servers';
import type { Service } from './service';
import { time, TIME } from './time';
import { executeWebhook, WEBHOOK_KEY, type Answered, type Call, type Kept } from './webhook-call';

export { WEBHOOK_KEY } from './webhook-call';

export const TRIGGER_TYPE = 'n8n-nodes-document-workflow.documentWorkflowTrigger';
export const WEBHOOK_CREDENTIAL_TYPE = 'documentWorkflowWebhookApi';

interface Built {
	DocumentWorkflowTrigger: new () => INodeType;
	DocumentWorkflowWebhookApi: new () => DocumentWorkflowWebhookApi;
}

const webhookApi = new (jest.requireActual<Built>(
	'../../../index.js',
).DocumentWorkflowWebhookApi)();

export interface TriggerInUse extends Kept {
	/** All log lines since the test began. */
	logs: string[];
	/** Calls the trigger as the service does, by default with its key. */
	call(call: Call): Promise<Answered>;
	/** Restarts n8n: memory is lost, stored data is kept. */
	restart(): void;
	/** Accepts calls over HTTP with these parameters until the test ends; returns the URL for the service, and the answers. */
	listen(parameters?: INodeParameters): Promise<{ url: string; answers: Answered[] }>;
	/** Stores a new Document Workflow Webhook API credential, and selects it in the trigger. */
	enterWebhook(entered: ICredentialDataDecryptedObject): Promise<void>;
}

/** An active workflow that starts with the trigger, a new one for each test. */
export function useTrigger(service: Service): TriggerInUse {
	let trigger = load();
	let number = 0;
	let entries = 0;
	let webhookCredential: INodeCredentialsDetails = { id: null, name: '' };
	let stops: Array<() => Promise<void>> = [];
	const inUse: TriggerInUse = {
		workflowId: '',
		staticData: '{}',
		logs: [],
		startFault: undefined,
		restart: () => void (trigger = load()),
		call: async (call) => {
			const node = nodeOf(call.parameters ?? {}, {
				[CREDENTIAL_TYPE]: service.credential,
				[WEBHOOK_CREDENTIAL_TYPE]: webhookCredential,
			});
			return executeWebhook(inUse, trigger, node, withWebhookCredential(service.store), call);
		},
		listen: async (parameters = {}) => {
			const answers: Answered[] = [];
			const { url, stop } = await startHandler((request, response) => {
				const chunks: Buffer[] = [];
				request.on('data', (chunk: Buffer) => chunks.push(chunk));
				request.on('end', () => {
					void inUse
						.call({
							body: Buffer.concat(chunks),
							headers: request.headers as Record<string, string>,
							parameters,
						})
						.then((answered) => {
							answers.push(answered);
							response
								.writeHead(answered.status, { 'content-type': 'application/json' })
								.end(JSON.stringify(answered.body));
						});
				});
			});
			stops.push(stop);
			return { url, answers };
		},
		enterWebhook: async (entered) => {
			webhookCredential = await service.store.save(
				`webhook-credential-${number}-${++entries}`,
				entered,
			);
		},
	};
	beforeEach(async () => {
		number++;
		inUse.workflowId = `trigger-${number}`;
		inUse.staticData = '{}';
		inUse.startFault = undefined;
		inUse.logs = recordLogs();
		await inUse.enterWebhook({
			authentication: 'apiKey',
			headerName: 'x-api-key',
			apiKey: WEBHOOK_KEY,
		});
	});
	afterEach(async () => {
		for (const stop of stops) await stop();
		stops = [];
	});
	return inUse;
}

/** Loads the package as a new process does; n8n's own modules and the time module are kept. */
function load(): INodeType {
	let built: Built | undefined;
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => n8nWorkflow);
		jest.doMock(TIME, () => ({ ...jest.requireActual<object>(TIME), time }));
		built = jest.requireActual<Built>('../../../index.js');
		jest.dontMock('n8n-workflow');
		jest.dontMock(TIME);
	});
	if (built === undefined) throw new Error('The package was not loaded');
	return new built.DocumentWorkflowTrigger();
}

/** The same store, with the fields of the trigger's credential too. */
function withWebhookCredential(store: CredentialsStore): CredentialsStore {
	const getCredentialsProperties: CredentialsStore['getCredentialsProperties'] = (typeName) =>
		typeName === WEBHOOK_CREDENTIAL_TYPE
			? webhookApi.properties
			: store.getCredentialsProperties(typeName);
	return Object.assign(Object.create(store) as CredentialsStore, { getCredentialsProperties });
}

function nodeOf(parameters: INodeParameters, credentials: INode['credentials']): INode {
	return {
		id: 'trigger',
		name: 'Document Workflow Trigger',
		type: TRIGGER_TYPE,
		typeVersion: 2,
		position: [0, 0],
		parameters,
		credentials,
	};
}
