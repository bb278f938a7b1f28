import type { INodePropertyOptions } from 'n8n-workflow';

import { operationField } from '../../../nodes/DocumentWorkflow/actions';
import { DocumentWorkflow } from '../../../nodes/DocumentWorkflow/DocumentWorkflow.node';
import { png } from '../../fixtures/images';
import { fileOf, type Scene } from './scene';
import { outcomeOfAction } from './actionRun';
import { differences, listedValues, settingsIn, withValue, type Setting } from './offered';
import {
	FIELD_MINIMUMS,
	RESULT_EFFECTS,
	NOT_SET,
	valuesWithoutEffect,
	type Effect,
} from './effects';

const { properties } = new DocumentWorkflow().description;
const OPERATIONS = (operationField.options as INodePropertyOptions[]).map(({ value }) =>
	String(value),
);
const settingsOf = (operation: string): Setting[] =>
	settingsIn(
		properties.filter(({ displayOptions }) => displayOptions?.show?.operation?.includes(operation)),
	);

/** The node reads these whatever the operation offers: to find it, and to connect to the service for it. */
const READ_BEYOND_THE_OPERATION = ['operation', 'maximumInParallel'];

const pairs = [{ name: 'mailbox', value: 'claims' }];
const REQUIRED = {
	workflowId: { __rl: true, mode: 'id', value: 'intake' },
	executionId: 'e-1',
};

const item = (...files: Array<ReturnType<typeof fileOf>>) => ({
	json: { subject: 'Claim' },
	binary: Object.fromEntries(files.map((file, index) => [index === 0 ? 'data' : 'other', file])),
});
const LOGO = png(20, 20);
const [TEXT, OTHER] = [fileOf('Policy'), fileOf('Claim', 'claim.txt')];
const WITH_TEXT_INPUT = { inputs: { textInputs: pairs } };
const ALL_FILES: Scene = {
	parameters: { inputDataFieldName: '*' },
	items: [item(TEXT, OTHER), item(OTHER)],
};
const ENDS_SOON: Scene = { endsAfterSeconds: 150 };
const NEVER_ENDS: Scene = {
	parameters: { waiting: { longestWaitHours: 0.1 } },
	endsAfterSeconds: Infinity,
};
const OVER_BEFORE_A_PAUSE: Scene = {
	parameters: { waiting: { longestWaitHours: 0.01 } },
	endsAfterSeconds: Infinity,
};

/** How each setting shows that it is used. */
const EFFECTS: Record<string, Effect<Scene>> = {
	...RESULT_EFFECTS,
	workflowId: {
		values: [
			{ __rl: true, mode: 'list', value: 'listed' },
			{ __rl: true, mode: 'id', value: 'claims' },
		],
	},
	executionId: { values: ['e-2'] },
	documents: {
		scenes: [{ parameters: { ...WITH_TEXT_INPUT, fileUrls: 'https://files.example.com/a.pdf' } }],
	},
	inputDataFieldName: { scenes: [{ items: [item(TEXT, OTHER)] }], values: ['other', 'data'] },
	fileUrls: {
		scenes: [{ parameters: { documents: 'urls' } }],
		values: ['https://files.example.com/a.pdf'],
	},
	groupBy: { scenes: [ALL_FILES] },
	'inputs.textInputs.name': {
		scenes: [{ parameters: WITH_TEXT_INPUT }],
		values: ['policy_number'],
	},
	'inputs.textInputs.value': { scenes: [{ parameters: WITH_TEXT_INPUT }], values: ['CPP-1'] },
	'documentOptions.fileNames': { values: ['claim*'] },
	'documentOptions.includeInlineImages': {
		scenes: [
			{
				parameters: ALL_FILES.parameters,
				items: [
					{
						...item(TEXT, fileOf(LOGO, 'logo.png', 'image/png')),
						json: { html: `<img src="data:image/png;base64,${LOGO.toString('base64')}">` },
					},
				],
			},
		],
	},
	'documentOptions.unusableFiles': { scenes: [{ items: [item(fileOf(''))] }] },
	'documentOptions.withoutDocuments': {
		scenes: [
			{ parameters: WITH_TEXT_INPUT, items: [{ json: {} }] },
			{ parameters: { ...WITH_TEXT_INPUT, documentOptions: { fileNames: '*.pdf' } } },
		],
	},
	'outputOptions.includeFiles': {},
	maximumInParallel: {
		scenes: [{ items: [item(TEXT), item(OTHER)] }],
		values: [1],
	},
	'inputs.metadata.name': {
		scenes: [{ parameters: { inputs: { metadata: pairs } } }],
		values: ['sender'],
	},
	'inputs.metadata.value': {
		scenes: [{ parameters: { inputs: { metadata: pairs } } }],
		values: ['motor'],
	},
	'inputs.additional.name': {
		scenes: [{ parameters: { inputs: { additional: pairs } } }],
		values: ['desk'],
	},
	'inputs.additional.value': {
		scenes: [{ parameters: { inputs: { additional: pairs } } }],
		values: ['motor'],
	},
	'documentOptions.skipAlreadySent': { scenes: [{ runs: 2 }] },
	'waiting.firstCheckSeconds': { scenes: [ENDS_SOON], values: [2] },
	'waiting.ifHeld': { scenes: [{ ...OVER_BEFORE_A_PAUSE, ends: 'paused', endsAfterSeconds: 0 }] },
	'waiting.ifTimedOut': { scenes: [OVER_BEFORE_A_PAUSE] },
	'waiting.longestIntervalMinutes': { scenes: [ENDS_SOON], values: [0.2] },
	'waiting.longestWaitHours': { scenes: [{ endsAfterSeconds: 90 }], values: [0.01] },
	'waiting.pauseAfterSeconds': { scenes: [NEVER_ENDS], values: [60] },
};

