/** An execution with its values judged: what outputs, hints and reports say is taken from here. */
import {
	holdsField,
	holdsNothing,
	holdsScore,
	readCell,
	readRow,
	scoresWithin,
} from '../../../../service/cells';
import { type Execution, FIELDS, type Json, type Step } from '../../../../service/contract';
import { plainText } from '../../../../service/text';
import type { About } from '../../about';
import { mapRows } from '../../connection/time';
import type { Minimums } from '../settings/minimums';
import type { OutputSettings } from '../settings/settings';
import { type Doubt, JudgedRow, isWithin, lowestOf, RowJudge } from './row';
import { TextFacts, TextReader } from './values/texts';

export interface JudgedStep extends Omit<Step, 'rows'> {
	/** Empty where it has none. */
	rows: JudgedRow[];
	/** Its data in place of rows. */
	content: JudgedRow | undefined;
	/** Whether some of its rows have no score and so could not be judged. */
	isUnjudged: boolean;
	/** It knows which fields are there. */
	rowJudge: RowJudge;
}

export interface Judgement {
	execution: Execution;
	/** The chosen steps. */
	steps: JudgedStep[];
	/** In the order of the steps; at least one. Its `number` is null for data without rows, and for no data. */
	rows: JudgedRow[];
	needsReview: boolean;
	lowestConfidence: number | null;
	/** Of all rows. */
	doubts: Doubt[];
	/** Required fields that no step has. */
	absentFields: string[];
	/** What to say of doubtful scores that belong to no single value of the result. */
	looseScores: string[];
	/** Whether any value has a minimum. */
	isJudged: boolean;
	/** Whether values are required, or texts become values. */
	isRead: boolean;
	/** Whether there are rows, and no score in the whole result. */
	lacksScores: boolean;
	/** Why there is no data in a completed execution; undefined where there is some. */
	dataNotRead: string | undefined;
	/** Requested steps that do not exist. */
	unknownSteps: string[];
	/** Minimums per field that a step or a field has. */
	foundMinimums: Set<string>;
	texts: TextFacts;
}

type JudgeSettings = Pick<OutputSettings, 'minimums' | 'onlySteps' | 'values' | 'required'>;

/** `about`: other fields of the output, which may say that it needs review. */
export async function judge(
	execution: Execution,
	asked: JudgeSettings,
	about: Pick<About, 'needsReview'> = {},
): Promise<Judgement> {
	const { minimums, required, values, onlySteps } = asked;
	const isChosen = (step: StepNames) =>
		onlySteps.length === 0 || onlySteps.some((name) => namesOf(step).includes(name));
	const isCompleted = execution.phase === 'completed';
	const texts = new TextFacts();
	const steps: JudgedStep[] = [];
	for (const each of execution.steps.filter(isChosen))
		steps.push(await judgeStep(each, asked, texts));
	const isScored =
		steps.flatMap(shownRows).some((row) => row.isScored) ||
		execution.steps.some((step) => !isChosen(step) && scoresWithin(step.rows).length > 0);
	const looseScores = doubtfulScores(execution.scores, minimums.general, isScored);
	const isIn = ({ rowJudge, content }: JudgedStep, name: string) =>
		rowJudge.atAnyDepth.has(name) || holdsField(content?.fields[0]?.value, name);
	const isThere = (field: string) =>
		steps.some((step) => [field, ...withoutStep(step, field)].some((name) => isIn(step, name)));
	const hasResult = isCompleted || (execution.meaning === 'held' && steps.some(hasRows));
	const absentFields = hasResult ? required.filter((field) => !isThere(field)) : [];
	const isJudged = isJudging(minimums);
	const lacksScores = isJudged && !isScored && steps.some(hasRows);
	const isDoubtful =
		execution.meaning !== 'completed' ||
		execution.faults.length + looseScores.length + absentFields.length > 0 ||
		about.needsReview === true;
	for (const { rows, content, faults, isAtUrl } of steps) {
		const isFaulty = isDoubtful || faults.length > 0;
		for (const row of rows) row.needsReview ||= isFaulty || (lacksScores && row.fields.length > 0);
		if (content !== undefined) content.needsReview ||= isFaulty || isAtUrl;
	}
	const rows = steps.flatMap(shownRows);
	if (rows.length === 0 || (isCompleted && lacksRows(steps, onlySteps))) {
		const [only = null] = steps.length === 1 ? steps.map(({ name }) => name) : [];
		rows.push(new JudgedRow(only, null, true));
	}
	return {
		execution,
		steps,
		rows,
		needsReview: rows.some((row) => row.needsReview),
		lowestConfidence: rows.map((row) => row.lowestConfidence).reduce(lowestOf, null),
		doubts: rows.flatMap(({ doubts }) => doubts),
		absentFields,
		looseScores,
		isJudged,
		isRead: values?.style !== undefined || required.length > 0,
		lacksScores,
		dataNotRead:
			execution.excerpt && `The answer has no steps with data. It is: ${execution.excerpt}`,
		unknownSteps: onlySteps.filter((name) => stepsNamed(name, steps).length === 0),
		foundMinimums: new Set(steps.flatMap(namesIn).filter((name) => minimums.byField.has(name))),
		texts,
	};
}

type StepNames = Pick<Step, 'name' | 'stepName'>;

