import type { IDataObject } from 'n8n-workflow';

import { readRow } from '../../../service/cells';
import type { Execution, Json } from '../../../service/contract';
import { meaningOfStatus } from '../../../service/status';
import { isEmpty } from '../../../service/steps';
import { absentIn, completed, isJudging, lacksScoresIn, minimumsIn, requiredIn } from './asked';
import { type Judged, type JudgedFields, judgeRow, type Judging, lowestOf } from './cells';
import type { Shaping } from './choice';
import { absent, type Lists, listsOf, type Review } from './lists';
import type { Path } from './path';
import { chooseSteps, type NamedStep, uniquelyNamed } from './selection';
import { noFacts, TextReader } from './texts';
import { type Made, mapRows } from './turns';

/** A row. Content in place of rows counts as one, and so does an execution without data. */
export interface JudgedRow extends Review {
	/** Null where it is about no single step. */
	stepName: string | null;
	/** Counted from 1; null where it is no row. */
	number: number | null;
	fields: JudgedFields;
	/** The data of a step that has other data in place of rows. */
	data: Json | undefined;
}

export interface JudgedStep {
	name: string;
	/** Empty where it has none. */
	rows: JudgedRow[];
	/** The data of a step that has other data in place of rows. */
	data: Json | undefined;
	/** Whether some of its rows have no score and so could not be judged. */
	isUnjudged: boolean;
	/** Whether it has only an address in place of data. */
	isAtUrl: boolean;
}

/** An execution with what outputs, hints and reports say of its review. Each value is judged once, here. */
export type Judgement = Made<typeof judge>;

type Asked = Pick<Shaping, 'output' | 'minimums' | 'onlySteps' | 'values' | 'required'>;

/** `beside`: other fields of the output, which may say that it needs review. */
export function* judge(execution: Execution, asked: Asked, beside: IDataObject = {}) {
	const { output, minimums, onlySteps, values, required } = asked;
	const isCompleted = execution.phase === 'completed';
	const named = uniquelyNamed(execution.steps);
	const { chosen, unknown } = chooseSteps(named, onlySteps);
	const absentFields = isCompleted ? absentIn(chosen, required) : [];
	const asWhole =
		needsReviewAsWhole(execution) || beside.needsReview === true || absentFields.length > 0;
	const lacksScores = lacksScoresIn(chosen, named, minimums);
	const foundMinimums = new Set<string>();
	const texts = noFacts();
	const steps: JudgedStep[] = [];
	for (const each of chosen) {
		const found = new Set<string>();
		const { names, inEachRow } = requiredIn(each, required);
		const judging: Judging = { minimums: minimumsIn(each, minimums), found, required: names };
		const reader = new TextReader(values, texts, each.step.schema);
		const rows = yield* mapRows(each.step.rows, (row) =>
			judgeRow(completed(readRow(row), inEachRow), judging, reader),
		);
		for (const field of found)
			for (const name of [field, `${each.name}.${field}`, `${each.step.stepName}.${field}`])
				if (minimums.byField.has(name)) foundMinimums.add(name);
		for (const name of [each.name, each.step.stepName])
			if (minimums.byField.has(name)) foundMinimums.add(name);
		steps.push(judgeStep(each, rows, judging, { asWhole, lacksScores }));
	}
	const rows = steps.flatMap((step) => (hasNoData(step) ? [] : rowsOf(step, asWhole)));
	// A document without the step looks like a step that is misspelled, and its result is paid for.
	const lacksStep =
		output === 'rows' && onlySteps.length > 0 && (unknown.length > 0 || steps.some(hasNoData));
	const tables = steps.filter(({ data }) => data === undefined);
	const lacksRows = isCompleted && tables.length > 0 && tables.every(hasNoData);
	if (rows.length === 0 || (isCompleted && (lacksStep || lacksRows)))
		rows.push(withoutRow(steps.length === 1 ? (steps[0]?.name ?? null) : null, undefined, true));
	const lists: Lists = {
		lowConfidenceFields: [],
		unconvertedFields: [],
		missingFields: absentFields.map(absent),
	};
	for (const row of steps.flatMap((step) => step.rows))
		if (row.needsReview) listsOf(row.fields, row.stepName, placeOfRow(row), lists);
	return {
		execution,
		/** The chosen steps. */
		steps,
		/** In the order of the steps; one at least. */
		rows,
		needsReview: rows.some((row) => row.needsReview),
		lowestConfidence: rows.map((row) => row.lowestConfidence).reduce(lowestOf, null),
		...lists,
		/** Required fields that no step has. */
		absentFields,
		isJudged: isJudging(minimums),
		/** Whether there are rows, and no score in the whole result. */
		lacksScores,
		/** Whether there are tables, and all of them are empty. */
		lacksRows,
		/** Whether values are required, or texts become values. */
		isRead: values?.style !== undefined || required.length > 0,
		/** Of all steps. */
		stepNames: named.map(({ name }) => name),
		/** Requested steps that do not exist. */
		unknownSteps: unknown,
		foundMinimums,
		texts,
	};
}

/** Whether an execution needs review whatever its values are: it is not known to have ended well. */
function needsReviewAsWhole({ phase, status }: Execution): boolean {
	return (
		phase !== 'completed' ||
		meaningOfStatus(status) === 'partial' ||
		meaningOfStatus(status) === undefined
	);
}

/** Whether a step is an empty table, or nothing at all. */
export function hasNoData({ rows, data }: JudgedStep): boolean {
	return isEmpty(data) && rows.every(({ fields }) => fields.length === 0);
}

function rowsOf({ name, rows, data, isAtUrl }: JudgedStep, asWhole: boolean): JudgedRow[] {
	return rows.length > 0 ? rows : [withoutRow(name, data, asWhole || isAtUrl)];
}

function judgeStep(
	{ name, step }: NamedStep,
	rows: Judged[],
	{ minimums }: Judging,
	{ asWhole, lacksScores }: { asWhole: boolean; lacksScores: boolean },
): JudgedStep {
	let isUnjudged = false;
	const judged = rows.map(({ fields, isScored, isToReview, lowest }, index): JudgedRow => {
		isUnjudged ||= isJudging(minimums) && fields.length > 0 && !isScored;
		return {
			stepName: name,
			number: index + 1,
			fields,
			data: undefined,
			needsReview: asWhole || (lacksScores && fields.length > 0) || isToReview,
			lowestConfidence: lowest,
		};
	});
	return { name, rows: judged, data: step.other, isUnjudged, isAtUrl: step.isAtUrl };
}

function withoutRow(
	stepName: string | null,
	data: JudgedRow['data'],
	needsReview: boolean,
): JudgedRow {
	return { stepName, number: null, fields: [], data, needsReview, lowestConfidence: null };
}

/** The path of a row below `data`. */
function placeOfRow({ stepName, number }: JudgedRow): Path {
	return [stepName ?? '', (number ?? 1) - 1];
}
