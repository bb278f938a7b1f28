/** Whole workflows in n8n's own engine: start, items, the node under test, and its output. */
import { ExecutionLifecycleHooks, WorkflowExecute, ExternalSecretsProxy } from 'n8n-core';
import {
	createRunExecutionData,
	setSafeRegexEngine,
	Workflow,
	LoggerProxy,
	type IConnections,
	type INode,
	type INodeCredentialsDetails,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type IRun,
	type IRunExecutionData,
	type IWorkflowExecuteAdditionalData,
	type IWorkflowSettings,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import type { CredentialsStore } from './credentials-store';
import { Collector, GiveItems, ManualStart, type InputItem } from './helper-nodes';
import { CREDENTIAL_TYPE, documentWorkflow, NODE_TYPE } from './package';
import { time, until } from './time';
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';

/** n8n ends each of its own regular expressions after 250 ms by the clock, which a busy machine may need for any of them. */
setSafeRegexEngine({
	exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
	test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
	replace: (pattern, input, flags, by) => input.replace(new RegExp(pattern, flags), by),
	matchAll: (pattern, input, flags) => [...input.matchAll(new RegExp(pattern, `${flags ?? ''}g`))],
	split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
});

const NODE_NAME = 'Document Workflow';
const TOOL_TYPE = `${NODE_TYPE}Tool`;

export interface Flow {
	store: CredentialsStore;
	/** The stored credential, if the node has one. */
	credential?: INodeCredentialsDetails;
	parameters?: INodeParameters;
	items?: InputItem[];
	/** Settings of the node, such as onError. */
	settings?: Partial<INode>;
	workflowSettings?: IWorkflowSettings;
	/** Another node in place of the one under test. */
	node?: INodeType;
	/** Gives one item in each turn of a loop. */
	loops?: boolean;
	/** Calls the node under test as its tool. */
	agent?: INodeType;
}

export interface Outcome {
	status: IRun['status'];
	/** Items of the node by output: 0 is the main one, 1 the Error output. */
	outputs: INodeExecutionData[][];
	/** What the nodes behind the two outputs received. */
	received: [INodeExecutionData[], INodeExecutionData[]];
	/** The error that ended the run. */
	error:
		| (Error & {
				description?: string | null;
				httpCode?: string | null;
				context?: { itemIndex?: number };
		  })
		| undefined;
	/** The errors as the node threw them, before n8n copies parts of them. */
	thrown: unknown[];
	/** The hints above the items in the output pane. */
	hints: string[];
	/** Everything that n8n would store of this run. */
	run: IRun;
	/** When n8n runs the workflow again; undefined unless it is paused. */
	waitTill: Date | undefined;
	/** Runs a paused workflow again from what n8n has stored, as n8n does at the time of the check. */
	continue: () => Promise<Outcome>;
	/** Does what Retry does. For a paused workflow, as if n8n was killed in the run after the pause, of which it stores nothing. */
	retry: () => Promise<Outcome>;
	logs: string[];
}

/** A run in progress. */
interface Running {
	/** n8n's Stop button. */
	stop(): void;
	outcome: Promise<Outcome>;
}

/** Runs a workflow to its end. */
export async function runFlow(flow: Flow): Promise<Outcome> {
	return startFlow(flow).outcome;
}

let lastExecution = 0;

/** Starts a workflow. */
export function startFlow(flow: Flow): Running {
	const collectors: [Collector, Collector] = [new Collector(), new Collector()];
	const thrown: unknown[] = [];
	const types = new Map<string, INodeType>([
		['start', new ManualStart()],
		['items', flow.agent ?? new GiveItems(flow.items ?? [{}], flow.loops)],
		[NODE_TYPE, recordingErrors(flow.node ?? documentWorkflow, thrown)],
		[TOOL_TYPE, recordingErrors(documentWorkflow, thrown)],
		['collector', collectors[0]],
		['failureCollector', collectors[1]],
	]);
	const workflow = new Workflow({
		id: 'engine-test',
		name: 'Engine test',
		nodes: nodesOf(flow),
		connections: connectionsOf(flow),
		active: false,
		nodeTypes: nodeTypesOf(types),
		settings: { executionOrder: 'v1', ...flow.workflowSettings },
	});
	const logs = recordLogs();
	const additionalData = additionalDataOf(flow, workflow);
	const follow = async (execution: Promise<IRun>): Promise<Outcome> => {
		const run = await execution;
		return {
			...outcomeOf(run, collectors),
			thrown,
			logs,
			continue: async () => runAgain(run, additionalData, 'manual'),
			retry: async () =>
				runAgain(run, { ...additionalData, executionId: String(++lastExecution) }, 'retry'),
		};
	};
	const runAgain = async (
		run: IRun,
		additional: IWorkflowExecuteAdditionalData,
		mode: WorkflowExecuteMode,
	) => follow(new WorkflowExecute(additional, mode, stored(run)).processRunExecutionData(workflow));
	const data = createRunExecutionData({});
	const execution = new WorkflowExecute(additionalData, 'manual', data).run({ workflow });
	return { stop: () => execution.cancel(), outcome: follow(execution) };
}

/** What n8n loads of a run from its database, without what failed. */
function stored({ data, waitTill }: IRun): IRunExecutionData {
	const loaded = JSON.parse(JSON.stringify(data)) as IRunExecutionData;
	const { runData, lastNodeExecuted = '' } = loaded.resultData;
	if (runData[lastNodeExecuted]?.at(-1)?.error) runData[lastNodeExecuted]?.pop();
	delete loaded.resultData.error;
	return { ...loaded, waitTill: waitTill ?? undefined };
}

function outcomeOf(
	run: IRun,
	[first, second]: [Collector, Collector],
): Omit<Outcome, 'thrown' | 'logs' | 'continue' | 'retry'> {
	const { runData, error } = run.data.resultData;
	const task = runData[NODE_NAME]?.[0];
	return {
		status: run.status,
		outputs: (task?.data?.main ?? []).map((items) => items ?? []),
		hints: (task?.hints ?? []).map(({ message }) => message),
		received: [first.items, second.items],
		error,
		run,
		waitTill: run.waitTill ?? undefined,
	};
}

/** Wraps the node to record the errors that it throws. */
function recordingErrors(node: INodeType, thrown: unknown[]): INodeType {
	return {
		description: node.description,
		async execute() {
			try {
				return (await node.execute?.call(this)) ?? [];
			} catch (error) {
				thrown.push(error);
				throw error;
			}
		},
	};
}

function nodesOf({ agent, credential, parameters = {}, settings = {} }: Flow): INode[] {
	const plain = (name: string, type: string): INode => ({
		id: name,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	});
	return [
		plain('Start', 'start'),
		plain('Items', 'items'),
		{
			...plain(NODE_NAME, agent ? TOOL_TYPE : NODE_TYPE),
			parameters,
			...(credential === undefined ? {} : { credentials: { [CREDENTIAL_TYPE]: credential } }),
			...settings,
		},
		plain('Received', 'collector'),
		plain('Received failures', 'failureCollector'),
	];
}

const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];

