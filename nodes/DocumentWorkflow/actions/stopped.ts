import type { IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../../../service/contract';
import type { Journal } from './journal';

/** n8n keeps ten custom values per execution, of 512 characters each. Two are left for the user. */
const MAX_VALUES = 8;
const LONGEST_VALUE = 512;

/**
 * n8n stores a stopped execution before its node ends, so nobody sees what the node throws afterwards. When the stop signal fires, this
 * writes what was started into n8n's log, and the IDs into the custom data of the n8n execution. Returns a function that ends that.
 */
export function reportWhenStopped(context: IExecuteFunctions, journal: Journal): () => void {
	const signal = context.getExecutionCancelSignal();
	const report = () => {
		const summary = journal.summary();
		if (summary === '') return;
		context.logger.warn(`The n8n execution was stopped. ${summary}`);
		keepInExecution(context, journal.executionIds());
	};
	signal?.addEventListener('abort', report, { once: true });
	return () => signal?.removeEventListener('abort', report);
}

interface CustomData {
	set(name: string, value: string): void;
}

function keepInExecution(context: IExecuteFunctions, executionIds: string[]): void {
	const execution: unknown = context.getWorkflowDataProxy(0).$execution;
	if (!hasCustomData(execution)) return;
	valuesOf(executionIds).forEach((value, index) =>
		execution.customData.set(`started_executions_${index + 1}`, value),
	);
}

function hasCustomData(execution: unknown): execution is { customData: CustomData } {
	return (
		isRecord(execution) &&
		isRecord(execution.customData) &&
		typeof execution.customData.set === 'function'
	);
}

/** As many IDs as fit, separated by spaces. */
function valuesOf(executionIds: string[]): string[] {
	const values: string[] = [];
	for (const id of executionIds) {
		const last = values.at(-1);
		if (last !== undefined && last.length + 1 + id.length <= LONGEST_VALUE)
			values[values.length - 1] = `${last} ${id}`;
		else if (values.length < MAX_VALUES) values.push(id);
	}
	return values;
}
