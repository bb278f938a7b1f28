import type { IDataObject } from 'n8n-workflow';

import type { JudgedField, JudgedFields } from './cells';
import type { Shaping } from './choice';
import type { JudgedRow } from './judgement';
import { confidenceIn, evidenceIn, listsOf, reviewFields, valuesIn } from './lists';
import { type Material, outcomeOf } from './outputs';
import { recordOf } from './path';
import { flat, namedIn } from './report/words';
import { toReviewAbout } from './toReview';
import { mapRows } from './turns';

/** What each item has behind its extracted fields, so that a table can have its columns before the first item is there. */
interface Marks {
	needsReview: boolean;
	/** What to review, or why the item is no row. */
	toReview: string | null;
	step: string | null;
	/** Counted from 1; null where the item is no row. */
	row: number | null;
	/** Of the documents that were sent, or skipped where none was. */
	fileName: string | null;
	executionId: string | null;
	/** Null where the credential has no pattern for it. */
	executionUrl: string | null;
}

/**
 * Names that an extracted field cannot have at the top level of an item: our own fields, whichever of them an item has, what makes n8n
 * treat the item as failed, where n8n 2 may keep the files of an item, what JavaScript treats as the prototype when n8n copies an item,
 * and what no column can be named.
 */
const RESERVED = new Set([
	...['needsReview', 'toReview', 'step', 'row', 'fileName', 'executionId', 'executionUrl'],
	...['executionDetails', 'error', '$error', '_files', '__proto__', ''],
]);

/** An item about an execution that has no data to show: skipped, failed, not known to exist, or not finished in time. */
export function withoutData(
	{ output, includeDetails }: Pick<Shaping, 'output' | 'includeDetails'>,
	needsReview: boolean,
	about: IDataObject,
): IDataObject {
	const toReview = toReviewAbout(about);
	if (output !== 'rows') return { needsReview, toReview, ...about };
	const { executionId, executionUrl } = about;
	const marks: Marks = {
		needsReview,
		toReview,
		step: null,
		row: null,
		fileName: fileNamesIn(about),
		executionId: textOrNull(executionId),
		executionUrl: textOrNull(executionUrl),
	};
	return { ...marks, ...(includeDetails ? { executionDetails: about } : {}) };
}

/**
 * The extracted fields of each row at the top level, so that they are the columns of a table, and the marks behind them. Without
 * details, everything is flat: n8n's Data table refuses an item with a list or a record.
 */
export function* rowItems(material: Material) {
	const { judgement, shaping, beside, toReview } = material;
	const renamed = new Set<string>();
	const fileName = fileNamesIn(beside);
	// A row without fields would be an empty line in a table.
	const lines = judgement.rows.filter(({ number, fields }) => number === null || fields.length > 0);
	const withRows = new Set(
		lines.flatMap(({ stepName, number }) => (number === null ? [] : (stepName ?? []))),
	);
	const items = yield* mapRows(lines, (given) => {
		const fields = withFreeNames(fieldsOf(given), renamed);
		const row = fields === given.fields ? given : { ...given, fields };
		const marks: Marks = {
			needsReview: row.needsReview,
			toReview: toReview(row),
			step: row.stepName,
			row: row.number,
			fileName,
			executionId: judgement.execution.executionId,
			executionUrl: textOrNull(beside.executionUrl),
		};
		const { includeDetails } = shaping;
		const values = includeDetails ? valuesIn(row.fields) : recordOf(row.fields, flatIn);
		const details = includeDetails ? { executionDetails: detailsOf(row, material) } : {};
		// Copies of the values would take a third of the time.
		return Object.assign(values, marks, details);
	});
	return {
		items,
		mixedSteps: withRows.size > 1 ? [...withRows] : [],
		renamedFields: [...renamed],
	};
}

function textOrNull(value: unknown): string | null {
	return typeof value === 'string' ? value : null;
}

const flatIn = ({ value }: JudgedField) => flat(value);

/** Content in place of rows, such as a summary, is under the name of its step. */
function fieldsOf({ stepName, fields, data }: JudgedRow): JudgedFields {
	if (data === undefined || stepName === null) return fields;
	const content = { confidence: null, lowest: null, isScored: false, found: [] };
	return [{ name: stepName, value: data, ...content }];
}

function fileNamesIn({ documents, skipped }: IDataObject): string | null {
	const [sent, others] = [documents, skipped].map((list) => namedIn(list).map(({ name }) => name));
	return (sent?.length ? sent : (others ?? [])).join(', ') || null;
}

function detailsOf(row: JudgedRow, { judgement, beside }: Material): IDataObject {
	const { execution } = judgement;
	const evidence = evidenceIn(row.fields);
	return {
		...reviewFields(row, listsOf(row.fields, row.stepName), judgement),
		confidence: confidenceIn(row.fields),
		...(evidence.length > 0 ? { evidence } : {}),
		...outcomeOf(execution),
		workflowId: execution.workflowId,
		...beside,
	};
}

/** A reserved name gets underscores at its end, until it is free. */
function withFreeNames(fields: JudgedFields, renamed: Set<string>): JudgedFields {
	if (!fields.some(({ name }) => RESERVED.has(name))) return fields;
	const taken = new Set(fields.map(({ name }) => name));
	const reserved = [...taken].filter((name) => RESERVED.has(name));
	const freeNames = new Map(
		reserved.map((name) => {
			let free = `${name}_`;
			while (taken.has(free) || RESERVED.has(free)) free += '_';
			taken.add(free);
			renamed.add(name);
			return [name, free];
		}),
	);
	return fields.map((field) => ({ ...field, name: freeNames.get(field.name) ?? field.name }));
}