function connectionsOf({ agent, loops = false }: Flow): IConnections {
	const start = { main: [to('Items')] };
	const asTool = { ai_tool: [[{ node: 'Items', type: 'ai_tool' as const, index: 0 }]] };
	if (agent) return { Start: start, [NODE_NAME]: asTool };
	const behind = [...to('Received'), ...(loops ? to('Items') : [])];
	return {
		Start: start,
		Items: { main: [to(NODE_NAME)] },
		[NODE_NAME]: { main: [behind, to('Received failures')] },
	};
}

function nodeTypesOf(types: Map<string, INodeType>): INodeTypes {
	const find = (name: string): INodeType => {
		const type = types.get(name);
		if (type === undefined) throw new Error(`Unknown node type "${name}"`);
		return type;
	};
	return { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) };
}

function additionalDataOf(
	{ store: credentialsHelper }: Flow,
	workflow: Workflow,
): IWorkflowExecuteAdditionalData {
	const executionId = String(++lastExecution);
	const now = new Date();
	const hooks = new ExecutionLifecycleHooks('manual', executionId, {
		id: workflow.id,
		name: 'Engine test',
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: now,
		updatedAt: now,
		nodes: Object.values(workflow.nodes),
		connections: workflow.connectionsBySourceNode,
	});
	return {
		...additionalDataWith(credentialsHelper),
		executionId,
		hooks,
		formWaitingBaseUrl: 'http://127.0.0.1/form-waiting',
		webhookWaitingBaseUrl: 'http://127.0.0.1/webhook-waiting',
	};
}

/** Stops a run as soon as something has happened. `stopMilliseconds`: how long it then went on, by its clock. */
export async function stopWhen(
	running: Running,
	hasHappened: () => boolean,
): Promise<Outcome & { stopMilliseconds: number }> {
	await until(hasHappened);
	const stoppedAt = time.now();
	running.stop();
	const outcome = await running.outcome;
	return { ...outcome, stopMilliseconds: time.now() - stoppedAt };
}

export function additionalDataWith(
	credentialsHelper: CredentialsStore,
): IWorkflowExecuteAdditionalData {
	const unused = async (): Promise<never> => Promise.reject(new Error('Not part of these tests'));
	return {
		credentialsHelper,
		externalSecretsProxy: Container.get(ExternalSecretsProxy),
		currentNodeExecutionIndex: 0,
		executeWorkflow: unused,
		getRunExecutionData: async () => undefined,
		getRuntimeCredential: async () => undefined,
		startRunnerTask: unused,
		logAiEvent: () => undefined,
		variables: {},
		restApiUrl: '',
		instanceBaseUrl: '',
		formBaseUrl: '',
		formWaitingBaseUrl: '',
		formTestBaseUrl: '',
		webhookBaseUrl: '',
		webhookWaitingBaseUrl: '',
		webhookTestBaseUrl: '',
		mcpBaseUrl: '',
		mcpTestBaseUrl: '',
	};
}

/** The lines that n8n and the node write to n8n's log. */
export function recordLogs(): string[] {
	const logs: string[] = [];
	const logger = Container.get(Logger);
	for (const level of ['error', 'warn', 'info', 'debug'] as const) {
		jest.spyOn(logger, level).mockImplementation((...said: unknown[]) => {
			logs.push(
				`${level}: ${said.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(' ')}`,
			);
		});
	}
	LoggerProxy.init(logger);
	return logs;
}
