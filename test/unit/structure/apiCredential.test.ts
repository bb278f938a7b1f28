import { DocumentWorkflowApi } from '../../../credentials/DocumentWorkflowApi.credentials';
import type { Scene } from './scene';
import { outcomeOfAction } from './actionRun';
import { CREDENTIALS } from './scene';
import { settingsIn, withValue } from './offered';
import type { Row } from './row';
import { NOT_SET, valuesWithoutEffect } from './row';

const { properties } = new DocumentWorkflowApi();
const SETTINGS = settingsIn(properties);

const pairs = { pairs: [{ name: 'mailbox', value: 'claims' }] };
const PARAMETERS = {
	operation: 'create',
	workflowId: { __rl: true, mode: 'id', value: 'intake' },
	inputs: { textInputs: pairs, metadata: pairs },
};
const BY_URL: Scene = {
	parameters: { ...PARAMETERS, documents: 'urls', fileUrls: 'https://files.example.com/a.pdf' },
};
const OTHER_NAMES: Scene = { credentials: { otherFieldNames: true } };

/** How each field shows that it is used. */
const ROWS: Record<string, Row<Scene>> = {
	environment: {},
	productionUrl: { values: ['https://other.example.com'] },
	stagingUrl: {
		scenes: [{ credentials: { environment: 'staging' } }],
		values: ['https://other.example.com'],
	},
	clientId: { values: ['other'] },
	clientSecret: { values: ['other-secret'] },
	fileAccessFields: { scenes: [BY_URL], values: ['{"oauth2": {"client_id": "a"}}'] },
	otherFieldNames: { scenes: [{ credentials: { filesField: 'documents' } }] },
	executionIdField: { scenes: [OTHER_NAMES], values: ['job'] },
	filesField: { scenes: [OTHER_NAMES], values: ['documents'] },
	textInputsField: { scenes: [OTHER_NAMES], values: ['inputs'] },
	metadataField: { scenes: [OTHER_NAMES], values: ['tags'] },
	fileUrlsField: { scenes: [{ ...BY_URL, ...OTHER_NAMES }], values: ['links'] },
};

describe('What the form of the Document Workflow API credential offers', () => {
	it('is all that is read of it, but for the token that n8n keeps there', async () => {
		const read = new Set<string>();
		const listener = {
			parameter: () => undefined,
			credential: (name: string) => void read.add(name),
		};
		for (const environment of ['production', 'staging'])
			await outcomeOfAction(
				{
					parameters: PARAMETERS,
					credentials: { ...CREDENTIALS, environment, otherFieldNames: true },
				},
				listener,
			);
		expect([...read].sort()).toEqual(properties.map(({ name }) => name).sort());
	});

	it.each(SETTINGS.map((setting) => [setting.path, setting] as const))(
		'includes %s, which changes what is sent',
		async (path, setting) => {
			const row = ROWS[path];
			if (row === undefined) throw new Error(`Add a row for ${path}: where does its effect show?`);
			const outcomeOf = async (scene: Scene, value: unknown): Promise<unknown> => {
				const given = { ...CREDENTIALS, ...scene.credentials };
				const credentials = value === NOT_SET ? given : withValue(given, path, value);
				return outcomeOfAction({
					parameters: PARAMETERS,
					...scene,
					credentials: credentials as typeof CREDENTIALS,
				});
			};
			expect(await valuesWithoutEffect(setting, row, outcomeOf)).toEqual([]);
		},
	);
});
