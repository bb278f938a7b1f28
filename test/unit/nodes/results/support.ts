/** Executions for the tests of the results. */
import type { IDataObject } from 'n8n-workflow';

import type { About } from '../../../../nodes/DocumentWorkflow/about';
import { shape } from '../../../../nodes/DocumentWorkflow/results/items/result';
import type { Facts } from '../../../../nodes/DocumentWorkflow/results/words/hints';
import type { OutputSettings } from '../../../../nodes/DocumentWorkflow/results/settings/settings';
import { judge } from '../../../../nodes/DocumentWorkflow/results/judge/judge';
import type { Execution, Json, JsonRecord } from '../../../../service/contract';
import { readExecution } from '../../../../service/reading';

export const DEFAULT_SETTINGS: OutputSettings = {
	output: 'simplified',
	minimums: { general: undefined, byField: new Map() },
	onlySteps: [],
	includeDetails: false,
	values: undefined,
	required: [],
	fields: [],
	attachReport: false,
	includeFiles: false,
};

/** Settings of the output, with minimums as numbers. */
export interface Given extends Partial<Omit<OutputSettings, 'minimums'>> {
	minimumConfidence?: number | undefined;
	byField?: Record<string, number | undefined>;
}

export function settingsOf({
	minimumConfidence: general,
	byField = {},
	...given
}: Given): OutputSettings {
	const minimums = { general, byField: new Map(Object.entries(byField)) };
	return { ...DEFAULT_SETTINGS, ...given, minimums };
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
export async function shapeOf(
	execution: Execution,
	settings: OutputSettings,
	beside: About | IDataObject = {},
): ReturnType<typeof shape> {
	return shape(await judge(execution, settings, beside), settings, beside);
}

/** The items of an execution, and what hints say of it. */
export async function shaped(
	body: JsonRecord,
	given: Given = {},
	beside: About | IDataObject = {},
): Promise<Facts & { items: IDataObject[] }> {
	const { items, facts } = await shapeOf(executionOf(body), settingsOf(given), beside);
	return { items, ...facts };
}

/** The only item of an execution. */
export async function onlyItem(body: JsonRecord, shaping: Given = {}): Promise<JsonRecord> {
	const { items } = await shaped(body, shaping);
	expect(items).toHaveLength(1);
	return items[0] as JsonRecord;
}

/** What each row has beside its extracted fields. */
export async function rowDetails(body: JsonRecord, shaping: Given = {}): Promise<JsonRecord[]> {
	const { items } = await shaped(body, { ...shaping, output: 'rows', includeDetails: true });
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
