import type { IDataObject } from 'n8n-workflow';

import { EXTERNAL_ID } from '../../../service/contract';
import { lowConfidenceIn } from './cells';
import type { Shaping } from './choice';
import type { JudgedRow, Judgement } from './judgement';
import { rowsShown } from './judgement';
import type { ReportedDocument } from './reportContents';
import { documentsIn, leftOutInWords, withinLimits } from './reportContents';
import type { Score, ShownValue } from './reportValue';
import { idOf, labelOf, scoreOf, shownValue } from './reportValue';
import type { Verdict } from './reportVerdict';
import { listed, verdictOf } from './reportVerdict';

/** Limits of lists (assumed). */
const MAX_TO_REVIEW = 100;
const MAX_DOCUMENTS = 100;

/** A table with more columns cannot be read on a telephone: each row becomes a list. */
const MAX_COLUMNS = 6;

/** The report for people. Each text is a single line of limited length, and is not escaped. */
export interface ReportPage {
	title: string;
	/** The External ID or the file names; may be empty. */
	subtitle: string;
	verdict: Verdict;
	toReview: ValueToReview[];
	sections: Section[];
	/** Says what the page lacks; empty when it has everything. */
	leftOut: string;
	documents: ReportedDocument[];
	ids: Array<[label: string, id: string]>;
}

export interface ValueToReview {
	label: string;
	/** The step, and the row where there are several. */
	place: string;
	value: ShownValue;
	score: Score | undefined;
}

/** A step. */
export interface Section {
	title: string;
	/** Fields of the table; undefined where each row is a list. */
	columns: string[] | undefined;
	rows: ShownRow[];
	/** The data of a step without rows. */
	text: string;
}

export interface ShownRow {
	/** Counted from 1; undefined where the step has only one. */
	number: number | undefined;
	fields: ShownField[];
	lowest: Score | undefined;
}

export interface ShownField {
	label: string;
	value: ShownValue;
	score: Score | undefined;
}

/** What a page for people shows of an execution. */
export function reportPage(
	judgement: Judgement,
	shaping: Shaping,
	beside: IDataObject,
): ReportPage {
	const { execution } = judgement;
	const all = rowsShown(judgement, shaping).filter(({ stepName }) => stepName !== null);
	const several = new Set(all.filter(({ number }) => number === 2).map(({ stepName }) => stepName));
	const { rows, fieldsLeftOut } = withinLimits(all);
	const { toReview, moreToReview } = valuesToReview(all, several);
	const documents = documentsIn(beside);
	const externalId = idOf(beside.externalId) || idOf(execution.metadata[EXTERNAL_ID]);
	const fileNames = listed(
		documents.map(({ name }) => name),
		3,
	);
	return {
		title: labelOf(execution.workflowId),
		subtitle: externalId || idOf(fileNames),
		verdict: verdictOf(judgement, shaping.minimums),
		toReview,
		sections: sectionsOf(rows, several),
		leftOut: leftOutInWords([
			[all.length - rows.length, 'row'],
			[fieldsLeftOut, 'field'],
			[moreToReview, 'value to review', 'values to review'],
			[documents.length - MAX_DOCUMENTS, 'document'],
		]),
		documents: documents.slice(0, MAX_DOCUMENTS),
		ids: [
			['Workflow', idOf(execution.workflowId)],
			['Execution', idOf(execution.executionId)],
			['External ID', externalId],
			['Status', idOf(execution.status)],
		].filter((entry): entry is [string, string] => entry[1] !== ''),
	};
}

function sectionsOf(rows: JudgedRow[], several: ReadonlySet<string | null>): Section[] {
	const bySteps = new Map<string, JudgedRow[]>();
	for (const view of rows) {
		const name = view.stepName ?? '';
		const same = bySteps.get(name);
		if (same === undefined) bySteps.set(name, [view]);
		else same.push(view);
	}
	return [...bySteps].map(([name, views]) => {
		const names = new Set(views.flatMap(({ fields }) => [...fields.keys()]));
		const isTable = several.has(name) && names.size > 0 && names.size <= MAX_COLUMNS;
		return {
			title: labelOf(name),
			columns: isTable ? [...names].map(labelOf) : undefined,
			rows: views
				.filter(({ number }) => number !== null)
				.map((view) => ({
					number: several.has(name) ? (view.number ?? undefined) : undefined,
					fields: fieldsOf(view, isTable ? [...names] : [...view.fields.keys()]),
					lowest: scoreOf(
						view.lowestConfidence,
						[...view.fields.values()].some(({ low }) => low.length > 0),
					),
				})),
			text: views.map(({ data }) => (data === undefined ? '' : shownValue(data).text)).join(' '),
		};
	});
}

function fieldsOf({ fields }: JudgedRow, names: string[]): ShownField[] {
	return names.map((name) => {
		const { value = null, lowest = null, low = [] } = fields.get(name) ?? {};
		return {
			label: labelOf(name),
			value: shownValue(value),
			score: scoreOf(lowest, low.length > 0),
		};
	});
}

function valuesToReview(
	rows: JudgedRow[],
	several: ReadonlySet<string | null>,
): { toReview: ValueToReview[]; moreToReview: number } {
	const toReview: ValueToReview[] = [];
	let count = 0;
	for (const { stepName, number: row, fields } of rows) {
		const low = lowConfidenceIn(fields);
		count += low.length;
		const place = `${labelOf(stepName ?? '')}${several.has(stepName) ? `, row ${row}` : ''}`;
		for (const { field, value, confidence } of low.slice(0, MAX_TO_REVIEW - toReview.length)) {
			toReview.push({
				label: labelOf(field),
				place,
				value: shownValue(value),
				score: scoreOf(confidence, true),
			});
		}
	}
	return { toReview, moreToReview: count - toReview.length };
}
