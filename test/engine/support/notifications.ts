/** Notifications of the service, and executions that it notifies of. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { SimulatorConfiguration } from '../../../simulator';
import type { Fault } from '../../../simulator/state/faults';
import { jsonOf } from './answers';
import { runFlow } from './engine';
import { operation, policyItem, workflowById, WORKFLOW_ID, type Service } from './service';
import { until } from './time';
import { WEBHOOK_KEY, type Answered } from './webhook';

type Webhook = NonNullable<
	NonNullable<SimulatorConfiguration['workflows']>[number]['webhooks']
>[number];

export const GET = (action: Fault['action'], more: Partial<Fault> = {}): Fault => ({
	route: 'get',
	action,
	...more,
});

/** A notification as published; fields that are undefined are omitted. */
export function notification(
	executionId: string,
	more: Record<string, unknown> = {},
): Record<string, unknown> {
	return {
		workflow_id: WORKFLOW_ID,
		workflow_execution_id: executionId,
		status: 'completed',
		metadata: {},
		steps: [],
		...more,
	};
}

/** Starts an execution and waits for its end. */
export async function endedExecution(service: Service, workflowId = WORKFLOW_ID): Promise<string> {
	const { error } = await runFlow({
		...service,
		parameters: operation('create', { workflowId: workflowById(workflowId) }),
		items: [policyItem()],
	});
	expect(error).toBeUndefined();
	const executionId = String(service.state.executions.all().at(-1)?.executionId);
	await until(() => service.state.executions.find(executionId)?.status !== 'running');
	return executionId;
}

/** Makes the service notify a URL of executions that end from now on, with the key of the tests. */
export function notify(
	service: Service,
	url: string,
	more: Partial<Webhook> = {},
	workflowId = WORKFLOW_ID,
): void {
	const authentication = { type: 'api_key' as const, header: 'X-API-Key', key: WEBHOOK_KEY };
	service.state.workflows.change(workflowId, {
		webhooks: [
			{ url, authentication, retry: { attempts: 5, firstDelayMilliseconds: 20 }, ...more },
		],
	});
}

/** Waits until this number of deliveries is done; returns the answers. */
export async function delivered(
	service: Service,
	count = 1,
): Promise<Array<string | number | null>> {
	const done = () =>
		service.state.deliveries.all().filter(({ outcome }) => outcome !== 'repeat').length;
	await until(() => done() >= count);
	return service.state.deliveries.all().map(({ answer }) => answer);
}

/** The JSON of the items that start the workflow. */
export function startedJson({ items = [] }: Answered): IDataObject[] {
	return items.map(({ json }) => json);
}

/** The output of Get for an execution. */
export async function outputOfGet(
	service: Service,
	executionId: string,
	parameters: INodeParameters = {},
	workflowId = WORKFLOW_ID,
): Promise<IDataObject[]> {
	const outcome = await runFlow({
		...service,
		parameters: operation('get', {
			workflowId: workflowById(workflowId),
			executionId,
			...parameters,
		}),
	});
	expect(outcome.error).toBeUndefined();
	return jsonOf(outcome);
}
