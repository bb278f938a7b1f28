import type {
	IBinaryKeyData,
	IDataObject,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import type { Execution } from '../../../service/contract';
import { asNodeError } from '../asNodeError';
import { asAttached } from '../attachedFile';
import type { ServiceContext } from '../stop';
import type { ResultChoice } from './choice';
import type { Fetching } from './fetchSteps';
import { fetchSteps } from './fetchSteps';
import type { Report } from './report';
import { csvReport, reportFileName } from './report';
import type { Shaped } from './shape';
import { idsOf, shape } from './shape';

export interface ResultContext {
	context: ServiceContext;
	connection: Fetching;
	/** The input items; none in a trigger. */
	inputs: INodeExecutionData[];
}

export type OutputItem = Pick<INodeExecutionData, 'json' | 'binary'>;

export interface ResultItems {
	ok: true;
	items: OutputItem[];
	/** What hints report about the data. */
	shaped: Shaped;
	/** Whether the report has a line per value instead of per row. */
	hasLongReport: boolean;
	/** Fields of all items in addition to the data, such as the documents that were sent; known also where no item is left. */
	beside: IDataObject;
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
	const shaped = shape(execution, choice.shaping);
	const input = inputBeside(inputs, itemIndexes, choice);
	const csv = choice.attachReport ? csvReport(execution, choice.shaping) : undefined;
	const report = csv && (await attached(context, execution, csv));
	const items = shaped.items.map((json, index) => {
		const item = { json: { ...json, ...beside, ...input } };
		return report === undefined || index > 0 ? item : { ...item, binary: report };
	});
	return { ok: true, items, shaped, hasLongReport: csv?.isLong === true, beside };
}

/** The fields of the input item as one field, where they are to be included; a list where there are several items. */
export function inputBeside(
	inputs: INodeExecutionData[],
	itemIndexes: number[],
	{ includeInput }: ResultChoice,
): IDataObject {
	if (!includeInput) return {};
	const [first = {}, ...others] = itemIndexes.map((index) => inputs[index]?.json ?? {});
	return { input: others.length === 0 ? first : [first, ...others] };
}

async function attached(
	context: ServiceContext,
	execution: Execution,
	{ csv }: Report,
): Promise<IBinaryKeyData> {
	const bytes = Buffer.from(csv, 'utf8');
	const file = await context.helpers.prepareBinaryData(
		bytes,
		reportFileName(execution),
		'text/csv',
	);
	return { report: asAttached(file) };
}
