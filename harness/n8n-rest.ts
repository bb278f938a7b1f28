import axios, { type AxiosInstance } from 'axios';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { executionOf, executionRecord, type Execution } from './n8n-execution';
import type { N8n } from './n8n';

export interface Login {
	email: string;
	password: string;
}

export interface CredentialInput {
	name: string;
	type: string;
	data: Record<string, unknown>;
}

const node = z.object({ name: z.string(), type: z.string() }).passthrough();
/** The parts of an exported workflow that are used here. */
export const workflowJson = z
	.object({ name: z.string(), nodes: z.array(node), connections: z.record(z.unknown()) })
	.passthrough();
const storedWorkflow = workflowJson.extend({ id: z.string(), versionId: z.string().optional() });
const identified = z.object({ id: z.string() });
const testResult = z.object({ status: z.enum(['OK', 'Error']), message: z.string() });

export type WorkflowJson = z.input<typeof workflowJson>;

const PUBLICATION_TIMEOUT = 180_000; // milliseconds; seen: 0.2 s
const STORED_TIMEOUT = 180_000; // milliseconds

/** Between two checks of an execution, in milliseconds; longer for a long wait, because many may wait at once. */
const pollOf = (timeout: number) => (timeout > STORED_TIMEOUT ? 1_000 : 200);

/** n8n's own REST interface, as the editor uses it, signed in as the owner. Calls fail with n8n's own message. */
export interface N8nClient {
	login: Login;
	createCredential(credential: CredentialInput): Promise<string>;
	/** The result of "Test" in the credential's panel; `data` are the values in the panel. */
	testCredential(id: string, credential: CredentialInput): Promise<z.infer<typeof testResult>>;
	/** The credential's fields as the editor gets them, with secrets blanked by n8n. */
	credentialData(id: string): Promise<Record<string, unknown>>;
	updateCredential(id: string, credential: CredentialInput): Promise<void>;
	/** A new key for n8n's public API with these scopes, such as "workflow:read". */
	createApiKey(scopes: string[]): Promise<string>;
	/** Creates a data table (n8n 2) with columns and their types in the owner's project. */
	createDataTable(name: string, columns: Record<string, string>): Promise<string>;
	dataTableRows(id: string): Promise<Array<Record<string, unknown>>>;
	createWorkflow(json: WorkflowJson): Promise<string>;
	/** Returns when its triggers have started. */
	activate(id: string): Promise<void>;
	/** Returns when its triggers have ended. */
	deactivate(id: string): Promise<void>;
	/** Deletes a workflow with its executions. */
	deleteWorkflow(id: string): Promise<void>;
	/** Starts a manual run from the workflow's (named or first) trigger, up to a node if one is named; returns the execution's id. */
	run(workflowId: string, trigger?: string, upTo?: string): Promise<string>;
	/** Does what "Listen for test event" does: the next call of the trigger's test URL runs the workflow. */
	listen(workflowId: string): Promise<void>;
	execution(id: string): Promise<Execution>;
	/**
	 * The ids of a workflow's executions, manual or not, the oldest first. With `atLeast` it waits until n8n has stored as many: n8n may answer a
	 * call before it has stored the execution that the call starts.
	 */
	executionIds(workflowId: string, atLeast?: number): Promise<string[]>;
	/** How many of a workflow's executions have a status. */
	countExecutions(workflowId: string, status: string): Promise<number>;
	/** The execution once it has ended; fails after `timeout` milliseconds. */
	waitForExecution(id: string, timeout?: number): Promise<Execution>;
	/** Creates the workflow, runs it and waits for its end. */
	runToEnd(json: WorkflowJson, timeout?: number): Promise<Execution>;
	/** Does what *Retry* in the list of executions does and waits for the end; returns the id of the new n8n execution. */
	retryExecution(id: string): Promise<string>;
	stopExecution(id: string): Promise<void>;
	/** What n8n's migration report for the next major version finds in the stored workflows (n8n 2), by the name of the workflow. */
	migrationIssues(): Promise<Array<{ workflow: string; rule: string; issue: string }>>;
}

const migrationReport = z.object({
	report: z.object({
		workflowResults: z.array(z.object({ ruleId: z.string() })),
	}),
});
const migrationRule = z.object({
	affectedWorkflows: z.array(
		z.object({ name: z.string(), issues: z.array(z.object({ title: z.string() })) }),
	),
});

