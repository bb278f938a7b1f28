import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { tryTo } from '../../../service/tryTo';
import { type About, executionKey, toJson } from '../about';
import { inputItem } from '../documents/open';
import { shownOf } from '../panel/options';
import { withoutData } from '../results/items/rows';
import { toReviewAbout } from '../results/words/toReview';
import { type Failure, failed, type Job, type JobResult, placeOf, type Result } from './operation';
import type { Journal } from './sending/journal';

export function outputOf(context: IExecuteFunctions, job: Job, result: Result) {
	if (!result.ok) return errorItems(context, job, result);
	const [first = { item: 0 }, ...others] = job.itemIndexes.map((item) => ({ item }));
	const pairedItem = others.length === 0 ? first : [first, ...others];
	return result.items.map((item) => ({ ...item, pairedItem }));
}

/** n8n sends an item to the Error output if `error` is the only field of its JSON. With `item.error` it would lose the IDs. */
function errorItems(
	context: IExecuteFunctions,
	{ itemIndexes, fieldNames }: Job,
	failure: Failure,
): INodeExecutionData[] {
	return itemIndexes.map((itemIndex) => {
		// Files that n8n keeps in the JSON would be a second field. On the Error output they come with the input's fields.
		const addsInput = context.getNode().onError === 'continueErrorOutput';
		const { binary } = addsInput
			? (context.getInputData()[itemIndex] ?? {})
			: inputItem(context, itemIndex);
		const about: About = { ...shownOf(failure.error), ...failure.about };
		const isOwn = ([name]: [string, unknown]) => fieldNames?.includes(name) ?? true;
		return {
			json: addsInput ? { error: toJson(about) } : continueWith(context, itemIndex, about),
			pairedItem: { item: itemIndex },
			...(binary && { binary: Object.fromEntries(Object.entries(binary).filter(isOwn)) }),
		};
	});
}

/** In rows an error is a text, because it would be a column that a table does not have. */
function continueWith(
	context: IExecuteFunctions,
	itemIndex: number,
	about: About,
): INodeExecutionData['json'] {
	// An expression that fails may be the error.
	const read = (name: string) => tryTo(() => context.getNodeParameter(name, itemIndex, ''));
	if (read('output') !== 'rows')
		return { error: toJson(about), needsReview: true, toReview: toReviewAbout(about) };
	const includeDetails = read('outputOptions.includeDetails') === true;
	const json = withoutData({ output: 'rows', includeDetails }, true, about);
	// 'Retry On Fail' repeats a run whose first item has an error. What cannot be listed is no column.
	return Object.defineProperty(json, 'error', { value: about.message });
}

const ADVICE =
	'The data may belong to another document, for example where a proxy repeats an answer. Check both in the dashboard of the service';

/** The results. Creates that sent different content and got the same execution all fail. */
export function failShared(context: IExecuteFunctions, journal: Journal, all: JobResult[]) {
	const contents = new Map<string, Set<string>>();
	const started = all.flatMap(({ job }) => journal.startedBy(job.key) ?? []);
	for (const { execution, sentHash } of started) {
		const known = contents.get(executionKey(execution)) ?? new Set();
		contents.set(executionKey(execution), known.add(sentHash));
	}
	return all.map((each): JobResult => {
		const { job, result } = each;
		const { about } = result;
		const { size } = contents.get(executionKey(about)) ?? new Set();
		if (about.documents === undefined || size < 2) return each;
		const message = `Other documents or text inputs of this run have the same execution ID: ${about.executionId}`;
		return { job, result: failed(placeOf(context, job), message, ADVICE, about) };
	});
}
