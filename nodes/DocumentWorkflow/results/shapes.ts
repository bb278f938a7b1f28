import type { IDataObject } from 'n8n-workflow';

import type { Cell, Execution, Row, StartedExecution, Step } from '../../../service/contract';
import type { FilePart } from '../../../service/http';

export type Output = 'simplified' | 'raw';

/** What every output item says first. */
export function idsOf({ workflowId, executionId, status }: StartedExecution): IDataObject {
	return { workflowId, executionId, status };
}

/** What was sent, for the output of a create. */
export function sentDocuments(files: FilePart[]): IDataObject[] {
	return files.map(({ name, type, size }) => ({ fileName: name, mediaType: type, bytes: size }));
}

/** An execution as the JSON of one output item. */
export function shapeExecution(execution: Execution, output: Output): IDataObject {
	return output === 'raw' ? shapeRaw(execution) : shapeSimplified(execution);
}

/** The answer as it came, below `response`: a field `error` of it at the top would make n8n take the item for a failed one. */
function shapeRaw(execution: Execution): IDataObject {
	return { ...idsOf(execution), response: execution.raw };
}

/** Plain values by step, the confidence scores (0 to 1, null where the service gave none) in the same shape beside them. */
function shapeSimplified(execution: Execution): IDataObject {
	const named = nameApart(execution.steps);
	const scores = execution.steps.flatMap(({ rows }) => rows.flatMap((row) => [...row.values()].map((cell) => cell.confidenceScore)));
	const known = scores.filter((score) => score !== undefined);
	return {
		...idsOf(execution),
		...(execution.phase === 'failed' ? { failureReason: execution.failureReason } : {}),
		data: Object.fromEntries(named.map(([name, step]) => [name, valuesOf(step)])),
		confidence: Object.fromEntries(named.map(([name, { rows }]) => [name, rows.map(scoresOf)])),
		lowestConfidence: known.length === 0 ? null : known.reduce((lowest, score) => Math.min(lowest, score)),
		metadata: execution.metadata,
	};
}

/** Steps by name; a second step of the same name gets a number, so that none hides another. */
function nameApart(steps: Step[]): Array<[string, Step]> {
	const taken = new Set<string>();
	return steps.map((step) => {
		let name = step.stepName;
		for (let number = 2; taken.has(name); number++) name = `${step.stepName}_${number}`;
		taken.add(name);
		return [name, step];
	});
}

function valuesOf({ rows, other }: Step): IDataObject[string] {
	if (other !== undefined) return other;
	return rows.map((row) => mapRow(row, (cell) => cell.value));
}

function scoresOf(row: Row): IDataObject {
	return mapRow(row, (cell) => cell.confidenceScore ?? null);
}

function mapRow(row: Row, pick: (cell: Cell) => IDataObject[string]): IDataObject {
	return Object.fromEntries([...row].map(([field, cell]) => [field, pick(cell)]));
}