/** Sets up the owner of a fresh n8n, or signs in when `login` is given, and returns the client. */
export async function connect(n8n: Pick<N8n, 'url' | 'line'>, login?: Login): Promise<N8nClient> {
	const http = axios.create({
		baseURL: `${n8n.url}/rest`,
		headers: { 'browser-id': randomUUID() },
		maxRedirects: 0,
		// n8n may close a kept connection at the moment it is reused.
		httpAgent: new Agent({ keepAlive: false }),
		proxy: false,
		validateStatus: () => true,
	});
	const owner = login ?? {
		email: 'owner@example.com',
		password: `Demo${randomBytes(9).toString('hex')}`,
	};
	const signIn = login
		? { path: '/login', body: { emailOrLdapLoginId: owner.email, password: owner.password } }
		: { path: '/owner/setup', body: { ...owner, firstName: 'Demo', lastName: 'Owner' } };
	const response = await http.post<unknown>(signIn.path, signIn.body);
	if (response.status !== 200)
		throw new Error(
			`n8n rejected ${signIn.path}: ${response.status} ${JSON.stringify(response.data)}`,
		);
	http.defaults.headers.common.Cookie = (response.headers['set-cookie'] ?? [])
		.map((cookie) => cookie.split(';')[0])
		.join('; ');
	return client(n8n.line, owner, caller(http));
}

/** n8n stores the status of an ended execution before the data of its nodes. */
function isComplete({ status, runs, error, waitTill }: Execution): boolean {
	if (
		['new', 'running', 'waiting'].includes(status) ||
		(status !== 'canceled' && waitTill !== null)
	)
		return false;
	return status === 'canceled' || error !== undefined || Object.keys(runs).length > 0;
}

const ATTEMPTS_WHEN_BUSY = 30;

/** On a busy machine n8n gives up checking the parameters of a workflow before it runs. */
function isBusy(status: number, data: unknown): boolean {
	return status === 500 && JSON.stringify(data).includes('Regular expression execution timed out');
}

class Rejection extends Error {
	constructor(
		readonly status: number,
		message: string,
	) {
		super(message);
	}
}

function ifMissing(error: unknown): undefined {
	if (!(error instanceof Rejection && error.status === 404)) throw error;
}

type Call = <T extends z.ZodTypeAny>(
	method: string,
	path: string,
	shape: T,
	body?: unknown,
) => Promise<z.infer<T>>;

function caller(http: AxiosInstance): Call {
	return async (method, path, shape, body) => {
		// An error of axios holds its request, which jest cannot write as JSON.
		const ask = async () =>
			http.request<unknown>({ method, url: path, data: body }).catch((error: unknown) => {
				throw new Error(`n8n did not answer ${method} ${path}: ${String(error)}`);
			});
		let { status, data } = await ask();
		for (let attempt = 1; isBusy(status, data) && attempt < ATTEMPTS_WHEN_BUSY; attempt++) {
			await sleep(1_000);
			({ status, data } = await ask());
		}
		if (status !== 200)
			throw new Rejection(
				status,
				`n8n rejected ${method} ${path}: ${status} ${JSON.stringify(data)}`,
			);
		return z.object({ data: shape }).parse(data).data;
	};
}

