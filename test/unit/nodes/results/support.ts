/** Executions for the tests of the results. */
import { shape } from '../../../../nodes/DocumentWorkflow/results/shape';
import type { Shaped } from '../../../../nodes/DocumentWorkflow/results/shape';
import type { Shaping } from '../../../../nodes/DocumentWorkflow/results/choice';
import type { Execution, Json, JsonRecord } from '../../../../service/contract';
import { readExecution } from '../../../../service/reading';

export const DEFAULT_SHAPING: Shaping = {
	output: 'simplified',
	minimumConfidence: undefined,
	below: 'mark',
	onlySteps: [],
	includeConfidence: true,
	fields: [],
};

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

export function shaped(body: JsonRecord, shaping: Partial<Shaping> = {}): Shaped {
	return shape(executionOf(body), { ...DEFAULT_SHAPING, ...shaping });
}

/** The only item of an execution. */
export function onlyItem(body: JsonRecord, shaping: Partial<Shaping> = {}): JsonRecord {
	const { items } = shaped(body, shaping);
	expect(items).toHaveLength(1);
	return items[0] as JsonRecord;
}

/** A policy with an uncertain premium, and a certain and an uncertain row of losses. */
export const POLICY: JsonRecord = {
	metadata: { external_id: 'INV-1', team: 'north' },
	steps: [
		step('policy', [{ number: cell('CPP-1', 0.98), premium: cell(1250, 0.42) }]),
		step('losses', [{ paid: cell(10, 0.9) }, { paid: cell(20, 0.5) }]),
	],
};
