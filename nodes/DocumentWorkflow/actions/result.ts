import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Execution } from '../../../service/contract';
import type { Fetching } from '../results/fetchSteps';
import { fetchSteps } from '../results/fetchSteps';
import { csvReport, reportFileName } from '../results/report';
import { idsOf, shape } from '../results/shape';
import type { ServiceContext } from '../transport';
import { asNodeError } from './failures';
import type { ResultChoice } from './fields/shaping';
import type { Result, Success } from './operation';

/** What results are made with; the input items are none in a trigger. */
export interface Workbench {
	context: ServiceContext;
	connection: Fetching;
	inputs: INodeExecutionData[];
}

/**
 * The output items of an execution, as the panel wants them. `beside` is what else the items tell, such as the documents that were sent.
 * It fails when data is to be fetched from an address and cannot be had.
 */
export async function resultOf(
	workbench: Workbench,
	itemIndexes: number[],
	given: Execution,
	choice: ResultChoice,
	beside: IDataObject = {},
): Promise<Result> {
	const { context, connection } = workbench;
	const [itemIndex = 0] = itemIndexes;
	try {
		if (!choice.fetchData) return await itemsOf(workbench, itemIndexes, given, choice, beside);
		const { execution, fetched } = await fetchSteps(
			context,
			connection,
			itemIndex,
			given,
			choice.shaping.onlySteps,
		);
		// Raw is the answer as it came, in which there is only the address.
		const raw =
			choice.shaping.output === 'raw' && Object.keys(fetched).length > 0 ? { fetched } : {};
		return await itemsOf(workbench, itemIndexes, execution, choice, { ...raw, ...beside });
	} catch (error) {
		return {
			ok: false,
			error: asNodeError(context.getNode(), error, itemIndex),
			json: { ...idsOf(given), ...beside },
		};
	}
}

async function itemsOf(
	{ context, inputs }: Workbench,
	itemIndexes: number[],
	execution: Execution,
	choice: ResultChoice,
	beside: IDataObject,
): Promise<Success> {
	const shaped = shape(execution, choice.shaping);
	const input = inputBeside(inputs, itemIndexes, choice);
	const report = choice.attachReport ? await reportOf(context, execution, choice) : undefined;
	const items = shaped.items.map((json, index) => {
		const item = { json: { ...json, ...beside, ...input } };
		return report === undefined || index > 0 ? item : { ...item, binary: report };
	});
	return { ok: true, items, shaped, beside };
}

/** The fields of the input item, of several a list, where they are to be kept. */
export function inputBeside(
	inputs: INodeExecutionData[],
	itemIndexes: number[],
	{ includeInput }: ResultChoice,
): IDataObject {
	if (!includeInput) return {};
	const [first = {}, ...others] = itemIndexes.map((index) => inputs[index]?.json ?? {});
	return { input: others.length === 0 ? first : [first, ...others] };
}

async function reportOf(
	context: ServiceContext,
	execution: Execution,
	{ shaping }: ResultChoice,
): Promise<IBinaryKeyData> {
	const csv = Buffer.from(csvReport(execution, shaping), 'utf8');
	return {
		report: await context.helpers.prepareBinaryData(csv, reportFileName(execution), 'text/csv'),
	};
}
