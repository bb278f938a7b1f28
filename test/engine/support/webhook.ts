/** An active workflow that starts with the trigger of the built package. */
import type {
	ICredentialDataDecryptedObject,
	INode,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';
import * as n8nWorkflow from 'n8n-workflow';
import { recordLogs } from './around';
import { CREDENTIAL_TYPE } from './package';
import { startHandler } from '../../servers';
import type { Service } from './service';
import { time, TIME } from './time';
import { executeWebhook, WEBHOOK_KEY, type Answered, type Call, type Kept } from './webhook-call';

export { WEBHOOK_KEY } from './webhook-call';

export const TRIGGER_TYPE = 'n8n-nodes-document-workflow.documentWorkflowTrigger';

interface Built {
	DocumentWorkflowTrigger: new () => INodeType;
}

export interface TriggerInUse extends Kept {
	/** All log lines since the test began. */
	logs: string[];
	/** Calls the trigger as the service does, by default with its key. */
	call(call: Call): Promise<Answered>;
	/** Restarts n8n: memory is lost, stored data is kept. */
	restart(): void;
	/** Accepts calls over HTTP with these parameters until the test ends; returns the URL for the service, and the answers. */
	listen(parameters?: INodeParameters): Promise<{ url: string; answers: Answered[] }>;
	/** Stores a new credential that has these settings for calls, and selects it. */
	enterCalls(entered: ICredentialDataDecryptedObject): Promise<void>;
}

/** An active workflow that starts with the trigger, a new one for each test. */
export function useTrigger(service: Service): TriggerInUse {
	let trigger = load();
	let number = 0;
	let entries = 0;
	let stops: Array<() => Promise<void>> = [];
	const inUse: TriggerInUse = {
		workflowId: '',
		staticData: '{}',
		logs: [],
		startFault: undefined,
		restart: () => void (trigger = load()),
		call: async (call) => {
			const node = nodeOf(call.parameters ?? {}, { [CREDENTIAL_TYPE]: service.credential });
			return executeWebhook(inUse, trigger, node, service.store, call);
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
		enterCalls: async (entered) => {
			service.credential = await service.store.save(`trigger-${number}-${++entries}`, {
				...service.entered,
				...entered,
			});
		},
	};
	beforeEach(async () => {
		number++;
		inUse.workflowId = `trigger-${number}`;
		inUse.staticData = '{}';
		inUse.startFault = undefined;
		inUse.logs = recordLogs();
		service.entered = { ...service.entered, callsOfTrigger: 'apiKey', apiKey: WEBHOOK_KEY };
		await service.enter({});
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
