import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { DocumentWorkflowApi } from '../../../credentials/DocumentWorkflowApi.credentials';
import { callFields } from '../../../credentials/webhook/methods';
import { DocumentWorkflow } from '../../../nodes/DocumentWorkflow/DocumentWorkflow.node';
import { node } from '../support/context';
import type { Scene } from './scene';
import { outcomeOfAction } from './actionRun';
import { credentialsWith, CREDENTIALS, NOBODY } from './scene';
import { settingsIn, withValue } from './offered';
import type { Effect } from './effects';
import { NOT_SET, valuesWithoutEffect } from './effects';

/** Those for calls of the trigger have a test of their own. */
const properties = new DocumentWorkflowApi().properties.filter(
	({ name }) => !callFields.some((field) => field.name === name),
);
const SETTINGS = settingsIn(properties);

const pairs = [{ name: 'mailbox', value: 'claims' }];
const PARAMETERS = {
	operation: 'create',
	workflowId: { __rl: true, mode: 'id', value: 'intake' },
	inputs: { textInputs: pairs, metadata: pairs },
};
const BY_URL: Scene = {
	parameters: { ...PARAMETERS, documents: 'urls', fileUrls: 'https://files.example.com/a.pdf' },
};

/** How each field shows that it is used. */
const EFFECTS: Record<string, Effect<Scene>> = {
	environment: {},
	productionUrl: { values: ['https://other.example.com'] },
	stagingUrl: {
		scenes: [{ credentials: { environment: 'staging' } }],
		values: ['https://other.example.com'],
	},
	clientId: { values: ['other'] },
	clientSecret: { values: ['other-secret'] },
	executionLink: {
		scenes: [{ parameters: { ...PARAMETERS, operation: 'get', executionId: 'e-1' } }],
		values: ['https://app.example.com/{workflowId}/{executionId}'],
	},
	workflowNames: { values: ['Claims = claims'] },
	fileAccessFields: { scenes: [BY_URL], values: ['{"oauth2": {"client_id": "a"}}'] },
};

/** What the panel lists under From List, or why it lists nothing. */
async function listedWith(credentials: typeof CREDENTIALS, listener = NOBODY): Promise<unknown> {
	const context = { getNode: () => node, getCredentials: credentialsWith(credentials, listener) };
	const { searchWorkflows } = new DocumentWorkflow().methods.listSearch;
	return searchWorkflows
		.call(context as unknown as ILoadOptionsFunctions)
		.catch(({ message }: Error) => message);
}

describe('What the form of the credential offers for requests', () => {
	it('is all that is read of it, by a run and by the list of workflows, but for the token that n8n keeps there', async () => {
		const read = new Set<string>();
		const listener = {
			parameter: () => undefined,
			credential: (name: string) => void read.add(name),
		};
		await listedWith({}, listener);
		for (const environment of ['production', 'staging'])
			await outcomeOfAction(
				{ parameters: PARAMETERS, credentials: { ...CREDENTIALS, environment } },
				listener,
			);
		expect([...read].sort()).toEqual(properties.map(({ name }) => name).sort());
	});

	it.each(SETTINGS.map((setting) => [setting.path, setting] as const))(
		'includes %s, which changes what is sent or listed',
		async (path, setting) => {
			const effect = EFFECTS[path];
			if (effect === undefined)
				throw new Error(`Add an effect for ${path} to EFFECTS here: where does its effect show?`);
			const outcomeOf = async (scene: Scene, value: unknown): Promise<unknown> => {
				const given = { ...CREDENTIALS, ...scene.credentials };
				const credentials = value === NOT_SET ? given : withValue(given, path, value);
				const entered = credentials as typeof CREDENTIALS;
				return [
					await outcomeOfAction({ parameters: PARAMETERS, ...scene, credentials: entered }),
					await listedWith(entered),
				];
			};
			expect(await valuesWithoutEffect(setting, effect, outcomeOf)).toEqual([]);
		},
	);
});
