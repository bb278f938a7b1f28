import type { IDataObject } from 'n8n-workflow';

import type { JudgedFields } from './cells';
import { confidenceIn, lowConfidenceIn, tableConfidenceIn, valuesIn } from './cells';
import type { Output } from './choice';
import type { JudgedRow } from './judgement';
import { reviewFields } from './judgement';
import type { Material } from './outputs';
import { confidenceShown, outcomeOf } from './outputs';
import { withFormIn } from './review/form';

/** The field that every item has. */
const NEEDS_REVIEW = 'needsReview';

/** The field of an item that holds everything else except the extracted fields. */
const DETAILS = '_execution';

/** The other columns with the short details of a row. */
const COLUMNS = {
	lowConfidenceFields: '_lowConfidenceFields',
	step: '_step',
	row: '_row',
	executionId: '_executionId',
	reviewForm: '_reviewForm',
	review: '_review',
};

/**
 * Names that an extracted field cannot have at the top level of an item: our own fields, whichever of them an item has, what makes n8n
 * treat the item as failed, where n8n 2 may keep the files of an item, what JavaScript treats as the prototype when n8n copies an item,
 * and what no column can be named.
 */
const RESERVED = new Set([
	...[NEEDS_REVIEW, DETAILS, ...Object.values(COLUMNS)],
	...['error', '$error', '_files', '__proto__', ''],
]);

/** An item about an execution that has no data to show: skipped, not known to exist, or not finished in time. */
export function withoutData(output: Output, needsReview: boolean, about: IDataObject): IDataObject {
	return output === 'rows' ? { needsReview, [DETAILS]: about } : { needsReview, ...about };
}

interface RowItems {
	items: IDataObject[];
	/** Steps that have no item because they have no row. */
	emptySteps: string[];
	/** Steps whose rows are beside those of other steps; empty where the items are of one step. */
	mixedSteps: string[];
	/** Names of extracted fields that had to be changed. */
	renamedFields: string[];
}

/**
 * The extracted fields of each row at the top level, so that they are the columns of a table, and the chosen details behind them. Items
 * that are not finished rows keep all details in one field, so that nobody takes them for data. Without details an empty step has no
 * item, because it would be an empty line in a table.
 */
export function rowItems(material: Material): RowItems {
	const { judgement, shaping } = material;
	const kind = judgement.execution.phase === 'completed' ? shaping.rowDetails : 'full';
	const renamed = new Set<string>();
	const isLine = ({ stepName, fields, data }: JudgedRow) =>
		kind !== 'none' || stepName === null || data !== undefined || fields.size > 0;
	const lines = judgement.rows.filter(isLine);
	const withRows = new Set(
		lines.flatMap(({ stepName, number }) => (number === null ? [] : (stepName ?? []))),
	);
	const items = lines.map((given) => {
		const row = { ...given, fields: withFreeNames(given.fields, renamed) };
		const values = valuesIn(row.fields);
		if (kind === 'none' && row.number !== null) return values;
		const details =
			kind === 'short' && row.number !== null ? columnsOf(row, material) : detailsOf(row, material);
		return withFormIn({ ...values, ...details }, row, material);
	});
	return {
		items,
		emptySteps: judgement.rows
			.filter((row) => !isLine(row))
			.flatMap(({ stepName }) => stepName ?? []),
		mixedSteps: withRows.size > 1 ? [...withRows] : [],
		renamedFields: [...renamed],
	};
}

function columnsOf(row: JudgedRow, { judgement }: Material): IDataObject {
	return {
		[NEEDS_REVIEW]: row.needsReview,
		...(judgement.isJudged ? { [COLUMNS.lowConfidenceFields]: lowConfidenceIn(row.fields) } : {}),
		[COLUMNS.step]: row.stepName,
		[COLUMNS.row]: row.number,
		[COLUMNS.executionId]: judgement.execution.executionId,
	};
}

function detailsOf(row: JudgedRow, { judgement, beside }: Material): IDataObject {
	const { execution } = judgement;
	const { needsReview, ...review } = reviewFields(row, lowConfidenceIn(row.fields), judgement);
	return {
		[NEEDS_REVIEW]: needsReview,
		[DETAILS]: {
			step: row.stepName,
			row: row.number,
			...(row.data === undefined ? {} : { data: row.data }),
			...review,
			...confidenceShown(confidenceIn(row.fields), tableConfidenceIn(row.fields)),
			...outcomeOf(execution),
			...beside,
			workflowId: execution.workflowId,
			executionId: execution.executionId,
		},
	};
}

/** A reserved name gets underscores at its end, until it is free. */
function withFreeNames(fields: JudgedFields, renamed: Set<string>): JudgedFields {
	const reserved = [...fields.keys()].filter((name) => RESERVED.has(name));
	if (reserved.length === 0) return fields;
	const taken = new Set(fields.keys());
	const freeNames = new Map(
		reserved.map((name) => {
			let free = `${name}_`;
			while (taken.has(free) || RESERVED.has(free)) free += '_';
			taken.add(free);
			renamed.add(name);
			return [name, free];
		}),
	);
	return new Map([...fields].map(([name, field]) => [freeNames.get(name) ?? name, field]));
}
