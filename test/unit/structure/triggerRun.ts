import type { IDataObject, INodeTypeDescription, IWebhookFunctions } from 'n8n-workflow';

import { DocumentWorkflowTrigger } from '../../../nodes/DocumentWorkflow/DocumentWorkflowTrigger.node';
import { node } from '../support/context';
import { FakeService } from './fakeService';
import type { Scene } from './scene';
import {
	CREDENTIALS,
	NOBODY,
	SILENT,
	credentialsWith,
	httpOf,
	inFakeTime,
	parametersOf,
	prepare,
} from './scene';

let triggers = 0;

/** Everything that can be seen of the trigger: its address, what it asks the service for, its answers and what it starts. */
export async function outcomeOfTrigger(scene: Scene, listener = NOBODY): Promise<unknown> {
	return inFakeTime(async (clock) => {
		const { parameters = {}, credentials = CREDENTIALS } = scene;
		// The package remembers calls by the trigger.
		const number = ++triggers;
		const trigger = new DocumentWorkflowTrigger();
		const read = parametersOf(trigger.description, parameters, listener);
		const service = new FakeService(clock, scene);
		const staticData: IDataObject = {};
		const outcomes: unknown[] = [];
		const ids = { workflow_id: 'intake', workflow_execution_id: 'e-1' };
		const rawBody = Buffer.from(JSON.stringify({ ...ids, ...service.state() }));
		const response = {
			statusCode: 200,
			status: (code: number) => ({ json: (said: object) => outcomes.push([code, said]) }),
			once: () => undefined,
		};
		const context = {
			getNode: () => node,
			getMode: () => 'webhook',
			getWorkflow: () => ({ id: `trigger-${number}` }),
			getWorkflowStaticData: () => staticData,
			getNodeParameter: read,
			getRequestObject: () => ({ rawBody, readRawBody: async () => Promise.resolve() }),
			getResponseObject: () => response,
			getHeaderData: () => ({}),
			getCredentials: credentialsWith({ ...credentials, callsOfTrigger: 'none' }, listener),
			logger: SILENT,
			helpers: { ...httpOf(service, credentials, listener), prepareBinaryData: prepare },
		};
		// n8n reads each field of what is returned.
		outcomes.push({ ...(await trigger.webhook.call(context as unknown as IWebhookFunctions)) });
		const address = addressOf(trigger.description, read);
		return { address, outcomes, requests: service.requests };
	});
}

/** n8n puts the parameters that the address names into it. */
function addressOf(
	{ webhooks }: INodeTypeDescription,
	read: (name: string, fallback: unknown) => unknown,
): string {
	return JSON.stringify(webhooks).replaceAll(/\$parameter\[\\"(\w+)\\"\]/g, (_, name: string) =>
		String(read(name, '')),
	);
}
