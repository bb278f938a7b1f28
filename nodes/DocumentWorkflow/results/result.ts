import type {
	IDataObject,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import type { Execution } from '../../../service/contract';
import { asNodeError } from '../asNodeError';
import type { ServiceContext } from '../stop';
import type { InputChoice, ResultChoice } from './choice';
import type { Fetching } from './fetchSteps';
import { fetchSteps } from './fetchSteps';
import type { OutputItem } from './files';
import { filesOf, withFiles } from './files';
import { judge } from './judgement';
import { idsOf } from './outputs';
import { reportOf } from './report';
import { withoutData } from './rowItems';
import type { Shaped } from './shape';
import { shape } from './shape';

export interface ResultContext {
	context: ServiceContext;
	connection: Fetching;
	/** The input items; none in a trigger. */
	inputs: INodeExecutionData[];
}

export interface ResultItems {
	ok: true;
	items: OutputItem[];
	/** What hints report about the data. */
	shaped: Shaped;
	/** What is known of the execution, whatever its items have: IDs, status, and documents that were sent. */
	about: IDataObject;
}

export interface ResultFailure {
	ok: false;
	error: NodeApiError | NodeOperationError;
	/** What is known of the execution. */
	json: IDataObject;
}

/**
 * The output items of an execution, as set in the panel; `beside` is added to each of them. Fails when the data of a step has to be
 * fetched from its address and cannot be.
 */
export async function resultOf(
	resultContext: ResultContext,
	itemIndexes: number[],
	given: Execution,
	choice: ResultChoice,
	beside: IDataObject = {},
): Promise<ResultItems | ResultFailure> {
	const { context, connection } = resultContext;
	const { shaping } = choice;
	const [itemIndex = 0] = itemIndexes;
	try {
		if (!choice.fetchData) return await itemsOf(resultContext, itemIndexes, given, choice, beside);
		const { execution, fetched } = await fetchSteps(
			context,
			connection,
			itemIndex,
			given,
			shaping.onlySteps,
		);
		// Raw is the unchanged answer, which has only the address.
		const raw = shaping.output === 'raw' && Object.keys(fetched).length > 0 ? { fetched } : {};
		return await itemsOf(resultContext, itemIndexes, execution, choice, { ...raw, ...beside });
	} catch (error) {
		return {
			ok: false,
			error: asNodeError(context.getNode(), error, itemIndex),
			json: { ...idsOf(given), ...beside },
		};
	}
}

async function itemsOf(
	{ context, inputs }: ResultContext,
	itemIndexes: number[],
	execution: Execution,
	choice: ResultChoice,
	beside: IDataObject,
): Promise<ResultItems> {
	const input = inputBeside(inputs, itemIndexes, choice);
	const { attachReport, shaping } = choice;
	const shaped = shape(execution, shaping, { ...beside, ...input });
	const report = attachReport
		? await reportOf(context, judge(execution, shaping, beside), shaping, beside)
		: undefined;
	const files = choice.includeFiles ? filesOf(inputs, itemIndexes, beside) : [];
	return {
		ok: true,
		items: withFiles(shaped.items, files, report),
		shaped,
		about: { ...idsOf(execution), ...beside },
	};
}

/** The only item of input items without data to show: they were skipped, or their execution has not ended. */
export function itemWithoutData(
	inputs: INodeExecutionData[],
	itemIndexes: number[],
	about: IDataObject,
	choice: ResultChoice,
): OutputItem[] {
	const { output } = choice.shaping;
	return itemOfInput(inputs, itemIndexes, about, choice, (json) => withoutData(output, json));
}

/** One item about input items, with what is to be kept of them. */
export function itemOfInput(
	inputs: INodeExecutionData[],
	itemIndexes: number[],
	about: IDataObject,
	choice: InputChoice,
	place = (json: IDataObject) => json,
): OutputItem[] {
	const json = { ...about, ...inputBeside(inputs, itemIndexes, choice) };
	const files = choice.includeFiles ? filesOf(inputs, itemIndexes, about) : [];
	return withFiles([place(json)], files);
}

/** The fields of the input item as one field, where they are to be included; a list where there are several items. */
function inputBeside(
	inputs: INodeExecutionData[],
	itemIndexes: number[],
	{ includeInput }: InputChoice,
): IDataObject {
	if (!includeInput) return {};
	const [first = {}, ...others] = itemIndexes.map((index) => inputs[index]?.json ?? {});
	return { input: others.length === 0 ? first : [first, ...others] };
}
