import type { IDataObject } from 'n8n-workflow';

import type { About } from '../../about';
import type { Judgement } from '../judge/judge';
import type { Doubt } from '../judge/row';
import type { OutputSettings } from '../settings/settings';
import type { Facts } from '../words/hints';
import { makeRows } from './rows';
import { makeRaw, makeSelected, makeSimplified, type Material } from './simplified';

/** An execution as output items, with what hints say of it. */
export interface ShapedItems {
	items: IDataObject[];
	facts: Facts;
}

type ItemFacts = Pick<Facts, 'mixedSteps' | 'renamedFields'>;

/** The items of an execution. None has a top-level field `error`, because n8n would treat the item as failed. */
export async function shape(
	judgement: Judgement,
	settings: OutputSettings,
	beside: About = {},
): Promise<ShapedItems> {
	const about = { ...beside };
	// The judgement has taken it into account.
	delete about.needsReview;
	const { items, ...facts } = await itemsOf({ judgement, settings, about });
	return { items, facts: { ...factsOf(judgement, settings), ...facts } };
}

async function itemsOf(material: Material): Promise<ItemFacts & { items: IDataObject[] }> {
	const { output } = material.settings;
	if (output === 'rows') return makeRows(material);
	const make = { simplified: makeSimplified, selected: makeSelected, raw: makeRaw }[output];
	return { items: [await make(material)], mixedSteps: [], renamedFields: [] };
}

function factsOf(
	{ execution, steps, stepNames, doubts, foundMinimums, lacksScores, texts }: Judgement,
	{ minimums, required }: OutputSettings,
): Omit<Facts, keyof ItemFacts> {
	const unjudged = steps.filter(({ isUnjudged }) => isUnjudged).map(({ name }) => name);
	// While the execution runs, its steps do not exist yet.
	const hasSteps = execution.phase !== 'running' && stepNames.length > 0;
	const entered = hasSteps ? [...minimums.byField.keys()] : [];
	return {
		...texts,
		emptyFields: required.length > 0 ? [] : emptyFieldsIn(doubts),
		unjudgedSteps: lacksScores ? [] : unjudged,
		stepNames,
		unknownMinimums: entered.filter((name) => !foundMinimums.has(name)),
		foundMinimums: [...foundMinimums],
	};
}

function emptyFieldsIn(doubts: Doubt[]): string[] {
	const empty = doubts.filter(({ kind, value }) => kind === 'low' && value === null);
	return empty.map(({ path }) => String(path.findLast((part) => typeof part === 'string')));
}
