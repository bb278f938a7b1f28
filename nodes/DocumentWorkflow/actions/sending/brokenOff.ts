import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { tryTo } from '../../../../service/tryTo';
import { plainText } from '../../../../service/text';
import { isBehindRetriedPause, isTool, runIndexOf } from '../../pausing/pause';
import { inOneLine, type Journal } from './journal';

/** n8n keeps ten custom values per execution, of 512 characters each. Two are left for the user. */
const MAX_VALUES = 8;
const LONGEST_VALUE = 512;

/** Characters for one create, so that 30 fit even if all names are long. */
const LONGEST_ENTRY = 130;

/** By the signal of a run: the journals of all nodes that it has run so far, by node and run index. */
const journalsOf = new WeakMap<AbortSignal, Map<string, Journal>>();

/** On Stop, writes what was started into n8n's log and custom data: n8n stores nothing that the node throws afterwards. */
export function reportWhenStopped(context: IExecuteFunctions, journal: Journal): void {
	const signal = context.getExecutionCancelSignal();
	if (signal === undefined) return;
	const all = journalsOf.get(signal) ?? new Map<string, Journal>();
	if (all.size === 0) {
		journalsOf.set(signal, all);
		signal.addEventListener('abort', () => report(context, all), { once: true });
	}
	all.set(`${context.getNode().id} ${runIndexOf(context)}`, journal);
}

/** The creates without an answer come before the IDs of executions. */
function report(context: IExecuteFunctions, all: Map<string, Journal>): void {
	const journals = [...all.values()];
	const summaries = journals.map((journal) => journal.summary()).filter(Boolean);
	if (summaries.length === 0) return;
	context.logger.warn(`The n8n execution was stopped. ${summaries.join('. ')}`);
	const open = journals.flatMap((journal) => journal.openCreates());
	const labels = open.map((label) => plainText(inOneLine(label), [], LONGEST_ENTRY));
	const openValues = valuesOf(labels, '; ', MAX_VALUES);
	const ids = journals.flatMap((each) =>
		each.startedExecutions().map(({ executionId }) => executionId),
	);
	keep(context, 'possibly_started', openValues);
	keepStarted(context, ids, MAX_VALUES - openValues.length);
}

/** Writes the IDs of executions into the custom data of the n8n execution. Also before a pause: n8n shows no other trace of it after Stop. */
export function keepStarted(context: IExecuteFunctions, ids: string[], maxValues = MAX_VALUES) {
	keep(context, 'started_executions', valuesOf(ids, ' ', maxValues));
}

function keep(context: IExecuteFunctions, name: string, values: string[]): void {
	const { $execution } = context.getWorkflowDataProxy(0);
	const { customData } = Object($execution) as { customData?: Pick<Map<string, string>, 'set'> };
	values.forEach((value, index) => customData?.set(`${name}_${index + 1}`, value));
}

/** As many entries as fit. */
function valuesOf(entries: string[], separator: string, maxValues: number): string[] {
	const values: string[] = [];
	for (const entry of entries) {
		const last = values.at(-1);
		if (last !== undefined && last.length + separator.length + entry.length <= LONGEST_VALUE)
			values[values.length - 1] = last + separator + entry;
		else if (values.length < maxValues) values.push(entry);
	}
	return values;
}

/** What n8n puts in place of the output of a node that had ended when n8n crashed. */
const REPLACED = 'isArtificialRecoveredEventItem';

/** In the memory of the node: the first of its runs. A crash loses what was not stored yet. */
const FIRST_RUN = 'documentWorkflowFirstRun';
const TOLD = 'documentWorkflowRetryTold';

export function noteRun(context: IExecuteFunctions): void {
	context.getContext('node')[FIRST_RUN] ??= nameOfRun(context);
}

function nameOfRun(context: IExecuteFunctions): string {
	return `${context.getExecutionId()} ${runIndexOf(context)}`;
}

/**
 * Whether this run retries one that n8n crashed in, in which this node may have sent its documents. False in a later
 * Retry, which sends them.
 */
export function mayHaveSentBefore(context: IExecuteFunctions): boolean {
	const memory = context.getContext('node');
	const execution = context.getExecutionId();
	if (context.getMode() !== 'retry') return false;
	if (memory[TOLD] !== undefined) return memory[TOLD] === execution;
	const isFirst = memory[FIRST_RUN] === nameOfRun(context);
	const mayHave =
		previousNodeHadEnded(context) || (isFirst ? hadBegun(context) : isBehindRetriedPause(context));
	if (mayHave) memory[TOLD] = execution;
	return mayHave;
}

interface Proxy {
	$items?: (name: string | undefined, output: number, run: number) => INodeExecutionData[];
	$?: (name: string) => { isExecuted: boolean };
}

function previousNodeHadEnded(context: IExecuteFunctions): boolean {
	const [source] = context.getExecuteData().source?.main ?? [];
	const proxy: Proxy = context.getWorkflowDataProxy(0);
	// It throws where n8n has no output of that run.
	return tryTo(() => proxy.$items?.(source?.previousNode, 0, 0)[0]?.json[REPLACED]) === true;
}

/** Whether n8n lists this node among those that had begun. It always lists a tool that runs. */
function hadBegun(context: IExecuteFunctions): boolean {
	if (isTool(context)) return false;
	const proxy: Proxy = context.getWorkflowDataProxy(0);
	return tryTo(() => proxy.$?.(context.getNode().name).isExecuted) === true;
}
