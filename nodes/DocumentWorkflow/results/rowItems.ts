import type { IDataObject } from 'n8n-workflow';

import type { Row } from '../../../service/contract';
import { scoresOf, tableScores } from './cells';
import type { Output } from './choice';
import type { Minimums } from './minimums';
import type { Material } from './outputs';
import { confidenceShown, outcomeOf } from './outputs';
import { reviewFields } from './review';
import { withFormIn } from './reviewForm';
import type { RowView } from './rows';
import { viewRows } from './rows';

/** The field of an item that holds everything except the extracted fields. */
const DETAILS = '_execution';

/** The columns with the short details of a row. */
const COLUMNS = {
	needsReview: '_needsReview',
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
	...[DETAILS, ...Object.values(COLUMNS)],
	...['error', '$error', '_files', '__proto__', ''],
]);

/** An item about an execution that has no data to show: skipped, not known to exist, or not finished in time. */
export function withoutData(output: Output, about: IDataObject): IDataObject {
	return output === 'rows' ? { [DETAILS]: about } : about;
}

interface RowItems {
	items: IDataObject[];
	/** How many rows were omitted because they need no review. */
	leftOut: number;
	/** Steps that have no item because they have no row. */
	emptySteps: string[];
	/** Steps whose rows are beside those of other steps; empty where the items are of one step. */
	mixedSteps: string[];
	/** Names of extracted fields that had to be changed. */
	renamedFields: string[];
	hasDetails: boolean;
	lowConfidenceField: string | undefined;
}

/**
 * The extracted fields of each row at the top level, so that they are the columns of a table, and the chosen details behind them. What
 * is no row of a completed execution has all details in one field, because it has nothing else, or must not pass for a finished row.
 * Without details an empty step has no item, because it would be an empty line in a table.
 */
export function rowItems(material: Material): RowItems {
	const { execution, steps, shaping } = material;
	const kind = execution.phase === 'completed' ? shaping.rowDetails : 'full';
	const renamed = new Map<string, string>();
	const safe = steps.map(({ name, step }) => ({
		name,
		step: { ...step, rows: step.rows.map((row) => withSafeNames(row, renamed)) },
	}));
	const minimums = withNewNames(shaping.minimums, renamed);
	const { rows, leftOut } = viewRows(execution, safe, { ...shaping, minimums });
	const isLine = ({ stepName, fields, data }: RowView) =>
		kind !== 'none' || stepName === null || data !== undefined || Object.keys(fields).length > 0;
	const lines = rows.filter(isLine);
	const withRows = [
		...new Set(lines.flatMap(({ stepName, row }) => (row === null ? [] : (stepName ?? [])))),
	];
	const items = lines.map((view) => {
		if (kind === 'full' || view.cells === undefined)
			return withFormIn({ ...view.fields, [DETAILS]: detailsOf(view, material) }, view, material);
		if (kind === 'none') return view.fields;
		return withFormIn({ ...view.fields, ...columnsOf(view, material) }, view, material);
	});
	return {
		items,
		leftOut,
		emptySteps: rows.filter((view) => !isLine(view)).flatMap(({ stepName }) => stepName ?? []),
		mixedSteps: withRows.length > 1 ? withRows : [],
		renamedFields: [...renamed.keys()],
		hasDetails: items.some((item) => Object.hasOwn(item, DETAILS)),
		lowConfidenceField: LOW_CONFIDENCE_FIELD[kind],
	};
}

/** Only rows have values with a score. */
const LOW_CONFIDENCE_FIELD = {
	none: undefined,
	short: COLUMNS.lowConfidenceFields,
	full: `${DETAILS}.lowConfidenceFields`,
};

function columnsOf(view: RowView, { execution, shaping }: Material): IDataObject {
	const { needsReview, lowConfidenceFields } = reviewFields(view, shaping.minimums);
	const review =
		needsReview === undefined
			? {}
			: {
					[COLUMNS.needsReview]: needsReview,
					[COLUMNS.lowConfidenceFields]: lowConfidenceFields,
				};
	return {
		...review,
		[COLUMNS.step]: view.stepName,
		[COLUMNS.row]: view.row,
		[COLUMNS.executionId]: execution.executionId,
	};
}

function detailsOf(view: RowView, { execution, shaping, beside }: Material): IDataObject {
	const { workflowId, executionId } = execution;
	const { cells = new Map() as Row } = view;
	return {
		step: view.stepName,
		row: view.row,
		...(view.data === undefined ? {} : { data: view.data }),
		...reviewFields(view, shaping.minimums),
		...confidenceShown(scoresOf(cells), tableScores(cells), shaping),
		...outcomeOf(execution),
		...beside,
		workflowId,
		executionId,
	};
}

/** A field with a minimum of its own keeps it under its new name, also where its step stands in front. */
function withNewNames(
	{ general, byField }: Minimums,
	renamed: ReadonlyMap<string, string>,
): Minimums {
	const underNewNames = [...renamed].flatMap(([name, free]) =>
		[...byField]
			.filter(([given]) => given === name || given.endsWith(`.${name}`))
			.map(
				([given, minimum]) => [given.slice(0, given.length - name.length) + free, minimum] as const,
			),
	);
	return { general, byField: new Map([...byField, ...underNewNames]) };
}

function hasReservedName(row: Row): boolean {
	for (const name of row.keys()) if (RESERVED.has(name)) return true;
	return false;
}

/** A reserved name gets underscores at its end, until it is free. */
function withSafeNames(row: Row, renamed: Map<string, string>): Row {
	if (!hasReservedName(row)) return row;
	const taken = new Set(row.keys());
	return new Map(
		[...row].map(([name, cell]) => {
			if (!RESERVED.has(name)) return [name, cell];
			let free = `${name}_`;
			while (taken.has(free) || RESERVED.has(free)) free += '_';
			taken.add(free);
			renamed.set(name, free);
			return [free, cell];
		}),
	);
}
