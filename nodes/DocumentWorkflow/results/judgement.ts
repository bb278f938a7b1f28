import type { IDataObject } from 'n8n-workflow';

import type { Execution, Json } from '../../../service/contract';
import { isKnownStatus, isPartial } from '../../../service/status';
import { isEmpty } from '../../../service/steps';
import type { JudgedFields, Judging, LowConfidenceField } from './cells';
import { judgeRow, lowConfidenceIn, lowestOf, placeOf } from './cells';
import type { Shaping } from './choice';
import { isJudging, minimumsIn } from './minimums';
import type { NamedStep } from './selection';
import { chooseSteps, uniquelyNamed } from './selection';

/** What a person has to know of some values before they are used. */
export interface Review {
	needsReview: boolean;
	/** Whether it needs review for more than its low-confidence values. */
	hasOtherReason: boolean;
	lowestConfidence: number | null;
}

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
	/** Whether some of its data has no score and so could not be judged. */
	isUnjudged: boolean;
	/** Whether its data is at a URL and was not downloaded. */
	isAtAddress: boolean;
}

/** An execution with what outputs, hints and reports say of its review. Each value is judged once, here. */
export interface Judgement extends Review {
	execution: Execution;
	/** The chosen steps. */
	steps: JudgedStep[];
	/** In the order of the steps; one at least. */
	rows: JudgedRow[];
	lowConfidenceFields: LowConfidenceField[];
	/** Whether any value has a minimum. */
	isJudged: boolean;
	/** The names of all steps. */
	stepNames: string[];
	/** Requested steps that do not exist. */
	unknownSteps: string[];
	/** Fields with a minimum of their own, as far as they exist. */
	foundMinimums: Set<string>;
}

type Asked = Pick<Shaping, 'output' | 'minimums' | 'onlySteps' | 'below'>;

/** `beside`: other fields of the output, which may say that it needs review. */
export function judge(
	execution: Execution,
	{ output, minimums, onlySteps, below }: Asked,
	beside: IDataObject = {},
): Judgement {
	const named = uniquelyNamed(execution.steps);
	const { chosen, unknown } = chooseSteps(named, onlySteps);
	const asWhole = needsReviewAsWhole(execution) || beside.needsReview === true;
	const foundMinimums = new Set<string>();
	const steps = chosen.map((each) => {
		const found = new Set<string>();
		const judging = { minimums: minimumsIn(each, minimums), setsToNull: below === 'blank', found };
		const step = judgeStep(each, judging, asWhole);
		for (const field of found)
			for (const name of [field, `${each.name}.${field}`, `${each.step.stepName}.${field}`])
				if (minimums.byField.has(name)) foundMinimums.add(name);
		for (const name of [each.name, each.step.stepName])
			if (minimums.byField.has(name)) foundMinimums.add(name);
		return step;
	});
	const rows = steps.flatMap((step) => (hasNoData(step) ? [] : rowsOf(step, asWhole)));
	// A document without the step looks like a step that is misspelled, and its result is paid for.
	const lacksStep =
		output === 'rows' && onlySteps.length > 0 && (unknown.length > 0 || steps.some(hasNoData));
	if (rows.length === 0 || (lacksStep && execution.phase === 'completed'))
		rows.push(withoutRow(steps.length === 1 ? (steps[0]?.name ?? null) : null, undefined, true));
	const lowConfidenceFields = steps.flatMap(({ rows: own }) =>
		own.flatMap((row) => lowConfidenceIn(row.fields, placeOfRow(row))),
	);
	const hasOtherReason = rows.some((row) => row.hasOtherReason);
	return {
		execution,
		steps,
		rows,
		needsReview: hasOtherReason || lowConfidenceFields.length > 0,
		hasOtherReason,
		lowestConfidence: lowestOf(rows.map((row) => row.lowestConfidence)),
		lowConfidenceFields,
		isJudged: isJudging(minimums),
		stepNames: named.map(({ name }) => name),
		unknownSteps: unknown,
		foundMinimums,
	};
}

/** Whether an execution needs review whatever its values are: it is not known to have ended well. */
function needsReviewAsWhole({ phase, status }: Execution): boolean {
	return phase !== 'completed' || isPartial(status) || !isKnownStatus(status);
}

/** Whether a step is an empty table, or nothing at all. */
export function hasNoData({ rows, data }: JudgedStep): boolean {
	return isEmpty(data) && rows.every(({ fields }) => fields.size === 0);
}

function rowsOf(
	{ name, rows, data, isUnjudged, isAtAddress }: JudgedStep,
	asWhole: boolean,
): JudgedRow[] {
	return rows.length > 0 ? rows : [withoutRow(name, data, asWhole || isUnjudged || isAtAddress)];
}

function judgeStep({ name, step }: NamedStep, judging: Judging, asWhole: boolean): JudgedStep {
	let isUnjudged =
		step.other !== undefined && step.address === undefined && isJudging(judging.minimums);
	const rows = step.rows.map((row, index): JudgedRow => {
		const fields = judgeRow(row, judging);
		let [hasScore, hasLow] = [false, false];
		let lowestConfidence: number | null = null;
		for (const { isScored, low, lowest } of fields.values()) {
			hasScore ||= isScored;
			hasLow ||= low.length > 0;
			if (lowest !== null) lowestConfidence = Math.min(lowest, lowestConfidence ?? lowest);
		}
		const isRowUnjudged = judging.minimums.general !== undefined && fields.size > 0 && !hasScore;
		isUnjudged ||= isRowUnjudged;
		const hasOtherReason = asWhole || isRowUnjudged;
		return {
			stepName: name,
			number: index + 1,
			fields,
			data: undefined,
			needsReview: hasOtherReason || hasLow,
			hasOtherReason,
			lowestConfidence,
		};
	});
	return { name, rows, data: step.other, isUnjudged, isAtAddress: step.address !== undefined };
}

function withoutRow(
	stepName: string | null,
	data: JudgedRow['data'],
	needsReview: boolean,
): JudgedRow {
	const review = { needsReview, hasOtherReason: needsReview, lowestConfidence: null };
	return { stepName, number: null, fields: new Map(), data, ...review };
}

/** The path of a row below `data`. */
export function placeOfRow({ stepName, number }: JudgedRow): string {
	return `${placeOf('', stepName ?? '')}[${(number ?? 1) - 1}]`;
}

/** The review in an output item; the lists only where any value is judged. */
export function reviewFields(
	{ needsReview, lowestConfidence }: Review,
	lowConfidenceFields: LowConfidenceField[],
	{ isJudged }: Judgement,
): IDataObject {
	return isJudged ? { needsReview, lowConfidenceFields, lowestConfidence } : { needsReview };
}
