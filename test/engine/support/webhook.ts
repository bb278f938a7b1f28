/** An active workflow that starts with the trigger of the built package. */
import {
	Workflow,
	type ICredentialDataDecryptedObject,
	type INode,
	type INodeParameters,
	type INodeType,
	type INodeExecutionData,
	type IWebhookData,
	type IWebhookResponseData,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import * as n8nWorkflow from 'n8n-workflow';
import { recordLogs, additionalDataWith } from './engine';
import { CREDENTIAL_TYPE } from './package';
import { startHandler } from '../../servers';
import type { Service } from './service';
import { TIME, timeModule } from './time';
import { WebhookContext } from 'n8n-core';
import type { CredentialsStore } from './credentials-store';

const TRIGGER_TYPE = 'n8n-nodes-document-workflow.documentWorkflowTrigger';

interface Built {
	DocumentWorkflowTrigger: new () => INodeType;
}

interface TriggerInUse extends Kept {
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
		service.entered = { ...service.entered, triggerAuthentication: 'apiKey', apiKey: WEBHOOK_KEY };
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
		jest.doMock(TIME, () => timeModule);
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

export const WEBHOOK_KEY = 'webhook-key-4c1e8d7a90';

export interface Call {
	/** Text is sent unchanged, anything else as JSON; undefined is a call without a body. */
	body?: unknown;
	/** Its body never ends. Reading it fails at once, as if n8n had broken it off. */
	isEndless?: boolean;
	headers?: Record<string, string>;
	parameters?: INodeParameters;
	/** `manual` is Listen for Test Event. */
	mode?: WorkflowExecuteMode;
}

export interface Answered {
	status: number;
	body: unknown;
	/** The items that start the workflow; undefined when it is not started. */
	items: INodeExecutionData[] | undefined;
}

/** What n8n keeps between two calls. */
interface Kept {
	workflowId: string;
	/** The stored static data of the workflow. */
	staticData: string;
	/** While set, n8n fails to start the workflow with it. */
	startFault: Error | undefined;
}

/** Loads the static data before the call and stores it as a whole afterwards: of two simultaneous calls the later one overwrites. */
async function executeWebhook(
	kept: Kept,
	trigger: INodeType,
	node: INode,
	store: CredentialsStore,
	call: Call,
): Promise<Answered> {
	const nodeTypes = {
		getByName: () => trigger,
		getByNameAndVersion: () => trigger,
		getKnownTypes: () => ({}),
	};
	const staticData = JSON.parse(kept.staticData) as never;
	const workflowWith = (nodes: INode[]) =>
		new Workflow({
			id: kept.workflowId,
			name: 'Trigger test',
			nodes,
			connections: {},
			active: true,
			nodeTypes,
			staticData,
			settings: {},
		});
	const workflow = workflowWith([node]);
	const response = new RecordedResponse();
	const { mode = 'webhook' } = call;
	const additionalData = {
		...additionalDataWith(store),
		httpRequest: requestOf(call) as never,
		httpResponse: response as never,
	};
	const started = workflow.getNode(node.name) ?? node;
	const context = new WebhookContext(
		workflow,
		started,
		additionalData,
		mode,
		webhookDataOf(trigger, node, kept.workflowId, additionalData),
		[],
		null,
	);
	const result = await trigger.webhook?.call(context).catch((error: unknown) => error);
	if (result === undefined || result instanceof Error)
		return { status: 500, body: String(result), items: [{ json: {} }] };
	// Not destructured: n8n reads each field only when it needs it.
	const returned = result as IWebhookResponseData;
	const [items] = returned.workflowData ?? [];
	const answered = returned.noWebhookResponse === true;
	// n8n makes a second workflow of the same static data before it starts an n8n execution, and so forgets that they have changed.
	if (items !== undefined) workflowWith([]);
	// n8n writes the n8n execution to its database at this point.
	await new Promise(setImmediate);
	if (items !== undefined && kept.startFault !== undefined) {
		response.status(500).json({ message: kept.startFault.message });
		return { status: 500, body: response.body, items: undefined };
	}
	const message = items === undefined ? 'Webhook call received' : 'Workflow was started';
	const body: unknown = answered ? undefined : (returned.webhookResponse ?? { message });
	if (mode !== 'manual' && Reflect.get(workflow.staticData, '__dataChanged') === true)
		kept.staticData = JSON.stringify(workflow.staticData);
	if (answered) {
		if (response.body === undefined) throw new Error('The call was never answered');
		return { status: response.statusCode, body: response.body, items };
	}
	if (response.body !== undefined) throw new Error('The call was answered twice');
	response.status(200).json(body);
	return { status: 200, body: response.body, items };
}

/** The part of express's response that the trigger may use. */
class RecordedResponse {
	statusCode = 200;
	body: unknown;

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	json(body: unknown): this {
		this.body = JSON.parse(JSON.stringify(body)) as unknown;
		return this;
	}
}

function requestOf({ body, isEndless, headers = { 'x-api-key': WEBHOOK_KEY } }: Call): object {
	const rawBody =
		body === undefined || Buffer.isBuffer(body)
			? body
			: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
	const request: { rawBody?: Buffer } = {};
	const readRawBody = async () => {
		if (isEndless) throw new Error('The body never ends');
		if (rawBody !== undefined) request.rawBody = rawBody;
	};
	return Object.assign(request, {
		method: 'POST',
		headers,
		params: {},
		query: {},
		body: {},
		contentType: headers['content-type'],
		readRawBody,
	});
}

function webhookDataOf(
	{ description }: INodeType,
	{ name }: INode,
	workflowId: string,
	workflowExecuteAdditionalData: IWorkflowExecuteAdditionalData,
): IWebhookData {
	const [webhookDescription] = description.webhooks ?? [];
	if (webhookDescription?.responseMode !== 'onReceived' || webhookDescription.responseData !== '')
		throw new Error('n8n would answer in another way than these tests do');
	return {
		httpMethod: 'POST',
		node: name,
		path: 'document-workflow',
		webhookDescription,
		workflowId,
		workflowExecuteAdditionalData,
	};
}
