import { listedValues, type Setting } from './offered';
import type { Scene } from './scene';

/** How a test shows that a setting has an effect. */
export interface Effect<Scene> {
	/** The scenes in which the effect shows; a default scene unless given. Outcomes differ when they differ in one of the scenes. */
	scenes?: Scene[];
	/**
	 * Values with an outcome other than that of the default. Not needed where the form lists the values. Choose values that are
	 * accepted: a refusal is another outcome too, and shows no effect.
	 */
	values?: unknown[];
}

export const NOT_SET: unique symbol = Symbol('default');

/**
 * Values of a setting that have the same outcome as another: entered values are compared with the default as well, listed values with
 * each other.
 */
export async function valuesWithoutEffect<Scene>(
	{ property }: Setting,
	{ scenes = [{} as Scene], values }: Effect<Scene>,
	outcomeOf: (scene: Scene, value: unknown) => Promise<unknown>,
): Promise<string[]> {
	const listed = listedValues(property);
	const compared = listed.length === 0 ? [NOT_SET, ...(values ?? [])] : listed;
	if (compared.length < 2) return ['there is only one value to compare'];
	const known = new Map<string, string>();
	const same: string[] = [];
	for (const value of compared) {
		const outcomes: unknown[] = [];
		for (const scene of scenes) outcomes.push(await outcomeOf(scene, value));
		const outcome = JSON.stringify(outcomes);
		const name = value === NOT_SET ? 'the default' : JSON.stringify(value);
		const other = known.get(outcome);
		if (other !== undefined) same.push(`${name} does the same as ${other}`);
		known.set(outcome, name);
	}
	return same;
}

export const FIELD_MINIMUMS = { pairs: [{ name: 'premium', minimum: 0.99 }] };
const BY_FIELD = { minimumConfidence: 0, outputOptions: { fieldMinimums: FIELD_MINIMUMS } };

/** The settings of the output, which the operations and the trigger share. */
export const RESULT_EFFECTS: Record<string, Effect<Scene>> = {
	output: { scenes: [{ parameters: { fields: 'premium' } }] },
	fields: { scenes: [{ parameters: { output: 'selected' } }], values: ['premium'] },
	step: { scenes: [{ parameters: { output: 'rows' } }], values: ['policy'] },
	minimumConfidence: { values: [0.4, 0] },
	'outputOptions.attachReport': {},
	'outputOptions.fieldMinimums.pairs.name': {
		scenes: [{ parameters: BY_FIELD }],
		values: ['policy_number', 'limit'],
	},
	'outputOptions.fieldMinimums.pairs.minimum': {
		scenes: [{ parameters: BY_FIELD }],
		values: [0.4],
	},
	'outputOptions.includeDetails': { scenes: [{ parameters: { output: 'rows' } }] },
	'outputOptions.numberFields': {
		scenes: [{ parameters: { outputOptions: { values: 'us' } } }],
		values: ['size'],
	},
	'outputOptions.requiredFields': { values: ['insured'] },
	'outputOptions.values': {},
};
