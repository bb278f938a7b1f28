import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isMissing } from '../../../../service/cells';
import type { Execution } from '../../../../service/contract';
import { uniqueNames } from '../../../../service/steps';
import { type About, idsOf, withoutUndefined } from '../../about';
import type { Connection } from '../../connection/connect';
import type { ServiceContext } from '../../connection/time';
import { asNodeError, type NodeError } from '../../panel/options';
import { judge, type Judgement } from '../judge/judge';
import type { Doubt } from '../judge/row';
import type { ItemSettings, OutputSettings } from '../settings/settings';
import { type Facts, type ItemFacts, NO_ITEM_FACTS } from '../words/hints';
import { reportOf } from '../words/report/page';
import { makeRows, withoutData } from './rows';
import { makeRaw, makeSelected, makeSimplified, type Material } from './simplified';

export interface ResultContext {
	context: ServiceContext;
	connection: Pick<Connection, 'linkTo'>;
	/** The input items; none in a trigger. */
	inputs: INodeExecutionData[];
}

export interface ResultItems {
	ok: true;
	items: OutputItem[];
	/** What hints say of the data; missing where there is none. */
	facts?: Facts;
	/** What is known of the execution or the skipped input items, whatever the items have. */
	about: About;
}

export interface Failure {
	ok: false;
	error: NodeError;
	/** What is known of the execution. */
	about: About;
	/** Its error says the IDs of that execution. */
	namesExecution?: true;
}

/** The output items of an execution; each has what `aboutSent` says too. Fails when n8n cannot store a report. */
export async function resultOf(
	{ context, connection, inputs }: ResultContext,
	itemIndexes: number[],
	execution: Execution,
	settings: OutputSettings,
	aboutSent: About = {},
): Promise<ResultItems | Failure> {
	const { executionUrl } = connection.linkTo(execution);
	const aboutItems = withoutUndefined({ executionUrl, ...aboutSent });
	const about = { ...idsOf(execution), ...aboutItems };
	try {
		const judgement = await judge(execution, settings, aboutItems);
		const { items, facts } = await shape(judgement, settings, aboutItems);
		const files: NamedFile[] = [];
		if (settings.attachReport)
			files.push(['report', await reportOf(context, judgement, settings, aboutItems)]);
		if (settings.includeFiles) files.push(...collectFiles(inputs, itemIndexes, aboutItems));
		return { ok: true, items: withFiles(items, files), facts, about };
	} catch (error) {
		const place = { context, itemIndex: itemIndexes[0] ?? 0 };
		return { ok: false, error: asNodeError(place, error), about };
	}
}

/** One item about input items, with what is to be kept of them: they were skipped or only sent, or their execution has not ended. */
export function itemOfInput(
	inputs: INodeExecutionData[],
	itemIndexes: number[],
	{ needsReview, ...about }: About,
	settings: ItemSettings,
): OutputItem[] {
	const files = settings.includeFiles ? collectFiles(inputs, itemIndexes, about) : [];
	return withFiles([withoutData(settings, needsReview === true, about)], files);
}

export type OutputItem = Pick<INodeExecutionData, 'json' | 'binary'>;

type NamedFile = [fieldName: string, file: IBinaryData];

/** The files that were sent (`documents`), or all of the input items where the node sent nothing. n8n stores their content once. */
export function collectFiles(
	inputs: INodeExecutionData[],
	itemIndexes: number[],
	{ documents }: About,
): NamedFile[] {
	const filesOf = (index: number) => Object.entries(inputs[index]?.binary ?? {});
	if (documents === undefined) return itemIndexes.flatMap(filesOf);
	return documents.flatMap(({ itemIndex = -1, fieldName }) =>
		filesOf(itemIndex).filter(([name]) => name === fieldName),
	);
}

/** Adds files to the first item. Files of the same field name get numbers: `data`, `data_2`. */
export function withFiles(items: IDataObject[], files: NamedFile[]): OutputItem[] {
	const names = uniqueNames(files.map(([name]) => name));
	const binary = Object.fromEntries(files.map(([name, file], at) => [names[at] ?? name, file]));
	const hasFiles = files.length > 0;
	return items.map((json, index) => (hasFiles && index === 0 ? { json, binary } : { json }));
}

/** The items of an execution, and facts for hints. None has a field `error`: n8n would treat such an item as failed. */
export async function shape(
	judgement: Judgement,
	settings: OutputSettings,
	aboutItems: About = {},
): Promise<{ items: IDataObject[]; facts: Facts }> {
	// The judgement has taken `needsReview` into account.
	const about = withoutUndefined({ ...aboutItems, needsReview: undefined });
	const { items, ...facts } = await itemsOf({ judgement, settings, about });
	return { items, facts: { ...factsOf(judgement, settings), ...facts } };
}

async function itemsOf(material: Material): Promise<ItemFacts & { items: IDataObject[] }> {
	const { output } = material.settings;
	if (output === 'rows') return makeRows(material);
	const make = { simplified: makeSimplified, selected: makeSelected, raw: makeRaw }[output];
	return { items: [await make(material)], ...NO_ITEM_FACTS };
}

function factsOf(
	{ execution, steps, doubts, foundMinimums, lacksScores, texts }: Judgement,
	{ minimums, required }: OutputSettings,
): Omit<Facts, keyof ItemFacts> {
	const unjudged = steps.filter(({ isUnjudged }) => isUnjudged).map(({ name }) => name);
	const stepNames = execution.steps.map(({ name }) => name);
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
	const empty = doubts.filter(({ value }) => isMissing(value));
	return empty.map(({ path }) => String(path.findLast((part) => typeof part === 'string')));
}
