import { triggerFields } from '../../../nodes/DocumentWorkflow/trigger/fields';
import type { Scene } from './scene';
import { outcomeOfTrigger } from './triggerRun';
import { differences, listedValues, settingsIn, withValue } from './offered';
import { FIELD_MINIMUMS, RESULT_ROWS } from './resultRows';
import type { Row } from './row';
import { NOT_SET, valuesWithoutEffect } from './row';

const SETTINGS = settingsIn(triggerFields);
/** How each setting shows that it is used. */
const ROWS: Record<string, Row<Scene>> = {
	...RESULT_ROWS,
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
			const row = ROWS[path];
			if (row === undefined) throw new Error(`Add a row for ${path}: where does its effect show?`);
			expect(await valuesWithoutEffect(setting, row, outcomeFor(path))).toEqual([]);
		},
	);

	it('includes everything that has a row here', () => {
		const offered = new Set(SETTINGS.map(({ path }) => path));
		expect(Object.keys(ROWS).filter((path) => !offered.has(path))).toEqual([]);
	});
});

describe('The outcome of a call', () => {
	it('is the same each time for the same settings', async () => {
		for (const { scenes = [] } of [{ scenes: [{}] }, ...Object.values(ROWS)])
			for (const scene of scenes)
				expect(await outcomeOfTrigger(scene)).toEqual(await outcomeOfTrigger(scene));
	});
});
