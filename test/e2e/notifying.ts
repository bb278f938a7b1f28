import axios from 'axios';
import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import type { WorkflowJson } from '../../harness/n8n-rest';
import type { SimulatorConfiguration } from '../../simulator';
import { documentWorkflowTrigger, type NodeJson } from './flows';
import { until, WEBHOOK_KEY, type World } from './support';

/** How the service calls a trigger. */
export type Webhook = Partial<
	NonNullable<NonNullable<SimulatorConfiguration['workflows']>[number]['webhooks']>[number]
>;

interface Wanted {
	/** The workflows of the service that notify the trigger. */
	workflowIds: string[];
	/** Parameters of the trigger. */
	parameters?: Record<string, unknown>;
	/** How the service calls, where it differs from the default: a key in a header. */
	webhook?: Webhook;
	/** The address at which the service calls, if not the trigger's own. */
	through?: (url: string) => string;
	/** Other settings of the trigger's node, such as credentials. */
	settings?: Partial<NodeJson>;
}

/** An active n8n workflow that starts with the trigger. */
export interface Notified {
	id: string;
	/** The production URL. */
	url: string;
	/** Calls it as the service does; returns the status and the body of the answer. */
	call: (
		body: unknown,
		headers?: Record<string, string>,
	) => Promise<{ status: number; data: unknown }>;
}

/** Runs `work` while an n8n workflow with a trigger is active, which the service notifies of the executions of some workflows. */
export async function withTrigger<T>(
	{ client, n8n, simulator, ...rest }: World,
	wanted: Wanted,
	work: (notified: Notified) => Promise<T>,
): Promise<T> {
	const { workflowIds, parameters = {}, webhook = {}, settings = {}, through } = wanted;
	const { state } = simulator;
	const path = randomUUID();
	const trigger = {
		...documentWorkflowTrigger({ client, n8n, simulator, ...rest }, { path, ...parameters }),
		...settings,
	};
	const flow: WorkflowJson = { name: 'Notified', nodes: [trigger], connections: {} };
	const id = await client.createWorkflow(flow);
	await client.activate(id);
	const url = `${n8n.webhookUrl}/webhook/${path}`;
	const post = async (body: unknown, headers: Record<string, string>) =>
		axios
			.post<unknown>(url, body, {
				headers,
				validateStatus: () => true,
				proxy: false,
				maxBodyLength: Infinity,
				httpAgent: new Agent(), // n8n may be closing a connection that is used again
			})
			.catch((error: unknown) => {
				throw new Error(String(error)); // jest cannot store an error that holds its connection
			});
	state.deliveries.clear();
	const authentication = { type: 'api_key' as const, header: 'x-api-key', key: WEBHOOK_KEY };
	const retry = { attempts: 100, firstDelayMilliseconds: 200, longestDelayMilliseconds: 2_000 };
	const webhooks = [{ url: through?.(url) ?? url, authentication, retry, ...webhook }];
	for (const workflowId of workflowIds) state.workflows.change(workflowId, { webhooks });
	try {
		const result = await work({
			id,
			url,
			call: async (body, headers = {}) =>
				post(body, { 'x-api-key': WEBHOOK_KEY, 'content-type': 'application/json', ...headers }),
		});
		// Later notifications would be counted by the next test.
		await until(() => state.deliveries.isIdle());
		return result;
	} finally {
		for (const workflowId of workflowIds) state.workflows.change(workflowId, { webhooks: [] });
		await client.deactivate(id);
	}
}
