import type {
	IBinaryKeyData,
	IExecuteFunctions,
	INodeExecutionData,
	NodeExecutionHint,
} from 'n8n-workflow';

import { type About, toJson } from '../about';
import { inputItem } from '../documents/open';
import { parametersOf, shownOf } from '../panel/options';
import { withoutData } from '../results/items/rows';
import { hintsFor } from '../results/words/hints';
import { toReviewAbout } from '../results/words/toReview';
import type { Failure, Job, Result, Success } from './operation';
import { aboutOf, failed, placeOf } from './operation';

export function outputOf(
	context: IExecuteFunctions,
	job: Job,
	result: Result | undefined,
): INodeExecutionData[] {
	if (result === undefined) return [];
	return result.ok ? successItems(job, result) : errorItems(context, job, result);
}

function successItems(
	{ itemIndexes: [first = 0, ...others] }: Job,
	{ items }: Success,
): INodeExecutionData[] {
	const pairedItem =
		others.length === 0 ? { item: first } : [first, ...others].map((item) => ({ item }));
	return items.map((item) => ({ ...item, pairedItem }));
}

/** n8n sends an item to the Error output if `error` is the only field of its JSON. With `item.error` it would lose the IDs. */
function errorItems(
	context: IExecuteFunctions,
	{ itemIndexes, fieldNames }: Job,
	{ error, json }: Failure,
): INodeExecutionData[] {
	return itemIndexes.map((itemIndex) => {
		// Files that n8n keeps in the JSON would be a second field. On the Error output they come with the input's fields.
		const addsInput = context.getNode().onError === 'continueErrorOutput';
		const { binary } = addsInput
			? (context.getInputData()[itemIndex] ?? {})
			: inputItem(context, itemIndex);
		const about: About = { ...shownOf(error), ...json };
		const files = filesOf(binary, itemIndexes.length === 1 ? fieldNames : undefined);
		return {
			json: addsInput ? { error: toJson(about) } : continueWith(context, itemIndex, about),
			pairedItem: { item: itemIndex },
			...(files === undefined ? {} : { binary: files }),
		};
	});
}

/** In rows an error is a text, because it would be a column that a table does not have. */
function continueWith(
	context: IExecuteFunctions,
	itemIndex: number,
	about: About,
): INodeExecutionData['json'] {
	const read = parametersOf(context, itemIndex);
	if (read('output', '') !== 'rows')
		return { error: toJson(about), needsReview: true, toReview: toReviewAbout(about) };
	const includeDetails = read('outputOptions.includeDetails', false) === true;
	const json = withoutData({ output: 'rows', includeDetails }, true, about);
	// 'Retry On Fail' repeats a run whose first item has an error. What cannot be listed is no column.
	return Object.defineProperty(json, 'error', { value: about.message });
}

/** The files of a job; all files of its item when it names none. */
function filesOf(
	binary: IBinaryKeyData | undefined,
	fieldNames: string[] = [],
): IBinaryKeyData | undefined {
	if (binary === undefined || fieldNames.length === 0) return binary;
	return Object.fromEntries(Object.entries(binary).filter(([name]) => fieldNames.includes(name)));
}

const ADVICE =
	'The data may belong to another document, for example where a proxy repeats an answer. Check both in the dashboard of the service';

/** The results, with a failure for each create that shares its execution with other documents, whose data it may have. */
export function failShared(context: IExecuteFunctions, jobs: Job[], results: Result[]): Result[] {
	const contents = new Map<string, Set<string>>();
	const sent = results.map((result) => sentIn(result));
	for (const each of sent)
		if (each !== undefined)
			contents.set(each.execution, (contents.get(each.execution) ?? new Set()).add(each.content));
	return results.map((result, number) => {
		const { execution = '', executionId = '' } = sent[number] ?? {};
		if ((contents.get(execution)?.size ?? 0) < 2) return result;
		const place = placeOf(context, jobs[number] ?? { itemIndexes: [] });
		const message = `Other documents of this run have the same execution ID: ${executionId}`;
		return failed(place, message, ADVICE, aboutOf(result));
	});
}

/** Undefined where a job sent nothing, or where that is not known. */
function sentIn(
	result: Result,
): { execution: string; executionId: string; content: string } | undefined {
	const { documents, workflowId, executionId } = aboutOf(result);
	if (documents === undefined || executionId === undefined) return undefined;
	const sent = documents.map(({ sha256, address }) => JSON.stringify([sha256, address]));
	const content = JSON.stringify(sent.sort());
	return { execution: JSON.stringify([workflowId, executionId]), executionId, content };
}

/** The hints above the output items, so that nothing is skipped silently. `keptRunning`: why n8n did not pause during a long wait. */
export function hintsOf(
	jobs: ReadonlyArray<Pick<Job, 'itemIndexes'>>,
	results: Result[],
	outputs: INodeExecutionData[][],
	keptRunning?: string,
): NodeExecutionHint[] {
	const all = results.map((result, number) => ({
		itemIndexes: jobs[number]?.itemIndexes ?? [],
		about: aboutOf(result),
		facts: result.ok ? result.facts : undefined,
		items: outputs[number] ?? [],
	}));
	return hintsFor(all, keptRunning);
}
