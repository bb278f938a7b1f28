import type { IDataObject } from 'n8n-workflow';

import type { Execution, Row } from '../../../service/contract';
import { EXTERNAL_ID } from '../../../service/contract';
import { lowConfidenceFields, lowestConfidence } from './cells';
import type { Shaping } from './choice';
import type { Minimums } from './minimums';
import type { ReportedDocument } from './reportContents';
import { documentsIn, leftOutInWords, withinLimits } from './reportContents';
import type { Score, ShownValue } from './reportValue';
import { idOf, labelOf, scoreOf, shownValue } from './reportValue';
import type { Verdict } from './reportVerdict';
import { listed, verdictOf } from './reportVerdict';
import type { RowView } from './rows';
import { viewRows } from './rows';
import { chooseSteps, uniquelyNamed } from './selection';

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
	execution: Execution,
	shaping: Shaping,
	beside: IDataObject,
): ReportPage {
	const { chosen } = chooseSteps(uniquelyNamed(execution.steps), shaping.onlySteps);
	const views = viewRows(execution, chosen, shaping).rows;
	const all = views.filter(({ stepName }) => stepName !== null);
	const several = new Set(all.filter(({ row }) => row === 2).map(({ stepName }) => stepName));
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
		verdict: verdictOf(execution, chosen, shaping.minimums),
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

function sectionsOf(rows: RowView[], several: ReadonlySet<string | null>): Section[] {
	const bySteps = new Map<string, RowView[]>();
	for (const view of rows) {
		const name = view.stepName ?? '';
		const same = bySteps.get(name);
		if (same === undefined) bySteps.set(name, [view]);
		else same.push(view);
	}
	return [...bySteps].map(([name, views]) => {
		const names = new Set(views.flatMap(({ cells }) => [...(cells?.keys() ?? [])]));
		const isTable = several.has(name) && names.size > 0 && names.size <= MAX_COLUMNS;
		return {
			title: labelOf(name),
			columns: isTable ? [...names].map(labelOf) : undefined,
			rows: views
				.filter(({ cells }) => cells !== undefined)
				.map((view) => ({
					number: several.has(name) ? (view.row ?? undefined) : undefined,
					fields: fieldsOf(view, isTable ? [...names] : [...(view.cells?.keys() ?? [])]),
					lowest: scoreOf(view.lowestConfidence, isLow(view.cells, view.minimums)),
				})),
			text: views.map(({ data }) => (data === undefined ? '' : shownValue(data).text)).join(' '),
		};
	});
}

function fieldsOf({ fields, cells, minimums }: RowView, names: string[]): ShownField[] {
	return names.map((name) => {
		const cell = cells?.get(name);
		const alone: Row = new Map(cell === undefined ? [] : [[name, cell]]);
		return {
			label: labelOf(name),
			value: shownValue(cell === undefined ? null : fields[name]),
			score: scoreOf(lowestConfidence([alone]), isLow(alone, minimums)),
		};
	});
}

function isLow(row: Row | undefined, minimums: Minimums): boolean {
	return row !== undefined && lowConfidenceFields(row, minimums).length > 0;
}

function valuesToReview(
	rows: RowView[],
	several: ReadonlySet<string | null>,
): { toReview: ValueToReview[]; moreToReview: number } {
	const toReview: ValueToReview[] = [];
	let count = 0;
	for (const { stepName, row, lowConfidenceFields: low } of rows) {
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
