import type { IDataObject } from 'n8n-workflow';

import type { Json, JsonRecord } from '../../../../service/contract';
import { recordOf } from '../../../../service/json';
import { type About, idsOf, outcomeOf, toJson } from '../../about';
import { mapRows } from '../../connection/time';
import { confidenceIn, depthOf, type JudgedRow, type Path, valuesIn } from '../judge/row';
import { hasRows, type Judgement } from '../judge/judge';
import type { ItemSettings } from '../settings/settings';
import type { ItemFacts } from '../words/hints';
import { rowReviewer, toReviewAbout } from '../words/toReview';
import { flat, namedIn, textOf } from '../words/words';
import { type Material, reviewOfRow } from './simplified';

/** Reserved: our own fields, names with a meaning for n8n or JavaScript, and what no column can be named. */
const RESERVED = new Set([
	...['needsReview', 'toReview', 'step', 'row', 'fileName', 'executionId', 'executionUrl'],
	...['executionStatus', 'externalId', 'executionDetails'],
	...['error', '$error', '_files', '__proto__', ''],
]);

/** An item about an execution that has no data to show: skipped, failed, not known to exist, or not finished in time. */
export function withoutData(
	{ output, includeDetails }: Omit<ItemSettings, 'includeFiles'>,
	needsReview: boolean,
	about: About,
): IDataObject {
	const toReview = toReviewAbout(about);
	const json = toJson(about);
	if (output !== 'rows') return { needsReview, toReview, ...json };
	const marks = { needsReview, toReview, step: null, row: null, ...marksOf(about) };
	return { ...marks, ...(includeDetails && { executionDetails: json }) };
}

/** The fields of each row as columns. Without details all are flat, because n8n's Data table refuses lists and records. */
export async function makeRows({
	judgement,
	settings: { includeDetails },
	about,
}: Material): Promise<ItemFacts & { items: IDataObject[] }> {
	const renamed = new Set<string>();
	const describe = rowReviewer(judgement, about);
	const { execution, dataNotRead } = judgement;
	const outcome = outcomeOf(execution, dataNotRead);
	const shared = { ...outcome, workflowId: execution.workflowId, ...toJson(about) };
	const ofExecution = marksOf({ ...outcome, ...idsOf(execution), ...about });
	// A row without fields would be an empty line in a table.
	const lines = judgement.rows.filter(({ number, fields }) => number === null || fields.length > 0);
	const withRows = new Set(judgement.steps.filter(hasRows).map(({ stepName }) => stepName));
	const flatOf = ({ value }: { value: Json }) => flat(value);
	const items = await mapRows(lines, (given) => {
		const row = withFreeNames(given, renamed);
		const { needsReview, stepName: step, number } = row;
		const marks = { needsReview, toReview: describe(row), step, row: number };
		// Copies of the values would take a third of the time.
		if (!includeDetails) return Object.assign(recordOf(row.fields, flatOf), marks, ofExecution);
		const executionDetails = { ...detailsOf(judgement, row), ...shared };
		return Object.assign(valuesIn(row.fields), marks, ofExecution, { executionDetails });
	});
	return {
		items,
		mixedSteps: withRows.size > 1 ? [...withRows] : [],
		renamedFields: [...renamed],
	};
}

/** What the items of an execution share: null where nothing is known, so that a table can have its columns before the first item is there. */
function marksOf(about: About) {
	const { executionId = null, executionUrl = null, status = null, externalId } = about;
	const isId = ['string', 'number'].includes(typeof externalId);
	return {
		fileName: fileNamesIn(about),
		executionId,
		executionUrl,
		executionStatus: status,
		externalId: isId ? externalId : null,
	};
}

/** Of a create that failed, `fileName` has the names. */
function fileNamesIn({ fileName, documents, skipped }: About): string | null {
	if (fileName !== undefined) return fileName;
	const namesOf = (files: Array<{ fileName?: string }> = []) =>
		namedIn(files)
			.map(({ name }) => name)
			.join(', ');
	return namesOf(documents) || namesOf(skipped) || null;
}

function detailsOf(judgement: Judgement, row: JudgedRow): IDataObject {
	const depth = depthOf(row);
	const evidence = row.evidence.map(({ path, details }): JsonRecord => ({
		field: textOf(path.slice(depth)),
		...details,
	}));
	return {
		...reviewOfRow(judgement, row),
		confidence: confidenceIn(row.fields),
		...(evidence.length > 0 ? { evidence } : {}),
	};
}

/** A reserved name gets underscores at its end, until it is free. */
function withFreeNames(row: JudgedRow, renamed: Set<string>): JudgedRow {
	const reserved = row.fields.filter(({ name }) => RESERVED.has(name));
	if (reserved.length === 0) return row;
	const taken = new Set([...RESERVED, ...row.fields.map(({ name }) => name)]);
	const freeNames = new Map<string, string>();
	for (const { name } of reserved) {
		let free = `${name}_`;
		while (taken.has(free)) free += '_';
		taken.add(free);
		renamed.add(name);
		freeNames.set(name, free);
	}
	const depth = depthOf(row);
	const freeName = (name: string) => freeNames.get(name) ?? name;
	const free = <T extends { path: Path }>(each: T): T => ({
		...each,
		path: each.path.map((part, at) => (at === depth ? freeName(String(part)) : part)),
	});
	return {
		...row,
		fields: row.fields.map((field) => ({ ...field, name: freeName(field.name) })),
		doubts: row.doubts.map(free),
		evidence: row.evidence.map(free),
	};
}