const outcomeFor =
	(operation: string, path: string) =>
	async (scene: Scene, value: unknown): Promise<unknown> => {
		const given = { ...REQUIRED, operation, ...scene.parameters };
		const parameters = value === NOT_SET ? given : withValue(given, path, value);
		return outcomeOfAction({ ...scene, parameters });
	};

const OFFERED = OPERATIONS.flatMap((operation) =>
	settingsOf(operation).map((setting) => [setting.path, operation, setting] as const),
);

describe('What the panel of the action node offers', () => {
	it.each(OPERATIONS)('is what %s reads, and nothing else is read', async (operation) => {
		const filled = {
			...REQUIRED,
			operation,
			inputs: { textInputs: pairs, metadata: pairs, additional: pairs },
			outputOptions: { fieldMinimums: FIELD_MINIMUMS },
		};
		const settings = settingsOf(operation);
		const choices = settings.flatMap(({ path, property }) =>
			listedValues(property).map((value) => withValue(filled, path, value)),
		);
		const read = new Set<string>();
		const listener = {
			parameter: (path: string) => void read.add(path),
			credential: () => undefined,
		};
		for (const parameters of [filled, ...choices]) await outcomeOfAction({ parameters }, listener);
		const offered = settings.map(({ path }) => path);
		const known = [...read].filter(
			(path) => offered.includes(path) || !READ_BEYOND_THE_OPERATION.includes(path),
		);
		expect(differences(offered, known)).toEqual({
			notRead: [],
			notOffered: [],
		});
	});

	it.each(OFFERED)(
		'includes %s of %s, which changes the outcome of a run',
		async (path, operation, setting) => {
			const effect = EFFECTS[path];
			if (effect === undefined)
				throw new Error(
					`Add an effect for ${path} to EFFECTS here, or of the output to RESULT_EFFECTS in effects.ts`,
				);
			expect(await valuesWithoutEffect(setting, effect, outcomeFor(operation, path))).toEqual([]);
		},
	);

	it('includes operations that each do something else', async () => {
		const outcomes: string[] = [];
		for (const operation of OPERATIONS)
			outcomes.push(
				JSON.stringify(await outcomeOfAction({ parameters: { ...REQUIRED, operation } })),
			);
		expect(new Set(outcomes).size).toBe(OPERATIONS.length);
	});

	it('includes everything that has an effect here', () => {
		const offered = new Set(OFFERED.map(([path]) => path));
		expect(Object.keys(EFFECTS).filter((path) => !offered.has(path))).toEqual([]);
	});

	it('includes each way to enter a workflow', () => {
		const modes = properties.find(({ type }) => type === 'resourceLocator')?.modes ?? [];
		const tried = EFFECTS.workflowId?.values as Array<{ mode: string }>;
		expect(tried.map(({ mode }) => mode)).toEqual(modes.map(({ name }) => name));
	});
});

describe('The outcome of a run', () => {
	it('is the same each time for the same settings', async () => {
		const outcomeOf = outcomeFor('createAndWait', '');
		for (const { scenes = [] } of [{ scenes: [{}] }, ...Object.values(EFFECTS)])
			for (const scene of scenes)
				expect(await outcomeOf(scene, NOT_SET)).toEqual(await outcomeOf(scene, NOT_SET));
	});
});
