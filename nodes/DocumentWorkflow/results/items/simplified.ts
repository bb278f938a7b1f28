/** One item for an execution: Simplified, Selected Fields and Raw. */
import type { IDataObject } from 'n8n-workflow';

import type { Json, JsonRecord } from '../../../../service/contract';
import { isRecord } from '../../../../service/json';
import { type About, outcomeOf, toJson } from '../../about';
import { mapRows } from '../../connection/time';
import { type JudgedStep, type Judgement, namesOf } from '../judge/judge';
import {
	confidenceIn,
	depthOf,
	type Doubt,
	type JudgedRow,
	type Path,
	valuesIn,
} from '../judge/row';
import type { OutputSettings } from '../settings/settings';
import { describeAll, MISSING, reasonOf } from '../words/toReview';
import { shortened, textOf } from '../words/words';

export interface Material {
	judgement: Judgement;
	settings: OutputSettings;
	/** What each item says in addition to the data. */
	about: About;
}

/** Plain values by step, then their review, their confidence scores in the same shape, and the technical fields. */
export async function makeSimplified(
	{ judgement, about }: Material,
	technicalFields = toJson(about),
) {
	const { metadata, workflowId, executionId } = judgement.execution;
	const data: Array<[string, Json | undefined]> = [];
	const confidence: Array<[string, Json | undefined]> = [];
	for (const { name, rows, content } of judgement.steps) {
		const values = await mapRows(rows, ({ fields }) => valuesIn(fields));
		const scores = await mapRows(rows, ({ fields }) => confidenceIn(fields));
		data.push([name, content === undefined ? values : content.fields[0]?.value]);
		confidence.push([name, content?.isScored === true ? content.fields[0]?.confidence : scores]);
	}
	return {
		// Object.fromEntries keeps a name such as __proto__ as an ordinary field.
		data: Object.fromEntries(data) as JsonRecord,
		needsReview: judgement.needsReview,
		toReview: await describeAll(judgement, about),
		...(await reviewOfAll(judgement)),
		confidence: Object.fromEntries(confidence) as JsonRecord,
		...outcomeOf(judgement.execution, judgement.dataNotRead),
		metadata,
		...technicalFields,
		workflowId,
		executionId,
	};
}

/** As Simplified, with only the requested fields, and the names of those that do not exist. */
export async function makeSelected(material: Material): Promise<IDataObject> {
	const { judgement, settings, about } = material;
	const { data, ...others } = await makeSimplified(material, {});
	const { json, notFound } = selectFields(data, others, judgement.steps, settings.fields);
	const unknown = notFound.filter((name) => !Object.hasOwn(about, name));
	const isUnknown = unknown.length > 0 && judgement.execution.phase !== 'running';
	const fieldsNotFound = isUnknown ? { fieldsNotFound: unknown } : {};
	const { workflowId, executionId, ...rest } = json;
	return { ...rest, ...fieldsNotFound, ...toJson(about), workflowId, executionId };
}

/** The unchanged answer, with signed addresses where the service sends them. */
export async function makeRaw({ judgement, about }: Material): Promise<IDataObject> {
	const { status, workflowId, executionId, raw: response } = judgement.execution;
	return {
		response,
		needsReview: judgement.needsReview,
		toReview: await describeAll(judgement, about),
		...(await reviewOfAll(judgement)),
		status,
		...toJson(about),
		workflowId,
		executionId,
	};
}

async function reviewOfAll(judgement: Judgement): Promise<IDataObject> {
	const ofRows = await mapRows(judgement.rows, ({ doubts }) =>
		doubts.map((doubt) => entryOf(doubt, doubt.path)),
	);
	const absent = judgement.absentFields.map((field): JsonRecord => {
		return { field, path: [], step: null, value: null, type: 'text', reason: MISSING };
	});
	return reviewFields(judgement, judgement, ofRows.flat(), absent);
}

/** The values to review of a row, with their paths from its fields on. */
export function reviewOfRow(judgement: Judgement, row: JudgedRow): IDataObject {
	const depth = depthOf(row);
	const entries = row.doubts.map((doubt) => entryOf(doubt, doubt.path.slice(depth)));
	return reviewFields(judgement, row, entries, []);
}

/** Each list is only there where it could have an entry. `entries`: of the doubts, in their order. */
function reviewFields(
	{ isJudged, isRead }: Judgement,
	{ doubts, lowestConfidence }: Pick<JudgedRow, 'doubts' | 'lowestConfidence'>,
	entries: JsonRecord[],
	absent: JsonRecord[],
): IDataObject {
	const listOf = (kind: Doubt['kind']) => entries.filter((_, at) => doubts[at]?.kind === kind);
	const missingFields = [...absent, ...listOf('missing')];
	return {
		...(isJudged && { lowConfidenceFields: listOf('low') }),
		...(isRead && { unconvertedFields: listOf('unconverted'), missingFields }),
		...(isJudged && { lowestConfidence }),
	};
}

function entryOf(doubt: Doubt, path: Path): JsonRecord {
	const { kind, value, confidence, type } = doubt;
	const field = textOf(path);
	// A literal takes less memory than a spread record.
	if (kind === 'low') return { field, path: shortened(path), value, confidence };
	const step = String(doubt.path[0]);
	return { field, path: shortened(path), step, value, type, reason: reasonOf(doubt) };
}

const ALWAYS = ['needsReview', 'toReview', 'dataNotRead', 'status', 'workflowId', 'executionId'];

/** All fields when none is named. A name is a field of the item, a step, a field of any step, or `step.field`. */
function selectFields(data: JsonRecord, others: IDataObject, steps: JudgedStep[], names: string[]) {
	const found = new Set<string>();
	const isWanted = (...meant: string[]): boolean => {
		const asked = meant.filter((name) => names.includes(name));
		for (const name of asked) found.add(name);
		return names.length === 0 || asked.length > 0;
	};
	const selectRow = (stepNames: string[], row: Json): JsonRecord => {
		const isField = (name: string) => isWanted(name, ...stepNames.map((step) => `${step}.${name}`));
		const fields = Object.entries(isRecord(row) ? row : {});
		return Object.fromEntries(fields.filter(([name]) => isField(name)));
	};
	const selectStep = (step: JudgedStep): Array<[string, Json]> => {
		const { [step.name]: content = null } = data;
		const rows = [content].flat().map((row) => selectRow(namesOf(step), row));
		if (isWanted(...namesOf(step))) return [[step.name, content]];
		if (rows.every((row) => Object.keys(row).length === 0)) return [];
		const [only = {}] = rows;
		return [[step.name, Array.isArray(content) ? rows : only]];
	};
	const selectedSteps = Object.fromEntries(steps.flatMap(selectStep));
	const kept = Object.entries(others).filter(([name]) => isWanted(name) || ALWAYS.includes(name));
	const selected = isWanted('data') ? data : selectedSteps;
	const json: IDataObject = { data: selected, ...Object.fromEntries(kept) };
	return { json, notFound: names.filter((name) => !found.has(name)) };
}