async function judgeStep(
	step: Step,
	{ minimums, required, values }: JudgeSettings,
	texts: TextFacts,
): Promise<JudgedStep> {
	const ofStep = required.flatMap((field) => withoutStep(step, field));
	const all = new Set([...required, ...ofStep]);
	const ofValues = minimumsIn(step, minimums);
	const mayBeAbsent = required.length > 0 && !ofValues.hasOwn;
	const asked = { minimums: ofValues, required: all, mayBeAbsent };
	const rowJudge = new RowJudge(step.name, asked, new TextReader(values, texts, step.schema));
	const rows = await mapRows(step.rows, (row, index) => rowJudge.judgeRow(readRow(row), index));
	const inEachRow = [...new Set([...rowJudge.inRows, ...ofStep])];
	for (const row of rows) rowJudge.completeRow(row, inEachRow);
	const withoutScore = rows.filter(({ fields, isScored }) => fields.length > 0 && !isScored);
	const isUnjudged = isJudging(asked.minimums) && withoutScore.length > 0;
	const content = readOther(step, rowJudge);
	const isScored = content?.isScored ?? withoutScore.length === 0;
	const faults = [...step.faults, ...doubtfulScores(step.scores, ofValues.general, isScored)];
	return { ...step, rows, content, faults, isUnjudged, rowJudge };
}

/** A score around data is doubtful, unless nothing has a minimum, or it reaches it and the data has scores too. */
function doubtfulScores(scores: Step['scores'], minimum: number | undefined, isScored: boolean) {
	const isFine = (score: Json) => minimum === undefined || (isScored && isWithin(score, minimum));
	const advice = 'belongs to no single value: compare all data with the document';
	const doubtful = scores.filter(([, score]) => !isFine(score)).map(([name]) => plainText(name));
	return [...new Set(doubtful)].map((name) => `the score "${name}" ${advice}`);
}

/** Content without scores is passed on as it is. */
function readOther({ name, other }: Step, rowJudge: RowJudge): JudgedRow | undefined {
	if (other === undefined) return undefined;
	if (holdsScore(other)) return rowJudge.judgeContent(readCell(name, other));
	const row = new JudgedRow(name, null);
	row.fields = [{ name, value: other, confidence: null }];
	return row;
}

/** Whether a step is an empty table, or nothing at all. */
export function hasNoData(step: JudgedStep): boolean {
	const { content } = step;
	if (content === undefined) return !hasRows(step);
	const isKnown = content.isScored || content.doubts.length > 0;
	return !isKnown && holdsNothing(content.fields[0]?.value, FIELDS.step.beside);
}

/** Whether a step is a table with values. */
export function hasRows({ rows }: JudgedStep): boolean {
	return rows.some(({ fields }) => fields.length > 0);
}

/** Whether all tables are empty, or a step that was asked for is not there or empty. */
function lacksRows(steps: JudgedStep[], onlySteps: string[]): boolean {
	const tables = steps.filter(({ content }) => content === undefined);
	// A document without the step looks like a step that is misspelled, and its result is paid for.
	const isLacking = (name: string) => stepsNamed(name, steps).every(hasNoData);
	if (onlySteps.length > 0) return onlySteps.some(isLacking);
	return tables.length > 0 && tables.every(hasNoData);
}

/** The rows or the content of a step. A step that failed without data has one empty row, which shows the failure. */
function shownRows(step: JudgedStep): JudgedRow[] {
	const { name, rows, content, faults } = step;
	if (!hasNoData(step)) return content === undefined ? rows : [content];
	return faults.length === 0 ? [] : [new JudgedRow(name, null, true)];
}

function stepsNamed(name: string, steps: JudgedStep[]): JudgedStep[] {
	return steps.filter((step) => namesOf(step).includes(name));
}

/** Whether any value is judged, so that the output says what needs review. */
function isJudging({ general, byField }: Minimums): boolean {
	return [general, ...byField.values()].some((minimum) => minimum !== undefined);
}

/** In the step, `policy.premium` counts as `premium`. `hasOwn`: the step has a minimum, which counts as one of each of its fields. */
function minimumsIn(step: Step, { general, byField }: Minimums): Minimums & { hasOwn: boolean } {
	const own = [...byField].flatMap(([field, minimum]) =>
		withoutStep(step, field).map((name) => [name, minimum] as const),
	);
	const stepName = namesOf(step).find((each) => byField.has(each));
	return {
		general: stepName === undefined ? general : byField.get(stepName),
		byField: new Map([...byField, ...own]),
		hasOwn: stepName !== undefined,
	};
}

/** What minimums per field may name in a step: the step itself, and its fields that have a minimum of their own. */
function namesIn(step: JudgedStep): string[] {
	const names = namesOf(step);
	const inStep = (field: string) => [field, ...names.map((name) => `${name}.${field}`)];
	return [...names, ...[...step.rowJudge.withMinimum].flatMap(inStep)];
}

/** In a step, `policy.number` counts as `number`. */
function withoutStep(step: StepNames, field: string): string[] {
	const names = namesOf(step).filter((name) => field.startsWith(`${name}.`));
	return names.map(({ length }) => field.slice(length + 1));
}

/** The name of a step in the item, and the one that the service gave it, which others may have too. */
export function namesOf({ name, stepName }: StepNames): string[] {
	return [name, stepName];
}
