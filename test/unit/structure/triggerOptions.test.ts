import { triggerFields } from '../../../nodes/DocumentWorkflow/trigger/fields';
import {
	CREDENTIALS,
	NOBODY,
	SILENT,
	credentialsWith,
	httpOf,
	inFakeTime,
	parametersOf,
	prepare,
	FakeService,
	type Scene,
} from './scene';
import { differences, listedValues, settingsIn, withValue } from './offered';
import {
	FIELD_MINIMUMS,
	RESULT_EFFECTS,
	NOT_SET,
	valuesWithoutEffect,
	type Effect,
} from './effects';
import type { IDataObject, INodeTypeDescription, IWebhookFunctions } from 'n8n-workflow';
import { DocumentWorkflowTrigger } from '../../../nodes/DocumentWorkflow/DocumentWorkflowTrigger.node';
import { node } from '../support/context';

let triggers = 0;

/** Everything that can be seen of the trigger: its address, what it asks the service for, its answers and what it starts. */
async function outcomeOfTrigger(scene: Scene, listener = NOBODY): Promise<unknown> {
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
			getCredentials: credentialsWith({ ...credentials, triggerAuthentication: 'none' }, listener),
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

const SETTINGS = settingsIn(triggerFields);
/** How each setting shows that it is used. */
const EFFECTS: Record<string, Effect<Scene>> = {
	...RESULT_EFFECTS,
	path: { values: ['claims'] },
	events: { scenes: [{}, { ends: 'failed' }], values: [['completed'], ['failed'], []] },
};

const outcomeFor =
	(path: string) =>
	async (scene: Scene, value: unknown): Promise<unknown> => {
		const given = scene.parameters ?? {};
		const parameters = value === NOT_SET ? given : withValue(given, path, value);
		return outcomeOfTrigger({ ...scene, parameters });
	};

describe('What the panel of the trigger offers', () => {
	it('is what it reads, and nothing else is read', async () => {
		const read = new Set<string>();
		const listener = {
			parameter: (path: string) => void read.add(path),
			credential: () => undefined,
		};
		const filled = { outputOptions: { fieldMinimums: FIELD_MINIMUMS } };
		const choices = SETTINGS.flatMap(({ path, property }) =>
			listedValues(property).map((value) => withValue(filled, path, value)),
		);
		for (const parameters of [filled, ...choices]) await outcomeOfTrigger({ parameters }, listener);
		const offered = SETTINGS.map(({ path }) => path);
		expect(differences(offered, read)).toEqual({ notRead: [], notOffered: [] });
	});

	it.each(SETTINGS.map((setting) => [setting.path, setting] as const))(
		'includes %s, which changes the outcome of a call',
		async (path, setting) => {
			const effect = EFFECTS[path];
			if (effect === undefined)
				throw new Error(
					`Add an effect for ${path} to EFFECTS here, or of the output to RESULT_EFFECTS in effects.ts`,
				);
			expect(await valuesWithoutEffect(setting, effect, outcomeFor(path))).toEqual([]);
		},
	);

	it('includes everything that has an effect here', () => {
		const offered = new Set(SETTINGS.map(({ path }) => path));
		expect(Object.keys(EFFECTS).filter((path) => !offered.has(path))).toEqual([]);
	});
});

describe('The outcome of a call', () => {
	it('is the same each time for the same settings', async () => {
		for (const { scenes = [] } of [{ scenes: [{}] }, ...Object.values(EFFECTS)])
			for (const scene of scenes)
				expect(await outcomeOfTrigger(scene)).toEqual(await outcomeOfTrigger(scene));
	});
});