function client(line: N8n['line'], login: Login, call: Call): N8nClient {
	const workflowById = async (id: string) => call('GET', `/workflows/${id}`, storedWorkflow);

	/** n8n 2.41 answers before the triggers have started or ended, and says the old status for a moment. 2.11 answers after them. */
	const publicationOf = async (id: string, before: string): Promise<string | undefined> => {
		const deadline = Date.now() + PUBLICATION_TIMEOUT;
		const path = `/workflows/${id}/publication-status`;
		for (;;) {
			const answer = await call('GET', path, z.object({ status: z.string() })).catch(ifMissing);
			if (answer === undefined) return undefined;
			const { status } = answer;
			if (!['in_progress', before].includes(status) || Date.now() > deadline) return status;
			await sleep(50);
		}
	};

	const activate = async (id: string) => {
		const { versionId } = await workflowById(id);
		if (line === 'n8n-1')
			await call('PATCH', `/workflows/${id}`, z.unknown(), { active: true, versionId });
		else {
			await call('POST', `/workflows/${id}/activate`, z.unknown(), { versionId });
			const status = await publicationOf(id, 'not_published');
			if (status !== undefined && status !== 'published')
				throw new Error(`n8n did not start the triggers of workflow ${id}: ${status}`);
		}
	};
	const deactivate = async (id: string) => {
		const { versionId } = await workflowById(id);
		if (line === 'n8n-1')
			await call('PATCH', `/workflows/${id}`, z.unknown(), { active: false, versionId });
		else {
			await call('POST', `/workflows/${id}/deactivate`, z.unknown(), {});
			await publicationOf(id, 'published');
		}
	};

	const deleteWorkflow = async (id: string) => {
		await call('POST', `/workflows/${id}/archive`, z.unknown(), {});
		await call('DELETE', `/workflows/${id}`, z.unknown());
	};

	const createWorkflow = async (json: WorkflowJson) =>
		(await call('POST', '/workflows', identified, { settings: {}, ...json, active: false })).id;

	const run = async (workflowId: string, trigger?: string, upTo?: string) => {
		const workflowData = await workflowById(workflowId);
		const start = trigger ?? workflowData.nodes.find(({ type }) => type.endsWith('Trigger'))?.name;
		if (!start) throw new Error(`Workflow "${workflowData.name}" has no trigger to start from.`);
		// n8n 1 runs the workflow in the body; n8n 2 ignores it and runs the stored one.
		const destination = upTo && { destinationNode: { nodeName: upTo, mode: 'inclusive' } };
		const body = { workflowData, triggerToStartFrom: { name: start }, ...destination };
		return (
			await call(
				'POST',
				`/workflows/${workflowId}/run`,
				z.object({ executionId: z.string() }),
				body,
			)
		).executionId;
	};

	const listen = async (workflowId: string) => {
		const workflowData = await workflowById(workflowId);
		const start = workflowData.nodes.find(({ type }) => type.endsWith('Trigger'))?.name;
		const body = { workflowData, triggerToStartFrom: { name: start } };
		await call(
			'POST',
			`/workflows/${workflowId}/run`,
			z.object({ waitingForWebhook: z.literal(true) }),
			body,
		);
	};

	const execution = async (id: string) =>
		executionOf(await call('GET', `/executions/${id}`, executionRecord));

	const storedIds = async (workflowId: string) => {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const { results } = await call(
			'GET',
			`/executions?filter=${filter}&limit=100`,
			z.object({ results: z.array(identified) }),
		);
		// n8n 1 may list an execution twice while it ends.
		return [...new Set(results.map(({ id }) => id))].sort((a, b) => Number(a) - Number(b));
	};

	const executionIds = async (workflowId: string, atLeast = 0) => {
		const deadline = Date.now() + STORED_TIMEOUT;
		for (;;) {
			const ids = await storedIds(workflowId);
			if (ids.length >= atLeast) return ids;
			if (Date.now() > deadline)
				throw new Error(
					`n8n has ${ids.length} executions of workflow ${workflowId}, not ${atLeast}, after ${STORED_TIMEOUT / 1000} s.`,
				);
			await sleep(200);
		}
	};

	const countExecutions = async (workflowId: string, status: string) => {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status: [status] }));
		return (
			await call('GET', `/executions?filter=${filter}&limit=1`, z.object({ count: z.number() }))
		).count;
	};

	const waitForExecution = async (id: string, timeout = STORED_TIMEOUT): Promise<Execution> => {
		const deadline = Date.now() + timeout;
		for (;;) {
			const current = await execution(id);
			if (isComplete(current)) return current;
			if (Date.now() > deadline)
				throw new Error(`Execution ${id} is still ${current.status} after ${timeout / 1000} s.`);
			await sleep(pollOf(timeout));
		}
	};

	const dataTables = async () => {
		const { id } = await call('GET', '/projects/personal', identified);
		return `/projects/${id}/data-tables`;
	};

	const migrationIssues = async () => {
		const path = '/breaking-changes/report';
		const { report } = await call('POST', `${path}/refresh?version=v3`, migrationReport);
		const found = [];
		for (const { ruleId } of report.workflowResults) {
			const { affectedWorkflows } = await call('GET', `${path}/${ruleId}`, migrationRule);
			for (const { name, issues } of affectedWorkflows)
				for (const { title } of issues) found.push({ workflow: name, rule: ruleId, issue: title });
		}
		return found;
	};

	return {
		login,
		migrationIssues,
		createDataTable: async (name, columns) => {
			const body = {
				name,
				columns: Object.entries(columns).map(([each, type]) => ({ name: each, type })),
			};
			return (await call('POST', await dataTables(), identified, body)).id;
		},
		dataTableRows: async (id) => {
			const rows = z.object({ data: z.array(z.record(z.unknown())) });
			return (await call('GET', `${await dataTables()}/${id}/rows`, rows)).data;
		},
		createWorkflow,
		activate,
		deactivate,
		deleteWorkflow,
		run,
		listen,
		execution,
		executionIds,
		countExecutions,
		waitForExecution,
		createCredential: async (credential) =>
			(await call('POST', '/credentials', identified, credential)).id,
		updateCredential: async (id, credential) =>
			void (await call('PATCH', `/credentials/${id}`, z.unknown(), credential)),
		createApiKey: async (scopes) => {
			// n8n 1 makes equal keys within a second unless they expire at different times, and refuses the second.
			const expiresAt = Math.round(Date.now() / 1000) + 86_400 + randomInt(1_000_000);
			const body = { label: randomUUID(), expiresAt, scopes };
			const created = z.object({ rawApiKey: z.string() });
			return (await call('POST', '/api-keys', created, body)).rawApiKey;
		},
		testCredential: async (id, credential) =>
			call('POST', '/credentials/test', testResult, { credentials: { id, ...credential } }),
		credentialData: async (id) =>
			(
				await call(
					'GET',
					`/credentials/${id}?includeData=true`,
					z.object({ data: z.record(z.unknown()) }).passthrough(),
				)
			).data,
		runToEnd: async (json, timeout) =>
			waitForExecution(await run(await createWorkflow(json)), timeout),
		retryExecution: async (id) =>
			(await call('POST', `/executions/${id}/retry`, identified, { loadWorkflow: false })).id,
		stopExecution: async (id) => void (await call('POST', `/executions/${id}/stop`, z.unknown())),
	};
}
