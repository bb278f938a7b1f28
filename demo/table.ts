import Table from 'cli-table3';
import { z } from 'zod';
import type { StepResult } from '../simulator/processing/results';

/** Values with a lower score are marked, as in the example workflow. */
export const LOW_CONFIDENCE = 0.8;
const MOST_ROWS = 5;
const WIDEST_VALUE = 44;
const WIDEST_CELL = 22;

const rows = z.array(z.record(z.unknown()));

/** The part of the node's simplified output that the table shows. */
export const documentResult = z.object({
	workflowId: z.string(),
	executionId: z.string(),
	status: z.string(),
	/** A text is a summary or a class. */
	data: z.record(z.union([rows, z.string()])),
	confidence: z.record(rows),
	missingFields: z.array(z.object({ field: z.string() }).passthrough()),
	lowestConfidence: z.number().nullable(),
	documents: z.array(z.object({ fileName: z.string() }).passthrough()),
});
export type DocumentResult = z.infer<typeof documentResult>;

/** The extracted fields of one document as text: a table for each step. */
export function describeDocument(result: DocumentResult): string {
	const title = `${result.documents.map(({ fileName }) => fileName).join(', ')}  →  ${result.workflowId}  (${result.status})`;
	const missing = result.missingFields.map(({ field }) => `required, and missing: ${field}`);
	const steps = Object.entries(result.data).map(([name, values]) =>
		typeof values === 'string'
			? `${name}: ${values}`
			: describeStep(name, values, result.confidence[name] ?? []),
	);
	return [title, ...missing, ...steps].join('\n');
}

/** How many values a document has, and how many of them have a low confidence. */
export function countValues(result: DocumentResult): { values: number; low: number } {
	const cells = cellsOf(result).map(({ step, index, field }) =>
		confidenceOf(result.confidence[step]?.[index], field),
	);
	return { values: cells.length, low: cells.filter(isLow).length };
}

/** What became of the first text that was converted: `$1,000,000 → 1000000`. */
export function firstConverted(result: DocumentResult, sent: StepResult[]): string | undefined {
	for (const { step, index, field, value } of cellsOf(result)) {
		const data = sent.find((each) => each.step_name === step)?.data;
		const given = typeof data === 'object' ? data.data[index]?.[field]?.value : undefined;
		if (typeof given === 'string' && given !== value) return `${given} → ${String(value)}`;
	}
	return undefined;
}

function cellsOf({ data }: DocumentResult) {
	return Object.entries(data).flatMap(([step, values]) =>
		(typeof values === 'string' ? [] : values).flatMap((row, index) =>
			Object.entries(row).map(([field, value]) => ({ step, index, field, value })),
		),
	);
}

function describeStep(
	name: string,
	values: Array<Record<string, unknown>>,
	confidence: Array<Record<string, unknown>>,
): string {
	if (values.length === 0) return `${name}: nothing found`;
	return values.length === 1
		? fieldTable(name, values[0] ?? {}, confidence[0])
		: rowTable(name, values, confidence);
}

/** One row: a line for each field. */
function fieldTable(
	name: string,
	row: Record<string, unknown>,
	confidence: Record<string, unknown> | undefined,
): string {
	const table = tableOf([name, 'value', 'confidence']);
	for (const [field, value] of Object.entries(row)) {
		const score = confidenceOf(confidence, field);
		table.push([field, shorten(value, WIDEST_VALUE), mark(score)]);
	}
	return table.toString();
}

/** Several rows: a line for each row; values with a low confidence have their score. */
function rowTable(
	name: string,
	values: Array<Record<string, unknown>>,
	confidence: Array<Record<string, unknown>>,
): string {
	const fields = [...new Set(values.flatMap((row) => Object.keys(row)))];
	const table = tableOf([name, ...fields]);
	values.slice(0, MOST_ROWS).forEach((row, index) => {
		const cells = fields.map((field) => {
			const score = confidenceOf(confidence[index], field);
			return isLow(score)
				? `${shorten(row[field], WIDEST_CELL)} (${mark(score)})`
				: shorten(row[field], WIDEST_CELL);
		});
		table.push([String(index + 1), ...cells]);
	});
	const hidden = values.length - MOST_ROWS;
	return hidden > 0 ? `${table.toString()}\n… and ${hidden} more rows` : table.toString();
}

/** Without colours, because the output may go to a file; borders only around the head. */
function tableOf(head: string[]): Table.Table {
	return new Table({ head, style: { head: [], border: [], compact: true } });
}

function confidenceOf(row: Record<string, unknown> | undefined, field: string): number | undefined {
	const score = row?.[field];
	return typeof score === 'number' ? score : undefined;
}

function isLow(score: number | undefined): boolean {
	return score !== undefined && score < LOW_CONFIDENCE;
}

function mark(score: number | undefined): string {
	if (score === undefined) return '–';
	return isLow(score) ? `${score.toFixed(2)} ← check` : score.toFixed(2);
}

function shorten(value: unknown, widest: number): string {
	if (value === null || value === undefined || value === '') return '–';
	const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ');
	return text.length <= widest ? text : `${text.slice(0, widest - 1)}…`;
}
