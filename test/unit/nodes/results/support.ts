/** Executions for the tests of the results. */
import type { IDataObject } from 'n8n-workflow';

import { shape } from '../../../../nodes/DocumentWorkflow/results/shape';
import type { Shaped } from '../../../../nodes/DocumentWorkflow/results/shape';
import type { Shaping } from '../../../../nodes/DocumentWorkflow/results/choice';
import { judge } from '../../../../nodes/DocumentWorkflow/results/judgement';
import type { LongWork } from '../../../../nodes/DocumentWorkflow/results/turns';
import type { Execution, Json, JsonRecord } from '../../../../service/contract';
import { readExecution } from '../../../../service/reading';

export const DEFAULT_SHAPING: Shaping = {
	output: 'simplified',
	minimums: { general: undefined, byField: new Map() },
	onlySteps: [],
	includeDetails: false,
	values: undefined,
	required: [],
	fields: [],
};

/** Settings of the output, with minimums as numbers. */
export interface Given extends Partial<Omit<Shaping, 'minimums'>> {
	minimumConfidence?: number | undefined;
	byField?: Record<string, number | undefined>;
}

export function shapingOf({ minimumConfidence: general, byField = {}, ...given }: Given): Shaping {
	const minimums = { general, byField: new Map(Object.entries(byField)) };
	return { ...DEFAULT_SHAPING, ...given, minimums };
}

/** An execution read from an answer that was JSON text. */
export function executionOf(body: JsonRecord): Execution {
	const answer: unknown = JSON.parse(JSON.stringify({ status: 'completed', ...body }));
	const read = readExecution(answer, { workflowId: 'w', executionId: 'e' });
	if (read === undefined) throw new Error('This is no execution');
	return read;
}

export const step = (stepName: string, rows: Json[]): JsonRecord => ({
	step_name: stepName,
	data: { schema: {}, data: rows, metadata: {} },
});

export const cell = (value: Json, score: number | null = null): JsonRecord => ({
	value,
	confidence_score: score,
});

/** `beside`: what was sent. */
export function shapeOf(execution: Execution, shaping: Shaping, beside: IDataObject = {}): Shaped {
	return madeOf(shape(madeOf(judge(execution, shaping, beside)), shaping, beside));
}

/** What long work comes to, in one turn. */
export function madeOf<T>(work: LongWork<T>): T {
	for (;;) {
		const { done, value } = work.next();
		if (done === true) return value;
	}
}

export function shaped(body: JsonRecord, given: Given = {}, beside: IDataObject = {}): Shaped {
	return shapeOf(executionOf(body), shapingOf(given), beside);
}

/** The only item of an execution. */
export function onlyItem(body: JsonRecord, shaping: Given = {}): JsonRecord {
	const { items } = shaped(body, shaping);
	expect(items).toHaveLength(1);
	return items[0] as JsonRecord;
}

/** What each row has beside its extracted fields. */
export function rowDetails(body: JsonRecord, shaping: Given = {}): JsonRecord[] {
	const { items } = shaped(body, { ...shaping, output: 'rows', includeDetails: true });
	return (items as JsonRecord[]).map(
		({ needsReview = null, step: name = null, row = null, executionDetails: details }) => ({
			...(details as JsonRecord),
			needsReview,
			step: name,
			row,
		}),
	);
}

/** A policy with an uncertain premium, and a certain and an uncertain row of losses. */
export const POLICY: JsonRecord = {
	metadata: { external_id: 'INV-1', team: 'north' },
	steps: [
		step('policy', [{ number: cell('CPP-1', 0.98), premium: cell(1250, 0.42) }]),
		step('losses', [{ paid: cell(10, 0.9) }, { paid: cell(20, 0.5) }]),
	],
};
